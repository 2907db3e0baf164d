// Time clauses in their canonical spelling.
import type { Default, Period, TimeClause } from "../ast.js";
import { printPoint } from "./expressions.js";
import { printCount } from "./names.js";

export function printPeriod(period: Period): string {
  switch (period.kind) {
    case "as_of":
      return `AS OF ${printPoint(period.point)}`;
    case "as_of_tx":
      return `AS OF TX ${printCount(period.tx)}`;
    case "as_of_latest":
      return "AS OF LATEST";
    case "from_to":
      return `${period.only ? "ONLY " : ""}FROM ${printPoint(period.from)} TO ${printPoint(period.to)}`;
    case "between":
      return `BETWEEN ${printPoint(period.from)} AND ${printPoint(period.to)}`;
    case "contained_in":
      return `CONTAINED IN (${printPoint(period.from)}, ${printPoint(period.to)})`;
    case "all":
      return "ALL";
  }
}

/** With a blank before each. */
export const printTimes = (times: readonly TimeClause[]): string =>
  times.map(({ axis, period }) => ` FOR ${axis.toUpperCase()} ${printPeriod(period)}`).join("");

export const printDefaults = (defaults: readonly Default[]): string =>
  defaults.map(({ axis, period }) => `DEFAULT ${axis.toUpperCase()} ${printPeriod(period)}`).join(", ");
