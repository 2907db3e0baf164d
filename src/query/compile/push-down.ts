// Conditions go into the scans of the tables that they are about, scans show only columns that somebody reads, and the
// text is left with tables of earlier steps and the conditions that no scan can test.
import type { Expr, Join, Name, NamedTable, Query, Select, Source, Table } from "../../../grammar/ast.js";
import { printExpr } from "../../../grammar/index.js";
import type { JsonObject } from "../../contract/values.js";
import type { BoundQuery, TableSource } from "../../relational/index.js";
import type { Compiler } from "./compiler.js";
import { constantReader } from "./constant-reader.js";
import { bothWheres, type ColumnReader, whereOf } from "./filters.js";
import { plainJson } from "./parameter-types.js";
import { givenValue, isGiven } from "./parameters.js";
import { refuse } from "./problem.js";
import { isStored, type ScanSource, type StoredTable } from "./scan-source.js";
import { conjunction, member, nameOf } from "./syntax.js";
import { conjuncts, inner, type TreeNode, visit } from "./tree.js";

interface Pushed {
  readonly query: Query;
  /** Steps by the names that the text gives them. */
  readonly tables: ReadonlyMap<string, string>;
}

interface TextNames {
  /** A name for the table of a scan. */
  nameOf(table: StoredTable): string;
  /** The reference of the list that a query stands for. */
  listOf(expr: Expr): string | undefined;
}

/** What may be pushed into a table: conditions of WHERE, those of a join's ON, and where conditions on it can stay. */
interface Place {
  readonly inWhere: boolean;
  readonly on: Join | null;
  readonly stays: "where" | Join | null;
}

/** The tables of one SELECT, and what its joins let reach them. */
function placesOf(from: readonly Source[]): Map<Table, Place> {
  const places = new Map<Table, Place>();
  for (const { table, joins } of from) {
    const left: Table[] = [table];
    places.set(table, { inWhere: true, on: null, stays: "where" });
    for (const join of joins) {
      const { how } = join;
      const isPlain = how === "inner" || how === "cross";
      if (how === "right" || how === "full") {
        for (const each of left) places.set(each, { inWhere: false, on: null, stays: how === "right" ? join : null });
      }
      places.set(join.table, {
        inWhere: isPlain || how === "right",
        on: how === "full" || how === "right" ? null : join,
        stays: isPlain || how === "right" ? "where" : how === "full" ? null : join,
      });
      left.push(join.table);
    }
  }
  return places;
}

class PushDown {
  private readonly dropped = new Set<Expr>();
  private readonly wheres = new Map<Table, JsonObject>();
  private readonly kept = new Map<Table, Set<string>>();
  private readonly sources = new Map<Table, TableSource>();
  private readonly added = new Map<Select | Join, Expr[]>();
  private readonly aliases = new Map<Table, string>();
  readonly tables = new Map<string, string>();
  private keepsAll = false;

  constructor(
    private readonly bound: BoundQuery,
    private readonly scans: ReadonlyMap<Table, ScanSource>,
    private readonly compiler: Compiler,
    private readonly names: TextNames,
  ) {
    for (const source of bound.sources) {
      const table = source.origin as Table;
      const scan = scans.get(table);
      if (scan === undefined) continue;
      this.sources.set(table, source);
      this.wheres.set(table, scan.where);
      this.kept.set(table, new Set());
    }
  }

  query(query: Query): Query {
    visit(query, (node) => {
      if (node.kind === "select") this.select(node as unknown as Select);
      return true;
    });
    visit(query, (node) => this.read(node));
    const replace = (node: TreeNode): unknown => this.replacement(node, replace);
    return inner(query, replace);
  }

  private select(select: Select): void {
    const places = placesOf(select.from);
    for (const part of conjuncts(select.where)) {
      this.push(part, (table) => places.get(table)?.inWhere === true, "WHERE");
    }
    for (const { joins } of select.from) {
      for (const join of joins) {
        for (const part of conjuncts(join.on)) {
          this.push(part, (table) => places.get(table)?.on === join && join.table === table, "ON");
        }
      }
    }
    for (const [table, place] of places) {
      const scan = this.scans.get(table);
      if (scan === undefined || !isStored(table)) continue;
      const alias = table.alias?.name.text ?? this.aliasOf(table);
      const rest = scan.rest((column) => {
        this.kept.get(table)!.add(column);
        return member(alias, column);
      });
      if (rest.length === 0) continue;
      for (const condition of rest) this.compiler.residual.push({ source: alias, condition: printExpr(condition) });
      const at = place.stays === "where" ? select : place.stays;
      if (at === null) {
        refuse(
          "E_INVALID_ARG",
          "not_supported",
          table,
          "this label or period cannot stand on a side of FULL JOIN",
          "read the table in a subquery with the condition in its WHERE",
        );
      }
      this.added.set(at, [...(this.added.get(at) ?? []), ...rest]);
    }
  }

