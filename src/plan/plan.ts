// A plan: a small graph of operator calls and what of it is the answer. One form for programs, agents and compiled TQL.
// Types only; the published JSON Schema and the checks are beside this file.
import type { JsonObject } from "../contract/values.js";

/** The only key of its object; stands in place of any value or list element: `s1.rows[0].uid`, `s1.rows[*].uid`, `s1`. */
export interface Reference {
  readonly $ref: string;
}

export interface PlanStep {
  readonly id: string;
  readonly op: string;
  /** The operator's arguments, references in place of values. Without `limit` the step is read to its end. */
  readonly args?: JsonObject;
  /** May be left out: references say it. */
  readonly depends_on?: readonly string[];
  /** [offset, count], the part of the main list that is handed on; count null: to its end. */
  readonly slice?: readonly [number, number | null];
  /** "empty": a subject that is not known matches nothing, instead of E_NOT_FOUND. */
  readonly unknown?: "empty";
}

export type AnswerKind = "table" | "count" | "value" | "entity_set" | "interval" | "series" | "paths" | "ordering";

export interface AnswerColumn {
  /** A column of the rows, or a single field of the envelope. */
  readonly from: string;
  readonly as: string;
}
export interface PlanAnswer {
  readonly kind: AnswerKind;
  /** A step for a table, else a path such as `s2.rows_total`. */
  readonly from: string;
  /** Tables only; left out: all. */
  readonly columns?: readonly AnswerColumn[];
  /** Up to three further parts of the question. */
  readonly also?: readonly { readonly kind: AnswerKind; readonly from: string }[];
}

export interface Plan {
  readonly steps: readonly PlanStep[];
  readonly answer: PlanAnswer;
}

/** What the verifier found wrong. `path` is a JSON pointer into the plan. */
export interface Violation {
  readonly code: string;
  readonly kind: string;
  readonly step: string | null;
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}
