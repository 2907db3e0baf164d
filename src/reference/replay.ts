// A log, already read and checked, into a reference store: time and outcome are the log's, nothing is judged again.
// Keeps what the log leaves implicit, the node numbers, and decodes bulk rows with its own decoder.

import { PalimpsestError } from "../contract/errors.js";
import { decodeEventBlock, type EventBlock } from "./block-decoder.js";
import { parseExactJson } from "./exact-json.js";
import { ReferenceStore } from "./store.js";

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

type Operation = Record<string, unknown>;

export class ReferenceReplay {
  readonly store = new ReferenceStore();
  /** Uids by number; undefined where the number is spent. */
  private readonly uids: (string | undefined)[] = [];
  private readonly numbered = new Set<string>();

  /** Rejected batches gave their numbers back and changed nothing. */
  apply({ tx, txTimeUs, items }: ReplayCommit): void {
    if (tx === 0) return;
    const operations: Operation[] = [];
    let erasure: Operation | undefined;
    for (const item of items) {
      if (item.kind === "operation") operations.push(this.readOperation(item.content));
      else if (item.kind === "block") this.appendBlock(operations.at(-1), decodeEventBlock(item.content));
      else if (item.kind === "erased") operations.push(this.skip(item));
      else if (item.kind === "erasure") erasure ??= readReceipt(item.content);
    }
    const written =
      erasure === undefined
        ? this.store.replay(operations, txTimeUs)
        : this.store.noteErasure(
            { firstTx: erasure.first_tx as number, spentKeys: erasure.spent_keys as number[] },
            txTimeUs,
          );
    if (written.tx !== tx)
      throw new PalimpsestError("E_LOG_CORRUPT", `commit ${tx} stands in the place of ${written.tx}`);
  }

  private number(uid: string): void {
    if (this.numbered.has(uid)) return;
    this.numbered.add(uid);
    this.uids.push(uid);
  }

  private readOperation(content: Uint8Array): Operation {
    const operation = parseExactJson(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content),
    ) as Operation;
    if (operation.op === "assert_node") this.number(operation.uid as string);
    if (operation.op === "assert_edge") for (const end of [operation.src, operation.dst]) this.number(end as string);
    if (operation.op !== "ingest_events") return operation;
    return { ...operation, src: [], dst: [], type: [], time: [], valid_to: [], key: [], props: [], row_kind: [] };
  }

  private appendBlock(operation: Operation | undefined, block: EventBlock): void {
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

  private skip(item: ReplayItem & { kind: "erased" }): Operation {
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
function readReceipt(content: Uint8Array): Operation {
  const length = new DataView(content.buffer, content.byteOffset, content.byteLength).getUint32(0, true);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content.subarray(8, 8 + length))) as Operation;
}

/** The store that a whole log makes. */
export function replayCommits(commits: Iterable<ReplayCommit>): ReferenceStore {
  const replay = new ReferenceReplay();
  for (const commit of commits) replay.apply(commit);
  return replay.store;
}
