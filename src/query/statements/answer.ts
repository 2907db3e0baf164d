// The answer of a statement, whatever its kind: columns, rows, and what is to be known of them.
// Types only; each kind of statement has the file that fills it in.
import type { EnvelopePin } from "../../contract/envelope.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Plan } from "../../plan/plan.js";

export interface AnswerColumn {
  readonly name: string;
  /** `bool`, `string`, `int`, `double`, `instant`, `instant_open`, `duration`, `period`, `json`, `list(…)`, `null`; of a
   * prepared statement `unknown`, too: the type of a parameter. */
  readonly type: string;
}

/** One row, in the order of the columns. An integer that a number cannot hold is a bigint; instants are texts. */
export type AnswerRow = JsonObject;

export interface AnswerNotice {
  /** `W_…` */
  readonly code: string;
  readonly message: string;
}

/** The time that one source of a statement was read at. */
export interface ResolvedTime {
  readonly source: string;
  readonly valid_time: JsonValue;
  readonly transaction_time: JsonValue;
  readonly pin: EnvelopePin | null;
  readonly zone: string;
  readonly now: string;
}

export type StatementKind = "read" | "write" | "explain" | "show" | "session";

/** What is known of a statement before its rows are there. */
export interface AnswerHead {
  readonly kind: StatementKind;
  readonly columns: readonly AnswerColumn[];
  readonly notices: readonly AnswerNotice[];
}

export interface Answer<Row = AnswerRow> extends AnswerHead {
  readonly rows: readonly Row[];
  readonly rows_total: number;
  readonly complete: boolean;
  readonly incomplete: readonly string[];
  /** Null where nothing was read, or at more than one pin. */
  readonly pin: EnvelopePin | null;
  readonly resolved: readonly ResolvedTime[];
  /** Erasures since that touched what was read. */
  readonly erased: number;
  /** Null where no plan was run. */
  readonly plan: Plan | null;
  readonly plan_digest: string | null;
  readonly result_digest: string | null;
}

/** Of a write: the commit (the last one, of erasures), null where nothing matched. Stands in `rows`, too. */
export interface WriteAnswer extends Answer {
  readonly tx: number | null;
  readonly tx_time: string | null;
  /** Operations in the batch, and the different identities that they name. */
  readonly operations: number;
  readonly identities: number;
}

export interface ExplainAnswer extends Answer {
  /** The statement in canonical form. */
  readonly tql: string;
}

const NOTHING_READ = {
  complete: true,
  incomplete: [],
  pin: null,
  resolved: [],
  erased: 0,
  plan: null,
  plan_digest: null,
  result_digest: null,
  notices: [],
} as const satisfies Partial<Answer>;

/** The answer of a statement whose rows are made here, and not by a plan. */
export function tableAnswer(
  kind: StatementKind,
  columns: readonly AnswerColumn[],
  rows: readonly AnswerRow[],
  more: Partial<Answer> = {},
): Answer {
  return { ...NOTHING_READ, kind, columns, rows, rows_total: rows.length, ...more };
}

/** Of statements that change a session and say nothing. */
export const emptyAnswer = (): Answer => tableAnswer("session", [], []);
