// What dot commands change: how answers are shown, and what is shown before them.
import type { AnswerFormat } from "../formats/names.js";

export const EXPLAIN_MODES = ["plan", "estimate", "analyze", "verify"] as const;
export type ExplainMode = (typeof EXPLAIN_MODES)[number];

export interface ReplSettings {
  format: AnswerFormat;
  /** Null: that of the terminal. */
  width: number | null;
  timer: boolean;
  pager: boolean;
  /** Shown before each statement that has a plan. */
  explain: ExplainMode | null;
}

export const initialSettings = (): ReplSettings => ({
  format: "table",
  width: null,
  timer: true,
  pager: true,
  explain: null,
});
