// Label expressions: what of one a scan can take as names and filter, and what is left as a condition on the rows.
import type { Expr, Labels, Name } from "../../../grammar/ast.js";
import type { Compiler } from "./compiler.js";
import { unknownName } from "./problem.js";
import { compare, func, text } from "./syntax.js";

interface LabelParts {
  /** Any of these; null: no restriction. */
  readonly any: readonly string[] | null;
  /** All of these too. */
  readonly all: readonly string[];
  /** What only the rows can tell. */
  readonly rest: readonly Labels[];
}

export const NO_LABELS: LabelParts = { any: null, all: [], rest: [] };

/** Any of the names, where the expression is a name or an alternative of names. */
function alternatives(labels: Labels): readonly string[] | null {
  if (labels.kind === "label") return [labels.name.text];
  if (labels.kind !== "or") return null;
  const of = labels.of.map(alternatives);
  return of.includes(null) ? null : [...new Set((of as string[][]).flat())];
}

export function labelParts(labels: Labels | null): LabelParts {
  if (labels === null) return NO_LABELS;
  let any: readonly string[] | null = null;
  const all: string[] = [];
  const rest: Labels[] = [];
  for (const part of labels.kind === "and" ? labels.of : [labels]) {
    const names = alternatives(part);
    if (names === null) rest.push(part);
    else if (any === null) any = names;
    else if (names.length === 1) all.push(names[0]!);
    else rest.push(part);
  }
  return { any, all, rest };
}

/** The names in an expression, each where it stands. */
export function labelNames(labels: Labels | null): Name[] {
  if (labels === null) return [];
  if (labels.kind === "label") return [labels.name];
  return labels.kind === "not" ? labelNames(labels.of) : labels.of.flatMap(labelNames);
}

/** Refuses names that were never seen in the store; says where one is only known after the pin. */
export function checkNames(compiler: Compiler, labels: Labels | null, of: "labels" | "types", tx: number): void {
  const { catalogue } = compiler.context;
  const head = catalogue.head();
  const known = head.names(of);
  const atPin = tx === head.tx ? known : catalogue.at(tx).names(of);
  for (const name of labelNames(labels)) {
    if (atPin.has(name.text)) continue;
    if (!known.has(name.text)) {
      const what = of === "labels" ? "label" : "type";
      const show = of === "labels" ? "SHOW LABELS" : "SHOW TYPES";
      unknownName(name, `there is no ${what} ${JSON.stringify(name.text)}`, name.text, known, show);
    }
    compiler.times.say("W_NOT_YET", `${name.text} is only known after the pin`);
  }
}

/** The expression as a condition on labels (a column of JSON) or on a type. */
export function labelCondition(labels: Labels, column: Expr, of: "labels" | "types"): Expr {
  switch (labels.kind) {
    case "label": {
      if (of === "types") return compare("=", column, text(labels.name.text));
      const list: Expr = { kind: "cast", try: false, of: column, type: { text: "STRING" }, list: true };
      return func("LIST_CONTAINS", [list, text(labels.name.text)]);
    }
    case "not":
      return { kind: "unary", op: "not", of: labelCondition(labels.of, column, of) };
    default:
      return { kind: "logical", op: labels.kind, of: labels.of.map((part) => labelCondition(part, column, of)) };
  }
}
