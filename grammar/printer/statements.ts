// Statements and writes in their canonical spelling.
import type { Assignment, ExplainMode, Insert, Portion, ShowStatement, Statement, Write } from "../ast.js";
import { printExpr, printMap, printPoint } from "./expressions.js";
import { printAnyName, printName, printString, printText } from "./names.js";
import { printChain, printClauses } from "./patterns.js";
import { printCommonTables, printQuery } from "./queries.js";
import { printDefaults, printTimes } from "./times.js";

export function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case "read":
      return `${printExplain(statement.explain)}${printSetting(statement.setting)}${printQuery(statement.query)}`;
    case "write": {
      const head = `${printExplain(statement.explain)}${printSetting(statement.setting)}${printCommonTables(statement.with)}`;
      return `${head}${printClauses(statement.clauses)} ${statement.writes.map(printWrite).join(" ")}`;
    }
    case "insert":
      return `${printExplain(statement.explain)}${printInsert(statement.insert)}`;
    case "show":
      return printShow(statement);
    case "set_defaults":
      return `SET ${printDefaults(statement.defaults)}`;
    case "set_zone":
      return `SET TIME ZONE ${printString(statement.zone)}`;
    case "reset_defaults":
      return "RESET DEFAULTS";
    case "begin":
      return statement.mode === "read_write" ? "BEGIN READ WRITE" : `BEGIN READ ONLY${printTimes(statement.times)}`;
    case "commit":
      return "COMMIT";
    case "rollback":
      return "ROLLBACK";
  }
}

function printExplain(mode: ExplainMode | null): string {
  if (mode === null) return "";
  return mode === "plan" ? "EXPLAIN " : `EXPLAIN ${mode.toUpperCase()} `;
}

const printSetting = (setting: Extract<Statement, { kind: "read" }>["setting"]): string =>
  setting.length === 0 ? "" : `SETTING ${printDefaults(setting)} `;

function printShow({ what, name, like }: ShowStatement): string {
  const of = name === null ? "" : `${what === "properties" ? " OF" : ""} ${printAnyName(name)}`;
  return `SHOW ${what.toUpperCase()}${of}${like === null ? "" : ` LIKE ${printString(like)}`}`;
}

const printBecause = (because: Portion["because"]): string =>
  because === null ? "" : ` BECAUSE ${printText(because)}`;

function printPortion({ period, correction, because }: Portion): string {
  const over = period === null ? "" : ` FOR PORTION OF VALID_TIME ${period === "all" ? "ALL" : printRange(period)}`;
  return `${over}${correction ? " AS CORRECTION" : ""}${printBecause(because)}`;
}

const printRange = ({ from, to }: Exclude<Portion["period"], "all" | null>): string =>
  `FROM ${printPoint(from)}${to === null ? "" : ` TO ${printPoint(to)}`}`;

function printAssignment(assignment: Assignment): string {
  const variable = printName(assignment.variable);
  switch (assignment.kind) {
    case "property":
      return `${variable}.${printAnyName(assignment.property)} = ${printExpr(assignment.value)}`;
    case "content":
      return `${variable} = ${printMap(assignment.map)}`;
    case "label":
      return `${variable}:${printAnyName(assignment.label)}`;
  }
}

function printWrite(write: Write): string {
  switch (write.kind) {
    case "set":
      return `SET ${write.assignments.map(printAssignment).join(", ")}${printPortion(write.portion)}`;
    case "remove": {
      const removals = write.removals.map(
        ({ variable, what, name }) => `${printName(variable)}${what === "property" ? "." : ":"}${printAnyName(name)}`,
      );
      return `REMOVE ${removals.join(", ")}${printPortion(write.portion)}`;
    }
    case "delete":
      return `${write.detach ? "DETACH " : ""}DELETE ${write.variables.map(printName).join(", ")}${printPortion(write.portion)}`;
    case "erase":
      return `ERASE ${write.variables.map(printName).join(", ")}${printBecause(write.because)}${write.dryRun ? " DRY RUN" : ""}`;
    case "insert_chains":
      return printInsert(write);
  }
}

function printInsert({ chains, time, because }: Insert): string {
  return `INSERT ${chains.map(printChain).join(", ")}${printInsertTime(time)}${printBecause(because)}`;
}

function printInsertTime(time: Insert["time"]): string {
  if (time === null) return "";
  if (time.kind === "all") return " FOR VALID_TIME ALL";
  return ` FOR VALID_TIME ${time.kind === "at" ? `AT ${printPoint(time.point)}` : printRange(time)}`;
}
