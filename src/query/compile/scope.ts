// The names that WITH gives to queries, and paths into their rows: `w.rows[0].x`, `w.rows[*].x`, `w.edges`.
// Knows how a path is written in a plan; what a query becomes is its asker's business.
import type { Expr, Name, Query } from "../../../grammar/ast.js";
import { INT, JSON_TYPE, listOf, type TqlType } from "../../relational/index.js";
import { type Placed, refuse, unknownName } from "./problem.js";
import type { Relation } from "./relation.js";

/** A WITH name. */
export interface Common {
  readonly name: Name;
  readonly query: Query;
  /** Where its own names are looked up. */
  readonly scope: Scope;
  /** Once it is a step. */
  relation: Relation | null;
}

export class Scope {
  constructor(
    private readonly parent: Scope | null,
    private readonly commons: ReadonlyMap<string, Common>,
  ) {}

  find(name: string): Common | undefined {
    return this.commons.get(name) ?? this.parent?.find(name);
  }
  names(): string[] {
    return [...this.commons.keys(), ...(this.parent?.names() ?? [])];
  }
  /** A scope with one name more. */
  with(common: Common): Scope {
    return new Scope(this, new Map([[common.name.text, common]]));
  }
}

export const NO_NAMES = new Scope(null, new Map());

type Key = string | number | "*";
export interface Path {
  readonly root: Name;
  readonly keys: readonly (Key | { readonly text: string })[];
}

/** Names and indexes behind a name; null for anything else. */
export function pathOf(expr: Expr): Path | null {
  const keys: (Key | { readonly text: string })[] = [];
  let at: Expr = expr;
  for (;;) {
    if (at.kind === "member") {
      keys.push({ text: at.name.text });
    } else if (at.kind === "index") {
      const { index } = at;
      if (index === "*") keys.push("*");
      else if (index.kind === "integer") keys.push(Number(index.value));
      else if (index.kind === "string") keys.push({ text: index.value });
      else return null;
    } else {
      break;
    }
    at = at.of;
  }
  return at.kind === "name" ? { root: at.name, keys: keys.reverse() } : null;
}

/** Paths of plans look for the longest name that fits, so that dots in it are met. */
const step = (text: string): string => `.${text}`;

export interface ResolvedPath {
  readonly ref: string;
  readonly type: TqlType;
}

/** The rows of a relation as a path of its plan. */
export const pathToRows = ({ table }: Relation): string => `${table}.rows`;

/** The reference of a path into the answer of a WITH step; `others`: names that could have stood in place of its first. */
export function resolvePath(
  path: Path,
  relation: Relation,
  node: Placed,
  others: readonly string[] = [],
): ResolvedPath {
  const [first, ...rest] = path.keys.map((key) => (typeof key === "object" ? key.text : key));
  const shown = path.root.text;
  if (first === undefined) return { ref: relation.table, type: JSON_TYPE };
  if (first === "rows") return resolveRow(rest, relation, node, shown);
  const tail = rest.map((key) => (typeof key === "number" ? `[${key}]` : key === "*" ? "[*]" : step(key))).join("");
  const type = typeof first === "string" ? relation.fields.get(first) : undefined;
  if (type !== undefined)
    return { ref: `${relation.table}${step(first as string)}${tail}`, type: rest.length === 0 ? type : JSON_TYPE };
  return unknownName(
    node,
    `${shown} has no field ${JSON.stringify(first)}`,
    String(first),
    ["rows", ...relation.fields.keys(), ...others],
    `its rows are ${shown}.rows[0].…`,
  );
}

function resolveRow(keys: readonly Key[], relation: Relation, node: Placed, shown: string): ResolvedPath {
  const [position, name, ...rest] = keys;
  if (typeof position !== "number" && position !== "*") {
    return refuse(
      "E_SCHEMA",
      "path",
      node,
      `${shown}.rows is a list`,
      `write ${shown}.rows[0].x for one value, ${shown}.rows[*].x for all`,
    );
  }
  if (typeof name !== "string" || name === "*" || rest.includes("*")) {
    return refuse(
      "E_SCHEMA",
      "path",
      node,
      `${shown}.rows[${position}] is a whole row`,
      `name a column: ${relation.columns.map((each) => each.name).join(", ")}`,
    );
  }
  const column = relation.columns.find((each) => each.name === name);
  if (column === undefined) {
    return unknownName(
      node,
      `${shown} has no column ${JSON.stringify(name)}`,
      name,
      relation.columns.map((each) => each.name),
      `its columns are ${relation.columns.map((each) => each.name).join(", ")}`,
    );
  }
  const tail = rest.map((key) => (typeof key === "number" ? `[${key}]` : step(key as string))).join("");
  const of = rest.length === 0 ? column.type : JSON_TYPE;
  const type = position === "*" ? listOf(of) : of;
  if (relation.kind === "fields") return { ref: `${relation.table}${step(column.from)}${tail}`, type };
  return { ref: `${pathToRows(relation)}[${position}]${step(column.from)}${tail}`, type };
}

/** Fields of every envelope that a path may name. */
export const ENVELOPE_FIELDS: ReadonlyMap<string, TqlType> = new Map([["rows_total", INT]]);
