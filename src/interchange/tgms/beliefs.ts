// Which stretches of valid time are believed for each identity while a log is read, kept disjoint, as that system carves.
// A batch that fails is taken back whole. Properties are not kept: no operation's outcome depends on them.
import type { TgmsRef } from "./record.js";
import type { Stretch } from "./shapes.js";

export interface BelievedStretch extends Stretch {
  /** Of a node; empty for an edge. */
  readonly labels: readonly string[];
}

/** What a store that is not empty believes of an identity before the log begins. */
export type BelievedBefore = (ref: TgmsRef) => Promise<readonly BelievedStretch[]>;

const identityOf = (ref: TgmsRef): string =>
  "uid" in ref ? `node ${ref.uid}` : JSON.stringify([ref.src, ref.type, ref.dst, ref.key]);

/** The first place from which `holds` is true, in a list in which it stays true once it is. */
function firstWhere(list: readonly BelievedStretch[], holds: (stretch: BelievedStretch) => boolean): number {
  let from = 0;
  for (let to = list.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if (holds(list[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The stretches that overlap a period stand side by side: [from, to). */
function placesOf(list: readonly BelievedStretch[], period: Stretch): { from: number; to: number } {
  return {
    from: firstWhere(list, ({ toUs }) => toUs > period.fromUs),
    to: firstWhere(list, ({ fromUs }) => fromUs >= period.toUs),
  };
}

/** So many arguments a call takes without trouble. */
const FEW_ITEMS = 1000;

function replace(list: BelievedStretch[], at: number, count: number, items: readonly BelievedStretch[]): void {
  if (items.length <= FEW_ITEMS) {
    list.splice(at, count, ...items);
    return;
  }
  const behind = list.splice(at).slice(count);
  for (const item of items) list.push(item);
  for (const item of behind) list.push(item);
}

/** What takes a change of a list back. */
interface Change {
  readonly list: BelievedStretch[];
  readonly at: number;
  readonly removed: readonly BelievedStretch[];
  readonly insertedCount: number;
}

export class Beliefs {
  /** In the order of time. A log may write one identity for ever: only what a period overlaps is looked at. */
  private readonly byIdentity = new Map<string, BelievedStretch[]>();
  /** Those of the batch at hand. */
  private readonly changes: Change[] = [];

  constructor(private readonly believedBefore: BelievedBefore) {}

  private async listOf(ref: TgmsRef): Promise<BelievedStretch[]> {
    const identity = identityOf(ref);
    const known = this.byIdentity.get(identity);
    if (known !== undefined) return known;
    const found = [...(await this.believedBefore(ref))].sort((a, b) => (a.fromUs < b.fromUs ? -1 : 1));
    this.byIdentity.set(identity, found);
    return found;
  }

  /** Whether nothing is believed of an identity, at any time. */
  async isUnknown(ref: TgmsRef): Promise<boolean> {
    return (await this.listOf(ref)).length === 0;
  }

  /** The stretch that holds at an instant. */
  async at(ref: TgmsRef, us: bigint): Promise<BelievedStretch | undefined> {
    return (await this.overlapping(ref, { fromUs: us, toUs: us + 1n }))[0];
  }

  /** In the order of time. */
  async overlapping(ref: TgmsRef, period: Stretch): Promise<readonly BelievedStretch[]> {
    const list = await this.listOf(ref);
    const { from, to } = placesOf(list, period);
    return list.slice(from, to);
  }

  async carve(ref: TgmsRef, period: Stretch): Promise<void> {
    this.change(await this.listOf(ref), period, []);
  }

  /** Carves and believes what was written in its place. */
  async write(ref: TgmsRef, { fromUs, toUs }: Stretch, labels: readonly string[]): Promise<void> {
    this.change(await this.listOf(ref), { fromUs, toUs }, [{ fromUs, toUs, labels }]);
  }

  private change(list: BelievedStretch[], period: Stretch, written: readonly BelievedStretch[]): void {
    const { from, to } = placesOf(list, period);
    const removed = list.slice(from, to);
    const left = removed.slice(0, 1).map((stretch) => ({ ...stretch, toUs: period.fromUs }));
    const right = removed.slice(-1).map((stretch) => ({ ...stretch, fromUs: period.toUs }));
    const inserted = [...left, ...written, ...right].filter(({ fromUs, toUs }) => fromUs < toUs);
    replace(list, from, removed.length, inserted);
    this.changes.push({ list, at: from, removed, insertedCount: inserted.length });
  }

  /** The batch counts. */
  keep(): void {
    this.changes.length = 0;
  }

  /** The batch changed nothing. */
  takeBack(): void {
    for (const { list, at, removed, insertedCount } of this.changes.reverse())
      replace(list, at, insertedCount, removed);
    this.changes.length = 0;
  }
}
