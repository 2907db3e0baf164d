// The parser of TQL, made of all rules at its first use.
import { createMachine, type Machine } from "./rule-writer.js";
import { defineExpressions } from "./rules/expressions.js";
import { defineFunctions } from "./rules/functions.js";
import { defineLabels } from "./rules/labels.js";
import { definePatterns } from "./rules/patterns.js";
import { definePrimaries } from "./rules/primaries.js";
import { defineQueries } from "./rules/queries.js";
import { defineStatements } from "./rules/statements.js";
import { type Rules, workshop } from "./rules/table.js";
import { defineTables } from "./rules/tables.js";
import { defineTimes } from "./rules/times.js";
import { defineWrites } from "./rules/writes.js";

export interface Parser {
  readonly machine: Machine;
  readonly rules: Rules;
}

let made: Parser | null = null;

export function parser(): Parser {
  if (made !== null) return made;
  let rules: Rules | null = null;
  const machine = createMachine((writer) => {
    const tools = workshop(writer);
    rules = tools.r;
    for (const define of [
      defineExpressions,
      definePrimaries,
      defineFunctions,
      defineTimes,
      defineTables,
      defineQueries,
      definePatterns,
      defineLabels,
      defineWrites,
      defineStatements,
    ]) {
      define(tools);
    }
  });
  made = { machine, rules: rules! };
  return made;
}
