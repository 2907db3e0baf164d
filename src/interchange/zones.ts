// Local time of a file: which instant a date and time without zone mean. UTC, fixed offsets, and IANA zones by name.
// A local time that a change of clocks skips or repeats is refused: nothing here picks one of two instants.

import { instantsOf } from "../calendar/local-time.js";
import { type OffsetStretch, zoneOf } from "../calendar/zones.js";
import { formatInstant } from "../contract/instant.js";
import { RefusedValue } from "./refusal.js";

const OFFSET = /^([+-])([01]\d|2[0-3]):?([0-5]\d)$/;
const MICROS_PER_MINUTE = 60_000_000n;
const MICROS_PER_DAY = 86_400_000_000n;
const FOREVER_US = 1n << 62n;

export interface LocalZone {
  /** The instant of a local time, which is given as microseconds counted as if it were UTC. */
  instantOf(localUs: bigint): bigint;
}

class NamedZone implements LocalZone {
  private readonly stretches: readonly OffsetStretch[];
  /** The stretch that the last time was in, more than a day from either end of it: mostly the next one is there too. */
  private sureFromUs = 0n;
  private sureToUs = 0n;
  private offsetUs = 0n;

  constructor(private readonly name: string) {
    this.stretches = zoneOf(name, "zone").offsets();
  }

  instantOf(localUs: bigint): bigint {
    if (localUs >= this.sureFromUs && localUs < this.sureToUs) return localUs - this.offsetUs;
    const { instants } = instantsOf(localUs, zoneOf(this.name, "zone"));
    if (instants.length !== 1) this.refuse(localUs, instants);
    this.remember(instants[0]!);
    return instants[0]!;
  }

  private remember(us: bigint): void {
    const after = this.stretches.findIndex(({ fromUs }) => fromUs > us);
    const at = after < 0 ? this.stretches.length - 1 : Math.max(0, after - 1);
    const stretch = this.stretches[at]!;
    // Offsets stay under a day, so that local times a day inside are in no gap and in no overlap.
    this.sureFromUs = (after === 0 ? -FOREVER_US : stretch.fromUs) + 2n * MICROS_PER_DAY;
    this.sureToUs = (this.stretches[at + 1]?.fromUs ?? FOREVER_US) - 2n * MICROS_PER_DAY;
    this.offsetUs = stretch.offsetUs;
  }

  private refuse(localUs: bigint, instants: readonly bigint[]): never {
    const shown = formatInstant(localUs).slice(0, -1);
    const hint = "write an offset behind the time, such as +01:00";
    if (instants.length === 0) {
      throw new RefusedValue(
        `: ${shown} does not exist in ${this.name}: clocks go forward over it`,
        "E_INVALID_ARG",
        hint,
      );
    }
    const both = instants.map((us) => formatInstant(us)).join(" or ");
    throw new RefusedValue(`: ${shown} is twice in ${this.name}: ${both}`, "E_INVALID_ARG", hint);
  }
}

/** UTC, an offset such as +02:00, or an IANA name; E_INVALID_ARG with the nearest names for any other. */
export function localZone(zone: string): LocalZone {
  if (/^(?:utc|z|gmt)$/i.test(zone)) return { instantOf: (localUs) => localUs };
  const match = OFFSET.exec(zone);
  if (match === null) return new NamedZone(zone);
  const minutes = BigInt(Number(match[2]) * 60 + Number(match[3])) * (match[1] === "-" ? -1n : 1n);
  return { instantOf: (localUs) => localUs - minutes * MICROS_PER_MINUTE };
}
