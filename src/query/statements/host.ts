// What statements need of an open database: an engine to read, the turn of the next batch to write in.
// The database gives it; statements know stores only by this.
import type { JsonObject } from "../../contract/values.js";
import type { OperatorEngine } from "../../operators/engine.js";
import type { StoreInfo } from "../../store/info.js";
import type { CommitHead, EraseReceipt, EraseTouched } from "../../store/types.js";
import type { Catalogue } from "../compile/catalogue.js";

/** A state of the store that statements read: the engine, and the names that it knows. */
export interface ReadableState {
  readonly engine: OperatorEngine;
  readonly catalogue: Catalogue;
}

/** The operations of one commit. */
export type Batch = readonly JsonObject[];

export interface QueryHost {
  /** What is published. */
  readonly published: ReadableState;
  readonly isReadOnly: boolean;
  /** Of statements that name no other. */
  readonly deadlineMs: number | undefined;
  /** Runs work that closing the database waits for. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `make` in the turn of the next batch, over the staged head, and commits the batches that it gives, one after the
   * other, with nothing between. With `ifTx`, E_STATE unless that is the staged head. Null for an erasure of what an
   * erasure before it took along.
   */
  writeInTurn(
    make: (staged: ReadableState) => Promise<readonly Batch[]>,
    ifTx?: number,
  ): Promise<readonly (CommitHead | EraseReceipt | null)[]>;
  /** What erasing an identity would remove; judged against the staged head. */
  touchedByErase(ref: JsonObject): Promise<EraseTouched>;
  info(): StoreInfo;
  /** The same store in the reference engine, loaded at the first use. */
  reference(tx: number): Promise<OperatorEngine>;
}
