// EXPLAIN put before a statement, for `.explain` and `.plan`; statements without a plan are left alone.
import type { ExplainMode } from "./settings.js";

const HAS_PLAN = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:\(|(?:SELECT|MATCH|OPTIONAL|WITH|CALL|INSERT|SETTING)\b)/i;

export function explainPrefix(statement: string, mode: ExplainMode): string | null {
  if (!HAS_PLAN.test(statement)) return null;
  return mode === "plan" ? "EXPLAIN " : `EXPLAIN ${mode.toUpperCase()} `;
}
