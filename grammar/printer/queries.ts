// Queries in their canonical spelling: one line, aliases after the time.
import type { Alias, CommonTable, Grouping, Invocation, Item, Join, Query, QueryBody, Source, Table } from "../ast.js";
import { printExpr, printPoint, printSorts, printWindow } from "./expressions.js";
import { printAnyName, printCount, printName, printString } from "./names.js";
import { printClauses, printLabels } from "./patterns.js";
import { printTimes } from "./times.js";

export function printQuery(query: Query): string {
  const { orderBy, limit, withTies, offset } = query;
  return [
    printCommonTables(query.with),
    printBody(query.body),
    orderBy.length === 0 ? "" : ` ORDER BY ${printSorts(orderBy)}`,
    limit === null ? "" : ` LIMIT ${printCount(limit)}${withTies ? " WITH TIES" : ""}`,
    offset === null ? "" : ` OFFSET ${printCount(offset)}`,
  ].join("");
}

/** With a blank behind, or nothing. */
export function printCommonTables(tables: readonly CommonTable[]): string {
  if (tables.length === 0) return "";
  return `WITH ${tables.map(({ name, query }) => `${printName(name)} AS (${printQuery(query)})`).join(", ")} `;
}

function printBody(body: QueryBody): string {
  switch (body.kind) {
    case "query":
      return `(${printQuery(body)})`;
    case "set": {
      // INTERSECT binds first, the others go from left to right.
      const isUnder = (side: QueryBody, isRight: boolean): boolean =>
        side.kind === "set" &&
        (body.op === "intersect" ? isRight || side.op !== "intersect" : isRight && side.op !== "intersect");
      const shown = (side: QueryBody, isRight: boolean): string =>
        isUnder(side, isRight) ? `(${printBody(side)})` : printBody(side);
      const op = `${body.op.toUpperCase()}${body.all ? " ALL" : ""}`;
      return `${shown(body.left, false)} ${op} ${shown(body.right, true)}`;
    }
    case "select": {
      const from = body.from.length === 0 ? "" : ` FROM ${body.from.map(printSource).join(", ")}`;
      const where = body.where === null ? "" : ` WHERE ${printExpr(body.where)}`;
      return `SELECT ${body.distinct ? "DISTINCT " : ""}${printItems(body.items)}${from}${where}${printGrouping(body.grouping)}`;
    }
    case "call": {
      const yields =
        body.yields === null
          ? ""
          : ` YIELD ${body.yields === "*" ? "*" : body.yields.map(({ name, as }) => `${printAnyName(name)}${as === null ? "" : ` AS ${printName(as)}`}`).join(", ")}`;
      return `${printInvocation(body.call)}${yields}${body.where === null ? "" : ` WHERE ${printExpr(body.where)}`}`;
    }
    case "match":
      return `${printClauses(body.clauses)} RETURN ${body.distinct ? "DISTINCT " : ""}${printItems(body.items)}${printGrouping(body.grouping)}`;
  }
}

const printItems = (items: readonly Item[]): string => items.map(printItem).join(", ");
function printItem(item: Item): string {
  if (item.kind === "star") return "*";
  if (item.kind === "qualified_star") return `${printName(item.name)}.*`;
  return `${printExpr(item.expr)}${item.as === null ? "" : ` AS ${printName(item.as)}`}`;
}

/** With a blank before it, or nothing. */
function printGrouping({ groupBy, having, windows, qualify }: Grouping): string {
  const keys = groupBy === null ? "" : ` GROUP BY ${groupBy === "all" ? "ALL" : groupBy.map(printExpr).join(", ")}`;
  const named = windows.map(({ name, window }) => `${printName(name)} AS ${printWindow(window)}`);
  return [
    keys,
    having === null ? "" : ` HAVING ${printExpr(having)}`,
    named.length === 0 ? "" : ` WINDOW ${named.join(", ")}`,
    qualify === null ? "" : ` QUALIFY ${printExpr(qualify)}`,
  ].join("");
}

const JOINS: Readonly<Record<Join["how"], string>> = {
  cross: "CROSS JOIN",
  inner: "JOIN",
  left: "LEFT JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  semi: "SEMI JOIN",
  anti: "ANTI JOIN",
};

const printSource = ({ table, joins }: Source): string => [printTable(table), ...joins.map(printJoin)].join(" ");

function printJoin({ how, table, on, using }: Join): string {
  const condition =
    using === null ? (on === null ? "" : ` ON ${printExpr(on)}`) : ` USING (${using.map(printAnyName).join(", ")})`;
  return `${JOINS[how]} ${printTable(table)}${condition}`;
}

function printAlias(alias: Alias | null): string {
  if (alias === null) return "";
  const columns = alias.columns.length === 0 ? "" : `(${alias.columns.map(printName).join(", ")})`;
  return ` AS ${printName(alias.name)}${columns}`;
}

function printTable(table: Table): string {
  const alias = printAlias(table.alias);
  switch (table.kind) {
    case "base": {
      const labels = table.labels === null ? "" : printLabels(table.labels);
      return `${table.of.toUpperCase()}(${labels})${printTimes(table.times)}${alias}`;
    }
    case "versions": {
      const labels = table.labels === null ? "" : ` ${printLabels(table.labels)}`;
      return `VERSIONS(${table.of.toUpperCase()}${labels})${printTimes(table.times)}${alias}`;
    }
    case "commits":
      return `COMMITS()${printTimes(table.times)}${alias}`;
    case "buckets": {
      const zone = table.zone === null ? "" : ` ZONE ${printString(table.zone)}`;
      const [from, to, step] = [table.from, table.to, table.step].map(printPoint);
      return `BUCKETS(FROM ${from} TO ${to} STEP ${step}${zone})${alias}`;
    }
    case "unnest":
      return `UNNEST(${printExpr(table.expr)})${table.ordinality ? " WITH ORDINALITY" : ""}${alias}`;
    case "call_table":
      return `${printInvocation(table.call)}${alias}`;
    case "subquery":
      return `(${printQuery(table.query)})${alias}`;
    case "named": {
      const [first, ...rest] = table.path;
      return `${[printName(first!), ...rest.map(printAnyName)].join(".")}${alias}`;
    }
  }
}

function printInvocation({ name, args, times }: Invocation): string {
  const shown = args.map((arg) => `${printAnyName(arg.name)} => ${printExpr(arg.value)}`);
  return `CALL ${printName(name)}(${shown.join(", ")})${printTimes(times)}`;
}
