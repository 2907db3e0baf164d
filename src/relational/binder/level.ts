// The names of one SELECT: its sources and their columns, merged columns of USING, output names, and the SELECT around it.
// Resolving a name marks the column as used.
import type { Expr, Name } from "../../../grammar/ast.js";
import type { Bound, Source } from "../bound.js";
import { storedPeriod } from "../functions/time.js";
import { columnNode, constant } from "../nodes.js";
import { problem, unknownName } from "../problems.js";
import { INSTANT, INSTANT_OPEN, JSON_TYPE } from "../types.js";

const PERIODS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  valid_time: ["valid_from", "valid_to"],
  transaction_time: ["tx_from", "tx_to"],
};

export interface Found {
  readonly node: Bound;
  /** The column of the source's schema; null for what is made of several. */
  readonly column: string | null;
  /** The columns that a period is made of. */
  readonly ends?: readonly [string, string];
  readonly source: Source;
}

/** A table's column by its exact name, marked as used. */
function tableColumn(source: Source & { kind: "table" }, name: string): Found | undefined {
  const used = source.used.findIndex((column) => column.name === name);
  if (used >= 0) return { node: columnNode(source, used, source.used[used]!.type), column: name, source };
  const type = source.schema.columns.find((column) => column.name === name)?.type ?? source.schema.column?.(name);
  if (type === undefined || type === null) return undefined;
  source.used.push({ name, type });
  return { node: columnNode(source, source.used.length - 1, type), column: name, source };
}

/** The column that a name stands for: its own, a period made of two, or a property. */
export function columnOf(source: Source, name: string): Found | undefined {
  if (source.kind !== "table") {
    const i = source.columns.findIndex((column) => column.name === name);
    if (i >= 0) return { node: columnNode(source, i, source.columns[i]!.type), column: name, source };
    return periodOf(source, name);
  }
  const isListed = source.schema.columns.some((column) => column.name === name);
  if (isListed) return tableColumn(source, name);
  return periodOf(source, name) ?? tableColumn(source, name) ?? tableColumn(source, `props.${name}`);
}

function periodOf(source: Source, name: string): Found | undefined {
  const ends = Object.hasOwn(PERIODS, name) ? PERIODS[name]! : undefined;
  if (ends === undefined) return undefined;
  const [from, to] = ends.map((end) => endColumn(source, end));
  if (from === undefined || to === undefined) return undefined;
  const node = storedPeriod({ ...from, type: INSTANT }, { ...to, type: INSTANT_OPEN });
  return { node, column: null, ends, source };
}

function endColumn(source: Source, name: string): Bound | undefined {
  if (source.kind === "table") return tableColumn(source, name)?.node;
  const i = source.columns.findIndex((column) => column.name === name);
  return i < 0 ? undefined : columnNode(source, i, source.columns[i]!.type);
}

/** `x.props['key']`: a property, whatever else is named so; one that was never seen is NULL. */
export function propertyOf(source: Source, key: string): Found | undefined {
  if (source.kind !== "table") return undefined;
  const found = tableColumn(source, `props.${key}`);
  if (found !== undefined) return found;
  const isElement =
    source.schema.column !== undefined || source.schema.columns.some(({ name }) => name.startsWith("props."));
  const hasProps = source.schema.columns.some(({ name }) => name === "props");
  return isElement && !hasProps ? { node: constant(null, JSON_TYPE), column: null, source } : undefined;
}

export function namesOf(source: Source): string[] {
  if (source.kind !== "table") return source.columns.map(({ name }) => name);
  const listed = source.schema.columns.map(({ name }) => name.replace(/^props\./, ""));
  return [...listed, ...(source.schema.near ?? [])];
}

export class Level {
  readonly sources: Source[] = [];
  /** Sources that an outer join may leave without a row. */
  readonly optional = new Set<Source>();
  /** Columns that USING made one. */
  readonly merged = new Map<string, Bound>();
  /** What output names stand for, once the items are bound. */
  outputs: ReadonlyMap<string, Bound> = new Map();
  /** Columns of this level that a query inside of it read. */
  outerUses: Bound[] = [];

  constructor(readonly parent: Level | null) {}

  source(name: string): Source | undefined {
    return this.sources.find((source) => source.name === name);
  }

  /** A bare name among the columns of the sources; E_SCHEMA where two have it. */
  column(name: Name): Found | { readonly node: Bound } | undefined {
    const merged = this.merged.get(name.text);
    if (merged !== undefined) return { node: merged };
    const found = this.sources.map((source) => columnOf(source, name.text)).filter((each) => each !== undefined);
    if (found.length < 2) return found[0];
    const owners = found.map(({ source }) => source.name ?? "?");
    throw problem("ambiguous_name", `${name.text} is a column of ${owners.join(" and ")}`, name, {
      hint: `write ${owners[0]}.${name.text}`,
      near: owners.map((owner) => `${owner}.${name.text}`),
    });
  }
}

/** What a name that nothing has was perhaps meant for. */
export function unknownColumn(level: Level, name: Name, at: Expr): Error {
  if (name.quoted === true) {
    return problem("double_quoted", `there is no column ${JSON.stringify(name.text)}`, at, {
      hint: `strings take single quotes: '${name.text.replaceAll("'", "''")}'`,
    });
  }
  const names: string[] = [];
  for (let each: Level | null = level; each !== null; each = each.parent) {
    names.push(...each.outputs.keys());
    for (const source of each.sources) {
      names.push(...namesOf(source).map((column) => column));
      if (source.name !== null) names.push(source.name);
    }
  }
  return unknownName("there is no column", name.text, at, names);
}

export function unknownMember(source: Source, name: Name, at: Expr): Error {
  const shown =
    source.kind === "table" ? (source.schema.shown ?? source.name ?? "the table") : (source.name ?? "the table");
  return unknownName(`${shown} has no column`, name.text, at, namesOf(source));
}
