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

const overlaps = (a: Stretch, b: Stretch): boolean => a.fromUs < b.toUs && b.fromUs < a.toUs;

/** What is left of `version` when `taken` is carved out of it. */
function fragments(version: BelievedStretch, taken: Stretch): BelievedStretch[] {
  if (!overlaps(version, taken)) return [version];
  const left = { ...version, toUs: taken.fromUs };
  const right = { ...version, fromUs: taken.toUs };
  return [left, right].filter(({ fromUs, toUs }) => fromUs < toUs);
}

export class Beliefs {
  private readonly byIdentity = new Map<string, readonly BelievedStretch[]>();
  /** As it was before the batch, of every identity that the batch touched. */
  private readonly before = new Map<string, readonly BelievedStretch[]>();

  constructor(private readonly believedBefore: BelievedBefore) {}

  async of(ref: TgmsRef): Promise<readonly BelievedStretch[]> {
    const identity = identityOf(ref);
    const known = this.byIdentity.get(identity);
    if (known !== undefined) return known;
    const found = await this.believedBefore(ref);
    this.byIdentity.set(identity, found);
    return found;
  }

  async overlapping(ref: TgmsRef, period: Stretch): Promise<readonly BelievedStretch[]> {
    return (await this.of(ref)).filter((version) => overlaps(version, period));
  }

  async carve(ref: TgmsRef, period: Stretch): Promise<void> {
    const versions = await this.of(ref);
    this.change(
      ref,
      versions,
      versions.flatMap((version) => fragments(version, period)),
    );
  }

  /** Carves and believes what was written in its place. */
  async write(ref: TgmsRef, period: Stretch, labels: readonly string[]): Promise<void> {
    const versions = await this.of(ref);
    const { fromUs, toUs } = period;
    const kept = versions.flatMap((version) => fragments(version, period));
    this.change(ref, versions, [...kept, { fromUs, toUs, labels }]);
  }

  private change(ref: TgmsRef, from: readonly BelievedStretch[], to: readonly BelievedStretch[]): void {
    const identity = identityOf(ref);
    if (!this.before.has(identity)) this.before.set(identity, from);
    this.byIdentity.set(identity, to);
  }

  /** The batch counts. */
  keep(): void {
    this.before.clear();
  }

  /** The batch changed nothing. */
  takeBack(): void {
    for (const [identity, versions] of this.before) this.byIdentity.set(identity, versions);
    this.before.clear();
  }
}
