// MATCH bodies, patterns, labels and quantifiers in their canonical spelling.
import type {
  Chain,
  EdgePattern,
  Expr,
  GroupPattern,
  Labels,
  MatchClause,
  NodePattern,
  Pattern,
  PatternBody,
  Quantifier,
  Search,
  TimeMode,
} from "../ast.js";
import { printExpr, printMap, printSpan } from "./expressions.js";
import { printAnyName, printCount, printName } from "./names.js";
import { printTimes } from "./times.js";

export const printClauses = (clauses: readonly MatchClause[]): string =>
  clauses.map((clause) => `${clause.optional ? "OPTIONAL " : ""}MATCH ${printBody(clause)}`).join(" ");

export function printBody(body: PatternBody): string {
  const repeats = body.repeatElements ? "REPEATABLE ELEMENTS " : "";
  const where = body.where === null ? "" : ` WHERE ${printExpr(body.where)}`;
  return `${repeats}${body.patterns.map(printPattern).join(", ")}${printTimes(body.times)}${where}`;
}

function printPattern({ variable, search, mode, time, chain }: Pattern): string {
  const parts = [
    variable === null ? "" : `${printName(variable)} =`,
    search === null ? "" : printSearch(search),
    mode === null ? "" : mode.toUpperCase(),
    time === null ? "" : printTimeMode(time),
    printChain(chain),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function printSearch({ kind, all, count }: Search): string {
  if (kind === "any") return "ANY";
  const words = kind.toUpperCase().replace("_", " ");
  if (count !== null) return `${words} ${printCount(count)}`;
  if (kind !== "shortest" && kind !== "cheapest") return words;
  return `${all ? "ALL" : "ANY"} ${words}`;
}

function printTimeMode({ kind, ties, maxWait, within, arrival }: TimeMode): string {
  if (kind === "co_valid") return "CO_VALID";
  const options = [
    ties === null ? "" : `TIES ${ties.toUpperCase().replace("_", " ")}`,
    maxWait === null ? "" : `MAX WAIT ${printSpan(maxWait)}`,
    within === null ? "" : `WITHIN ${printSpan(within)}`,
    arrival === null ? "" : `ARRIVAL ${arrival.toUpperCase()}`,
  ].filter((option) => option !== "");
  return options.length === 0 ? "TIME_RESPECTING" : `TIME_RESPECTING (${options.join(", ")})`;
}

export function printChain({ nodes, links }: Chain): string {
  const parts = [printNode(nodes[0]!)];
  for (const [i, link] of links.entries()) {
    // A group is set off from the nodes beside it by blanks, an edge is not.
    const blank = link.kind === "group" ? " " : "";
    parts.push(blank, link.kind === "group" ? printGroup(link) : printEdge(link), blank, printNode(nodes[i + 1]!));
  }
  return parts.join("");
}

type Content = Pick<EdgePattern, "variable" | "labels" | "in" | "map" | "where" | "cost">;

function printContent({ variable, labels, in: members, map, where, cost }: Content): string {
  const head = `${variable === null ? "" : printName(variable)}${labels === null ? "" : `:${printLabels(labels)}`}`;
  const parts = [
    head,
    members === null ? "" : `IN ${printName(members)}`,
    map === null ? "" : printMap(map),
    where === null ? "" : `WHERE ${printExpr(where)}`,
  ].filter((part) => part !== "");
  if (cost !== null) parts.push(`COST ${parts.length === 0 ? printLoneCost(cost) : printExpr(cost)}`);
  return parts.join(" ");
}

/** `[COST {…}]` and `[COST COST …]` would be an edge named COST. */
function printLoneCost(cost: Expr): string {
  const text = printExpr(cost);
  return /^(?:\{|cost\b)/i.test(text) ? `(${text})` : text;
}

const printNode = (node: NodePattern): string => `(${printContent({ ...node, cost: null })})`;

function printEdge(edge: EdgePattern): string {
  const content = printContent(edge);
  const body = content === "" ? "-" : `-[${content}]-`;
  const quantifier = edge.quantifier === null ? "" : printQuantifier(edge.quantifier);
  return `${edge.direction === "in" ? "<" : ""}${body}${edge.direction === "out" ? ">" : ""}${quantifier}`;
}

function printGroup({ chain, where, quantifier }: GroupPattern): string {
  return `(${printChain(chain)}${where === null ? "" : ` WHERE ${printExpr(where)}`})${printQuantifier(quantifier)}`;
}

function printQuantifier({ min, max }: Quantifier): string {
  if (max === null) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** `|` binds less than `&`, and both less than `!`. */
export function printLabels(labels: Labels): string {
  switch (labels.kind) {
    case "label":
      return printAnyName(labels.name);
    case "not":
      return `!${inside(labels.of, labels.of.kind === "and" || labels.of.kind === "or")}`;
    case "and":
      return labels.of.map((part) => inside(part, part.kind !== "label" && part.kind !== "not")).join("&");
    case "or":
      return labels.of.map((part) => inside(part, part.kind === "or")).join("|");
  }
}
const inside = (labels: Labels, inParentheses: boolean): string =>
  inParentheses ? `(${printLabels(labels)})` : printLabels(labels);
