// Offsets from UTC as texts write them.

const US_PER_MINUTE = 60_000_000n;

/** `+02:00`; seconds, which only times before zones have, are left out. */
export function offsetText(us: bigint): string {
  const minutes = Number((us < 0n ? -us : us) / US_PER_MINUTE);
  const digits = (n: number): string => String(n).padStart(2, "0");
  return `${us < 0n ? "-" : "+"}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}