  /** A condition on one table that its scan can test is tested there, and nowhere else. */
  private push(condition: Expr, mayPush: (table: Table) => boolean, clause: string): void {
    let table: Table | undefined;
    let isOfOne = true;
    const column: ColumnReader = (expr) => {
      const found = this.bound.referenceOf(expr);
      if (found === undefined) return undefined;
      const origin = found.source.kind === "table" ? (found.source.origin as Table) : undefined;
      if (origin === undefined || !this.scans.has(origin)) return undefined;
      isOfOne = isOfOne && (table === undefined || table === origin);
      table = origin;
      return { name: found.column, type: this.bound.typeOf(expr)! };
    };
    const elements = new Set([...this.sources.keys()].map((each) => this.scans.get(each)!.element));
    for (const element of elements) {
      table = undefined;
      isOfOne = true;
      const where = whereOf(condition, element, column, this.constant);
      if (where === undefined || table === undefined || !isOfOne) continue;
      const origin: Table = table;
      if (this.scans.get(origin)!.element !== element || !mayPush(origin)) continue;
      const both = bothWheres(this.wheres.get(origin)!, where);
      if (both === undefined) continue;
      this.wheres.set(origin, both);
      this.dropped.add(condition);
      return;
    }
    if (this.aboutOne(condition) !== undefined) {
      this.compiler.residual.push({ source: clause, condition: printExpr(condition) });
    }
  }

  /** The one table of the store that a condition reads. */
  private aboutOne(condition: Expr): Table | undefined {
    const found = new Set<Table>();
    visit(condition, (node) => {
      const source = (this.bound.referenceOf(node as Expr) ?? this.bound.periodOf(node as Expr))?.source;
      if (source?.kind === "table" && this.scans.has(source.origin as Table)) found.add(source.origin as Table);
      return true;
    });
    return found.size === 1 ? [...found][0] : undefined;
  }

  private readonly constant = constantReader({
    list: (expr) => {
      const ref = this.names.listOf(expr);
      return ref === undefined ? undefined : { $ref: ref };
    },
    parameter: (expr) => {
      const { context } = this.compiler;
      return isGiven(expr.name, context) ? plainJson(givenValue(expr, context), expr) : undefined;
    },
  });

  // ------------------------------------------------------------ columns

  /** Notes the columns that are read outside of what was pushed. */
  private read(node: TreeNode): boolean {
    if (this.dropped.has(node as Expr)) return false;
    if (node.kind === "star" || node.kind === "qualified_star") this.keepsAll = true;
    if ("using" in node && node.using !== null) this.keepsAll = true;
    const found = this.bound.referenceOf(node as Expr);
    if (found?.source.kind === "table" && !this.isAbsent(node))
      this.kept.get(found.source.origin as Table)?.add(found.column);
    const period = this.bound.periodOf(node as Expr);
    if (period?.source.kind === "table") {
      for (const end of period.ends) this.kept.get(period.source.origin as Table)?.add(end);
    }
    return true;
  }

  /** A property that no row has at the pin: NULL, which needs no scan. */
  private isAbsent(node: TreeNode): boolean {
    const found = this.bound.referenceOf(node as Expr);
    if (found?.source.kind !== "table" || !found.column.startsWith("props.")) return false;
    if (!this.scans.has(found.source.origin as Table)) return false;
    return !found.source.schema.columns.some(({ name }) => name === found.column);
  }

  private columnsOf(table: Table): string[] {
    const { used, schema } = this.sources.get(table)!;
    const kept = this.kept.get(table)!;
    const names = used.map(({ name }) => name);
    // The binder reads them all where something rests on the order of rows; one alone is only a column.
    const identity = schema.identity ?? [];
    const isOrdered = identity.every((name) => names.includes(name));
    return schema.columns
      .map(({ name }) => name)
      .filter((name) => {
        if (kept.has(name)) return true;
        return names.includes(name) && (this.keepsAll || (isOrdered && identity.includes(name)));
      });
  }

  // ------------------------------------------------------------ the text that is left

  private aliasOf(table: StoredTable): string {
    let alias = this.aliases.get(table);
    if (alias === undefined) {
      alias = this.names.nameOf(table);
      this.aliases.set(table, alias);
    }
    return alias;
  }

  private replacement(node: TreeNode, replace: (node: TreeNode) => unknown): unknown {
    if (node.kind === "select") {
      const select = node as unknown as Select;
      const rest = [...this.left(select.where), ...(this.added.get(select) ?? [])];
      const from = select.from.map((source) => ({
        ...source,
        joins: source.joins.map((join) => ({ ...join, on: this.onOf(join) })),
      }));
      return inner({ ...select, from, where: conjunction(rest) }, replace);
    }
    if (this.isAbsent(node)) return { kind: "null" } as Expr;
    const table = node as unknown as Table;
    return isStored(table) && this.scans.has(table) ? this.named(table) : undefined;
  }

  private left(condition: Expr | null): readonly Expr[] {
    return conjuncts(condition).filter((part) => !this.dropped.has(part));
  }

  /** A join needs a condition, also where all of its own went into a scan. */
  private onOf(join: Join): Expr | null {
    if (join.on === null && !this.added.has(join)) return null;
    const left = conjunction([...this.left(join.on), ...(this.added.get(join) ?? [])]);
    return left ?? { kind: "boolean", value: true };
  }

  private named(table: StoredTable): NamedTable {
    const scan = this.scans.get(table)!;
    const where = this.wheres.get(table)!;
    const args = Object.keys(where).length === 0 ? scan.args : { ...scan.args, where };
    const step = this.compiler.steps.addScan(args, this.columnsOf(table));
    const name = this.aliasOf(table);
    this.tables.set(name, step);
    const alias = table.alias === null || table.alias.name.text === name ? null : table.alias;
    return { kind: "named", path: [nameOf(name) as Name], alias };
  }
}

export function pushDown(
  query: Query,
  bound: BoundQuery,
  scans: ReadonlyMap<Table, ScanSource>,
  compiler: Compiler,
  names: TextNames,
): Pushed {
  const push = new PushDown(bound, scans, compiler, names);
  const text = push.query(query);
  return { query: text, tables: push.tables };
}
