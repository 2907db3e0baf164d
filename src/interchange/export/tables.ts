// A store at a pin as two tables, `nodes` and `edges`, in pieces by columns: what every way out of a store is made of.
// Rows stand in the order of the store digest, so that equal stores give equal tables. Who writes them, and as what, is
// not known here.
import type { ColumnTable } from "../../columns/column.js";
import type { TypedName } from "../../columns/types.js";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { NativeCore, NativeView } from "../../native/store.js";
import { checkCancelled } from "../../operators/cancellation.js";
import { commitOfPin } from "../../operators/canonical-args.js";
import type { CallLimits } from "../../operators/engine.js";
import { type Belief, type VersionTable, versionTable } from "../../operators/native/version-table.js";
import { checkNames } from "../../store/option-checks.js";

/** What is needed of an open store. */
export interface TableSource {
  readonly core: Pick<NativeCore, "view" | "publishedTx">;
  resolveInstant(us: bigint, signal?: AbortSignal): Promise<{ readonly tx: number }>;
  /** Runs work that closing the store waits for. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface TablesOptions {
  /** `"tx:12"` or an instant; left out: the newest commit. */
  readonly pin?: string | undefined;
  /** All versions that were ever written, in place of those believed at the pin. */
  readonly history?: boolean | undefined;
  /** Rows of one piece, 65,536 unless said. */
  readonly rowsPerPiece?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Columns of edges are src, dst, type, key, valid_from, valid_to, tx_from, tx_to; of nodes uid, labels (a JSON list of
 * texts), and the same times. An open `valid_to` and a `tx_to` of what is believed still are OPEN_END_US. Then come source,
 * provenance_ref, reason, ended_by and ended_reason, each only where some row has it, and `props.NAME` of each property
 * by code points: int, double, bool or string where all its values are of that type, else json.
 */
export interface StoreTable {
  readonly name: "nodes" | "edges";
  readonly columns: readonly TypedName[];
  readonly rowCount: number;
  pieces(): AsyncGenerator<ColumnTable, void, undefined>;
}

export interface StoreTables {
  /** The commit that the tables are read at. */
  readonly tx: number;
  /** Null for the empty store. */
  readonly txTime: string | null;
  readonly nodes: StoreTable;
  readonly edges: StoreTable;
  /** Lets the state of the store go, after the last of the pieces that are being read. */
  close(): void;
}

const ROWS_PER_PIECE = 1 << 16;
const MOST_ROWS_PER_PIECE = 1 << 20;

function checkOptions(options: TablesOptions): void {
  const refuse = (what: string): never => {
    throw new PalimpsestError("E_INVALID_ARG", what, { hint: "see TablesOptions" });
  };
  if (typeof options !== "object" || options === null) refuse("options are an object");
  checkNames(options, ["pin", "history", "rowsPerPiece", "signal"], "option");
  const { pin, history, rowsPerPiece, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse("signal is an AbortSignal");
  if (pin !== undefined && typeof pin !== "string") refuse('pin is a text, such as "tx:12" or an instant');
  if (history !== undefined && typeof history !== "boolean") refuse("history is true or false");
  const isCount = Number.isInteger(rowsPerPiece) && rowsPerPiece! > 0 && rowsPerPiece! <= MOST_ROWS_PER_PIECE;
  if (rowsPerPiece !== undefined && !isCount) refuse(`rowsPerPiece is a whole number from 1 to ${MOST_ROWS_PER_PIECE}`);
}

async function commitAt(source: TableSource, { pin, signal }: TablesOptions): Promise<number> {
  const latest = source.core.publishedTx;
  if (pin === undefined) return latest;
  const commit = commitOfPin(pin);
  if (commit === undefined) return (await source.resolveInstant(parseInstant(pin, "pin"), signal)).tx;
  if (commit <= BigInt(latest)) return Number(commit);
  throw new PalimpsestError("E_TX_UNKNOWN", `pin: commit ${pin} does not exist yet`, {
    details: { path: "pin", latest },
    hint: `the latest is tx:${latest}`,
  });
}

/** Counts who reads a view, and lets it go when it was closed and nobody reads. */
class Held {
  private readers = 0;
  private isClosed = false;

  constructor(readonly view: NativeView) {}

  async *reading<T>(rows: () => AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    if (this.isClosed) throw new PalimpsestError("E_CLOSED", "the tables were closed", { hint: "ask for them again" });
    this.readers += 1;
    try {
      yield* rows();
    } finally {
      this.readers -= 1;
      if (this.isClosed && this.readers === 0) this.view.release();
    }
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.readers === 0) this.view.release();
  }
}

/** Opens the tables of a store; they must be closed. E_TX_UNKNOWN for a commit that does not exist yet. */
export async function storeTables(source: TableSource, options: TablesOptions = {}): Promise<StoreTables> {
  readGiven("options", "the options", () => checkOptions(options));
  const { signal, rowsPerPiece = ROWS_PER_PIECE } = options;
  const belief: Belief = options.history === true ? "ever" : "now";
  const limits: CallLimits = {
    signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    stepCeiling: Number.POSITIVE_INFINITY,
  };
  return source.during(async () => {
    const tx = await commitAt(source, options);
    const held = new Held(source.core.view(tx));
    const tableOf = (name: StoreTable["name"], { columns, rowCount, pieces }: VersionTable): StoreTable => ({
      name,
      columns,
      rowCount,
      pieces: () => held.reading(() => pieces(rowsPerPiece)),
    });
    try {
      checkCancelled(signal, Number.POSITIVE_INFINITY);
      const nodes = await versionTable(held.view, { kind: "node", belief, limits });
      const edges = await versionTable(held.view, { kind: "edge", belief, limits });
      const time = held.view.commit(tx).txTime;
      return {
        tx,
        txTime: time === null ? null : formatInstant(time),
        nodes: tableOf("nodes", nodes),
        edges: tableOf("edges", edges),
        close: () => held.close(),
      };
    } catch (error) {
      held.close();
      throw error;
    }
  });
}
