// What the answers on real data must be, by the plainest means: text split by hand, sets, and walks over sorted events.
// Shares nothing with the product.

export interface PlainEvent {
  readonly src: string;
  readonly dst: string;
  readonly us: bigint;
}

export function plainEvents(text: string, separator: RegExp | string, columns: [number, number, number]): PlainEvent[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => {
      const parts = line.split(separator);
      const [whole, fraction = ""] = parts[columns[2]]!.split(".");
      return {
        src: parts[columns[0]]!,
        dst: parts[columns[1]]!,
        us: BigInt(whole!) * 1_000_000n + BigInt(fraction.padEnd(6, "0")),
      };
    });
}

export function nodesOf(events: readonly PlainEvent[]): Set<string> {
  return new Set(events.flatMap((event) => [event.src, event.dst]));
}

/**
 * Earliest arrivals from one node over instant events in [from, to), equal instants may chain.
 * Each instant is gone over until nothing changes.
 */
export function arrivals(
  events: readonly PlainEvent[],
  source: string,
  window: { from: bigint; to: bigint },
  options: { both: boolean } = { both: false },
): Map<string, bigint> {
  const reached = new Map<string, bigint>([[source, window.from]]);
  const instants = new Map<bigint, PlainEvent[]>();
  for (const event of events) {
    if (event.us < window.from || event.us >= window.to || event.src === event.dst) continue;
    const group = instants.get(event.us);
    if (group === undefined) instants.set(event.us, [event]);
    else group.push(event);
  }
  const sorted = [...instants.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const us of sorted) {
    for (let changed = true; changed; ) {
      changed = false;
      for (const { src, dst } of instants.get(us)!) {
        const steps = options.both ? [[src, dst] as const, [dst, src] as const] : [[src, dst] as const];
        for (const [tail, head] of steps) {
          if (!reached.has(tail) || reached.has(head)) continue;
          reached.set(head, us);
          changed = true;
        }
      }
    }
  }
  reached.delete(source);
  return reached;
}
