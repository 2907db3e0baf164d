// Versions sorted into the commits that began and ended the belief in them.
// Within a commit endings come first, then beginnings, each in the order in which they were added.
import { parseExact } from "../../contract/exact-json.js";
import type { JsonObject } from "../../contract/values.js";
import { KeptTexts } from "./kept-texts.js";
import { type BeliefTimes, beginning, ending, type VersionOperation } from "./record.js";

export interface VersionCommit {
  readonly txTimeUs: bigint;
  /** Versions that begin here. */
  readonly beginnings: number;
  operations(): Iterable<VersionOperation>;
}

interface Members {
  readonly begun: number[];
  readonly ended: number[];
}

export class VersionTimeline {
  private readonly texts = new KeptTexts();
  private readonly byTime = new Map<bigint, Members>();

  get count(): number {
    return this.texts.count;
  }

  /** `text` is the JSON of the version. */
  add(text: string, { fromUs, toUs }: BeliefTimes): void {
    const number = this.texts.add(text);
    this.at(fromUs).begun.push(number);
    if (toUs !== null) this.at(toUs).ended.push(number);
  }

  private at(us: bigint): Members {
    const known = this.byTime.get(us);
    if (known !== undefined) return known;
    const fresh: Members = { begun: [], ended: [] };
    this.byTime.set(us, fresh);
    return fresh;
  }

  /** Commits in order of time. */
  commits(): VersionCommit[] {
    return [...this.byTime]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([txTimeUs, members]) => ({
        txTimeUs,
        beginnings: members.begun.length,
        operations: () => this.operations(members),
      }));
  }

  private *operations({ begun, ended }: Members): Generator<VersionOperation> {
    for (const number of ended) yield* ending(this.version(number));
    for (const number of begun) yield beginning(this.version(number));
  }

  private version(number: number): JsonObject {
    return parseExact(this.texts.at(number)) as JsonObject;
  }
}
