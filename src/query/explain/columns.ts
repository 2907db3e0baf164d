// The columns of EXPLAIN in each of its modes, which do not depend on what is explained.
import type { ExplainMode } from "../../../grammar/ast.js";
import type { AnswerColumn } from "../statements/answer.js";

const text = (name: string): AnswerColumn => ({ name, type: "string" });
const int = (name: string): AnswerColumn => ({ name, type: "int" });
const PLAN = [text("step"), text("operator"), text("arguments"), text("remark")];

export const EXPLAIN_COLUMNS: Readonly<Record<ExplainMode, readonly AnswerColumn[]>> = {
  plan: PLAN,
  estimate: [...PLAN, int("rows"), int("steps")],
  analyze: [...PLAN, int("rows"), { name: "ms", type: "double" }],
  verify: [text("engine"), int("rows"), text("result_digest"), { name: "equal", type: "bool" }],
};

/** Those beside the plan's own. */
export const FIGURES: Readonly<Record<ExplainMode, readonly string[]>> = {
  plan: [],
  estimate: ["rows", "steps"],
  analyze: ["rows", "ms"],
  verify: [],
};
