// What the command line needs of an open store that speaks TQL: statements in, answers out.
// An interface of its own, so that printers, scripts and the REPL are tried without an engine.
import type { JsonValue } from "../contract/values.js";
import type { AnswerColumn, AnswerRow, Table } from "./formats/answer.js";

export interface Pin {
  readonly tx: number;
  /** Null of a store without a commit. */
  readonly tx_time: string | null;
}

export interface Notice {
  readonly code: string;
  readonly message?: string;
}

/** The time that one source was read at. */
export interface ResolvedTime {
  readonly valid_time: JsonValue;
  readonly transaction_time: JsonValue;
  readonly pin: Pin | null;
}

/** What comes back of one statement; a statement that only changes the session has no columns. */
export interface Answer extends Table {
  readonly rows_total: number | null;
  readonly complete: boolean;
  readonly pin: Pin | null;
  readonly resolved: readonly ResolvedTime[];
  readonly notices: readonly Notice[];
  /** The plan as JSON; absent where none was run. */
  readonly plan?: unknown;
}

export type Parameters = Readonly<Record<string, JsonValue>>;

export interface StatementOptions {
  readonly params: Parameters;
  readonly signal: AbortSignal;
}

/** Rows as they come, for answers that are too long to hold. */
export interface RowStream {
  readonly columns: readonly AnswerColumn[];
  readonly rows: AsyncIterable<AnswerRow>;
}

export interface SessionState {
  /** The pin that SET, BEGIN or `.as-of` put in force, as the prompt shows it (`tx:812`); null for the latest. */
  readonly pin: string | null;
  readonly block: "read_only" | "read_write" | null;
}

export interface TqlSession {
  query(text: string, options: StatementOptions): Promise<Answer>;
  stream(text: string, options: StatementOptions): Promise<RowStream>;
  state(): SessionState;
}
