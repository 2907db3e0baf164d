// The operations of a log's commits, with bulk rows as columns: what the log leaves implicit, the node numbers, is kept here.
// Reads with this engine's own decoder; what an operation does to beliefs is for whoever replays it.

import { PalimpsestError } from "../contract/errors.js";
import { decodeEventBlock, type EventBlock } from "./block-decoder.js";
import { parseExactJson } from "./exact-json.js";

/** An item of a commit, as FORMAT.md "Items" lists them. */
export type ReplayItem =
  | { readonly kind: "operation" | "block" | "idempotency_key" | "erasure"; readonly content: Uint8Array }
  | {
      readonly kind: "erased";
      readonly edgeNumbers: number;
      readonly nodeNumbers: number;
      readonly keptUids: ReadonlyArray<{ readonly place: number; readonly uid: string }>;
    };

/** One whole commit; `tx` 0 is a rejected batch. */
export interface ReplayCommit {
  readonly tx: number;
  readonly txTimeUs: bigint;
  readonly items: readonly ReplayItem[];
}

export type LoggedOperation = Record<string, unknown>;

/** A commit as operations. An erased one is `skip_numbers`; rows that are holes have a `row_kind` that says so. */
export interface LoggedBatch {
  readonly operations: readonly LoggedOperation[];
  /** The receipt of the commit that is an erasure. */
  readonly erasure: { readonly firstTx: number; readonly spentKeys: readonly number[] } | undefined;
}

export class LogOperations {
  /** Uids by number; undefined where the number is spent. */
  private readonly uids: (string | undefined)[] = [];
  private readonly numbered = new Set<string>();

  /** The batch of an applied commit. Commits must come in their order. */
  batchOf({ items }: ReplayCommit): LoggedBatch {
    const operations: LoggedOperation[] = [];
    let erasure: LoggedBatch["erasure"];
    for (const item of items) {
      if (item.kind === "operation") operations.push(this.readOperation(item.content));
      else if (item.kind === "block") this.appendBlock(operations.at(-1), decodeEventBlock(item.content));
      else if (item.kind === "erased") operations.push(this.skip(item));
      else if (item.kind === "erasure") erasure ??= readReceipt(item.content);
    }
    return { operations, erasure };
  }

  private number(uid: string): void {
    if (this.numbered.has(uid)) return;
    this.numbered.add(uid);
    this.uids.push(uid);
  }

  private readOperation(content: Uint8Array): LoggedOperation {
    const operation = parseExactJson(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content),
    ) as LoggedOperation;
    if (operation.op === "assert_node") this.number(operation.uid as string);
    if (operation.op === "assert_edge") for (const end of [operation.src, operation.dst]) this.number(end as string);
    if (operation.op !== "ingest_events") return operation;
    return { ...operation, src: [], dst: [], type: [], time: [], valid_to: [], key: [], props: [], row_kind: [] };
  }

  private appendBlock(operation: LoggedOperation | undefined, block: EventBlock): void {
    if (operation?.op !== "ingest_events") {
      throw new PalimpsestError("E_LOG_CORRUPT", "a block stands behind no bulk operation");
    }
    for (const uid of block.newUids) {
      if (uid === "") this.uids.push(undefined);
      else this.number(uid);
    }
    const append = (column: string, value: unknown) => (operation[column] as unknown[]).push(value);
    for (const row of block.rows) {
      const isEvent = row.kind === "event";
      append("src", isEvent ? this.uidOf(row.src) : null);
      append("dst", isEvent ? this.uidOf(row.dst) : null);
      append("type", row.type);
      append("time", row.validFrom);
      append("valid_to", row.validTo);
      append("key", row.key);
      append("props", row.props);
      append("row_kind", row.kind);
    }
  }

  private uidOf(number: number): string {
    const uid = this.uids[number];
    if (uid !== undefined) return uid;
    throw new PalimpsestError("E_LOG_CORRUPT", `a block names node ${number}, which nothing before it named`);
  }

  private skip(item: ReplayItem & { kind: "erased" }): LoggedOperation {
    const uids = Array.from({ length: item.nodeNumbers }, (): string | undefined => undefined);
    for (const { place, uid } of item.keptUids) uids[place] = uid;
    for (const uid of uids) {
      if (uid === undefined) this.uids.push(undefined);
      else this.number(uid);
    }
    return { op: "skip_numbers", edge_numbers: item.edgeNumbers };
  }
}

/** The receipt of an erasure: its length in four bytes, four more, then canonical JSON. */
function readReceipt(content: Uint8Array): { firstTx: number; spentKeys: readonly number[] } {
  const length = new DataView(content.buffer, content.byteOffset, content.byteLength).getUint32(0, true);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(content.subarray(8, 8 + length));
  const { first_tx, spent_keys } = JSON.parse(text) as { first_tx: number; spent_keys: number[] };
  return { firstTx: first_tx, spentKeys: spent_keys };
}
