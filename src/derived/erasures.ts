// What erasures take of things that were derived from a store. Pure.

/** A commit that erased an identity, and the commit that first wrote something it removed. */
export interface Erasure {
  readonly tx: number;
  readonly firstTx: number;
}

/** What of a store decides whether things that were derived from it may stand. */
export interface StoreFacts {
  readonly headTx: number;
  /** Oldest first. */
  readonly erasures: readonly Erasure[];
  /** The hash over the log up to a commit, in hex: equal for equal histories alone, and the same after erasures. */
  readonly chainAt: (tx: number) => string;
}

/** Whether something that was computed at a commit may show what was erased since. */
export const isTaken = ({ erasures }: StoreFacts, builtTx: number): boolean =>
  erasures.some(({ tx, firstTx }) => firstTx <= builtTx && builtTx < tx);

/** The newest erasure at or before a commit, by its commit; 0 where there is none. */
export const newestErasure = ({ erasures }: StoreFacts, tx = Number.POSITIVE_INFINITY): number =>
  erasures.findLast((erasure) => erasure.tx <= tx)?.tx ?? 0;
