// What every operator asks of a store at a pin: versions, commit times, known names; and how arguments are read.
// Arguments are the resolved ones that an envelope echoes; nothing here fills a default.

import { PalimpsestError } from "../contract/errors.js";
import type { Counts } from "./batch.js";
import { FOREVER, formatInstant, parseInstant } from "./instants.js";
import { greatest } from "./interval-set.js";
import type { TimeOfTx } from "./shown.js";
import { textSet } from "./values.js";
import { believedAt, identityText, knownUids, type Ref, type Version, writtenAt } from "./versions.js";

export interface Commit extends Counts {
  readonly tx: number;
  readonly txTimeUs: bigint;
}

/** A stretch [from, to); unbounded ends lie outside everything that can be written. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

export const ALL_TIME: Span = { from: -FOREVER, to: FOREVER + 1n };

/** A resolved window argument. */
export function spanOf(window: unknown): Span {
  const ends = (window ?? {}) as { from?: unknown; to?: unknown };
  return {
    from: ends.from === null || ends.from === undefined ? ALL_TIME.from : parseInstant(ends.from),
    // A window that was resolved by an event in the last microsecond ends at the end of the calendar.
    to: ends.to === null || ends.to === undefined ? ALL_TIME.to : parseInstant(ends.to, { isEnd: true }),
  };
}

/** A version's beginning, cut to a window: where its ends are judged. */
export function cutBeginning(version: Version, window: Span): bigint {
  return greatest([version.validFrom, window.from]);
}

/** A store at one pin. */
export class Belief {
  readonly written: Version[];
  readonly believed: Version[];

  constructor(
    private readonly store: { readonly versions: readonly Version[]; readonly commits: readonly Commit[] },
    readonly tx: number,
  ) {
    this.written = writtenAt(store.versions, tx);
    this.believed = believedAt(store.versions, tx);
  }

  get commits(): readonly Commit[] {
    return this.store.commits.filter((commit) => commit.tx <= this.tx);
  }

  readonly timeOf: TimeOfTx = (tx) => this.store.commits[tx - 1]!.txTimeUs;

  /** Also those after the pin: a commit may be named that this belief does not see. */
  get allCommits(): readonly Commit[] {
    return this.store.commits;
  }

  get pin(): { tx: number; tx_time: string | null } {
    return { tx: this.tx, tx_time: this.tx === 0 ? null : formatInstant(this.timeOf(this.tx)) };
  }

  /** The same store at another pin. */
  at(pin: unknown): Belief {
    return new Belief(this.store, resolvePin(this.store.commits, pin));
  }

  requireUids(uids: readonly string[]): void {
    const known = knownUids(this.store.versions, this.tx);
    const unknown = textSet(uids).filter((uid) => !known.has(uid));
    if (unknown.length === 0) return;
    throw new PalimpsestError("E_NOT_FOUND", `unknown: ${unknown.join(", ")}`, { details: { uids: unknown } });
  }

  requireRef(ref: Ref): void {
    if ("uid" in ref) this.requireUids([ref.uid]);
    else if (!this.written.some((version) => identityText(version) === identityText(ref)))
      throw new PalimpsestError("E_NOT_FOUND", `unknown edge ${identityText(ref)}`, { details: { ref: { ...ref } } });
  }
}

/** A resolved pin (`tx:N`, or null for the latest) as the number of its commit. */
export function resolvePin(commits: readonly Commit[], pin: unknown): number {
  const latest = commits.at(-1)?.tx ?? 0;
  if (pin === null || pin === undefined) return latest;
  const tx = Number(/^tx:(\d+)$/.exec(pin as string)?.[1]);
  if (Number.isNaN(tx)) throw new PalimpsestError("E_INVALID_ARG", `${String(pin)} is not a resolved pin`);
  if (tx <= latest) return tx;
  throw new PalimpsestError("E_TX_UNKNOWN", `there is no commit ${tx} yet`, { details: { latest } });
}
