// A query of SELECTs becomes scans and one `select`, whose text names only tables of earlier steps.
// What else stands in FROM, and WITH names that must be steps, are compiled first; then names are bound, and pushed down.
import type { Alias, CommonTable, Expr, NamedTable, Query, QueryBody, Select, Table } from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import {
  type Scope as BindingScope,
  bindQuery,
  JSON_TYPE,
  type ParameterValue,
  type TableSchema,
} from "../../relational/index.js";
import { type Aggregated, aggregated } from "./aggregate/aggregate.js";
import type { Onward } from "./aggregate/onward.js";
import { scanOf } from "./base-tables.js";
import type { Compiler } from "./compiler.js";
import { constantForm, dependsOnZone } from "./constants.js";
import { zoneInForce } from "./context.js";
import { parameterValue, plainJson } from "./parameter-types.js";
import { givenValue, instantForm, instantLiteral, isGiven } from "./parameters.js";
import { unknownName } from "./problem.js";
import { pushDown } from "./push-down.js";
import type { Relation, RelationColumn } from "./relation.js";
import { castColumn } from "./relation.js";
import { isStored, type ScanSource, type StoredTable } from "./scan-source.js";
import { type Common, ENVELOPE_FIELDS, pathOf, type Scope } from "./scope.js";
import { judgeTables, textOf } from "./statement-size.js";
import { member, nameOf, queryOver, selectOf } from "./syntax.js";
import { inner, replaced, type TreeNode, visit } from "./tree.js";

/** Base tables whose scans are known already, as those that a pattern makes. */
type KnownScans = ReadonlyMap<Table, ScanSource>;

export class SelectCompiler {
  /** Tables of earlier steps, by the names that the text gives them. */
  private readonly tables = new Map<string, Relation>();
  private readonly scans = new Map<Table, ScanSource>();
  private readonly parameters = new Map<string, { readonly typed: ParameterValue; readonly json: JsonValue }>();
  private readonly commons = new Map<Common, string>();
  private readonly common: CommonTable[] = [];
  private readonly onward = new Map<Common, Onward>();
  private readonly names = new Set<string>();
  /** Queries that stand for a list of an earlier step, and its reference. */
  private readonly cohorts = new Map<Expr, string>();

  constructor(
    private readonly compiler: Compiler,
    known: KnownScans = new Map(),
  ) {
    for (const [table, scan] of known) this.scans.set(table, scan);
  }

  compile(query: Query, scope: Scope): Relation {
    visit(query, (node) => {
      const alias = (node as { readonly alias?: Alias | null }).alias;
      if (alias != null) this.names.add(alias.name.text);
      return true;
    });
    const own = this.prepared(query, scope);
    const prepared: Query = { ...own, with: this.common };
    const bound = bindQuery(prepared, this.bindingScope());
    const pushed = pushDown(prepared, bound, this.scans, this.compiler, {
      nameOf: (table) => this.scanName(table),
      listOf: (expr) => this.cohorts.get(expr),
    });
    const tables: JsonObject = {};
    const read = namesRead(pushed.query);
    for (const [name, { table }] of this.tables) if (read.has(name)) tables[name] = { $ref: table };
    for (const [name, step] of pushed.tables) tables[name] = { $ref: step };
    judgeTables(Object.keys(tables).length, query);
    const text = textOf(pushed.query, (value) => this.constantName(value));
    const args: JsonObject = { query: text, tables };
    if (this.parameters.size > 0) {
      args.params = Object.fromEntries([...this.parameters].map(([name, { json }]) => [name, json]));
    }
    const zone = zoneInForce(this.compiler.context);
    if (zone !== "UTC" && dependsOnZone(pushed.query)) args.zone = zone;
    const step = this.compiler.steps.add("select", args);
    const columns = bound.columns.map(({ name, type }) => ({ name, from: name, type }));
    return { table: step, kind: "rows", columns, fields: ENVELOPE_FIELDS, lists: new Map() };
  }

  // ------------------------------------------------------------ what stands in FROM

  /** The same query over tables that the binder knows; its WITH names are looked up in the scope. */
  private prepared(query: Query, outer: Scope): Query {
    const scope = this.compiler.withNames(query, outer);
    const replace = (node: TreeNode): unknown => this.replacement(node, scope);
    const body = this.body(query.body, scope, replace);
    const copy = inner({ ...query, with: [], body: EMPTY as unknown as QueryBody }, replace);
    return { ...copy, body };
  }

  /** A CALL or MATCH as part of a set operation, and a SELECT there that is an operator of its own, become tables. */
  private body(body: QueryBody, scope: Scope, replace: (node: TreeNode) => unknown): QueryBody {
    switch (body.kind) {
      case "select":
        return inner(body, replace);
      case "query":
        return this.prepared(body, scope);
      case "set":
        return {
          ...body,
          left: this.operand(body.left, scope, replace),
          right: this.operand(body.right, scope, replace),
        };
      default:
        return this.allOf(this.compiler.queryOf(body, scope));
    }
  }

  private operand(body: QueryBody, scope: Scope, replace: (node: TreeNode) => unknown): QueryBody {
    if (body.kind !== "select") return this.body(body, scope, replace);
    const found = aggregated(queryOver(body), scope, this.compiler);
    if (found === undefined) return this.body(body, scope, replace);
    return "relation" in found
      ? this.allOf(found.relation)
      : this.prepared(found.onward.query, found.onward.scope).body;
  }

  private replacement(node: TreeNode, scope: Scope): unknown {
    const { compiler } = this;
    switch (node.kind) {
      case "base":
      case "versions":
      case "commits":
      case "buckets":
        return node;
      case "named":
        return this.named(node as NamedTable, scope);
      case "call_table": {
        const { call, alias } = node as Extract<Table, { kind: "call_table" }>;
        const relation = compiler.queryOf({ kind: "call", call, yields: null, where: null }, scope);
        return this.tableOf(relation, alias ?? { name: call.name, columns: [] });
      }
      case "subquery": {
        const { query, alias } = node as Extract<Table, { kind: "subquery" }>;
        const found = this.ownStep(query, scope);
        if (found !== undefined && "relation" in found) return this.tableOf(found.relation, alias);
        const onward = found?.onward ?? { query, scope };
        return { ...(node as Table), query: this.prepared(onward.query, onward.scope) };
      }
      case "query":
        return this.prepared(node as Query, scope);
      case "parameter":
        return this.parameter(node as Extract<Expr, { kind: "parameter" }>);
      case "name":
        return undefined;
      case "in":
        return this.cohort(node as Extract<Expr, { kind: "in" }>, scope);
      case "member":
      case "index":
        return this.path(node as Expr, scope);
      default:
        return constantForm(node as Expr, compiler);
    }
  }

  /** A query that is one operator of its own, or whose head is none of SQL. */
  private ownStep(query: Query, scope: Scope): Aggregated | undefined {
    const { kind } = query.body;
    if (kind === "call" || kind === "match") return { relation: this.compiler.query(query, scope) };
    return aggregated(query, scope, this.compiler);
  }

  private named(table: NamedTable, scope: Scope): unknown {
    const [first, list, ...more] = table.path;
    const common = scope.find(first!.text);
    if (common === undefined) {
      if (scope.names().length === 0) return undefined;
      unknownName(first!, `there is no table ${first!.text}`, first!.text, scope.names());
    }
    const alias = table.alias ?? { name: table.path.at(-1)!, columns: [] };
    if (list !== undefined) {
      const relation = this.compiler.relationOf(common);
      const columns = more.length === 0 ? relation.lists.get(list.text) : undefined;
      if (columns === undefined) {
        unknownName(list, `${first!.text} has no list ${list.text}`, list.text, relation.lists.keys());
      }
      return this.tableOf({ ...relation, table: `${relation.table}.${list.text}`, kind: "rows", columns }, alias);
    }
    if (common.relation === null && !this.inlines(common)) this.compiler.relationOf(common);
    if (common.relation !== null) return this.tableOf(common.relation, alias);
    return { ...table, path: [nameOf(this.inlined(common))], alias };
  }

  /** Plain SELECTs stay in the text; what is an operator of its own becomes a step. */
  private inlines(common: Common): boolean {
    if (this.commons.has(common)) return true;
    const found = this.ownStep(common.query, common.scope);
    if (found !== undefined && "relation" in found) common.relation = found.relation;
    else this.onward.set(common, found?.onward ?? { query: common.query, scope: common.scope });
    return common.relation === null;
  }

  private inlined(common: Common): string {
    let name = this.commons.get(common);
    if (name === undefined) {
      name = this.unused(common.name.text, false);
      this.commons.set(common, name);
      const onward = this.onward.get(common)!;
      const query = this.prepared(onward.query, onward.scope);
      this.common.push({ name: nameOf(name), query });
    }
    return name;
  }

  // ------------------------------------------------------------ tables of steps

  private scanName(table: StoredTable): string {
    return this.unused(table.alias?.name.text ?? (table.kind === "base" ? table.of : table.kind), true);
  }

  /** A name that no other table of the text has. */
  private unused(wanted: string, isAlias: boolean): string {
    const taken = (name: string): boolean =>
      this.taken.has(name) || (!isAlias && name !== wanted && this.names.has(name));
    let name = wanted;
    for (let i = 2; taken(name); i += 1) name = `${wanted}_${i}`;
    this.taken.add(name);
    return name;
  }
  private readonly taken = new Set<string>();

  private tableOf(relation: Relation, alias: Alias | null): Table {
    const isPlain =
      relation.kind === "rows" &&
      relation.columns.every(({ name, from, declared }) => name === from && declared === undefined);
    if (isPlain && (alias === null || alias.columns.length === 0)) return this.namedTable(relation, alias);
    return { kind: "subquery", query: queryOver(this.allOf(relation)), alias };
  }

  private namedTable(relation: Relation, alias: Alias | null): NamedTable {
    const known = [...this.tables].find(([, each]) => each.table === relation.table);
    const name = known?.[0] ?? this.unused(alias?.name.text ?? "rows", true);
    this.tables.set(name, relation);
    const isSame = alias !== null && alias.name.text === name;
    return { kind: "named", path: [nameOf(name)], alias: isSame ? null : alias };
  }

  /** SELECT of everything that a relation shows, under its names. */
  private allOf(relation: Relation): Select {
    if (relation.kind === "fields") {
      const items = relation.columns.map(({ name, from, type }) => {
        const json: JsonValue = { $ref: `${relation.table}.${from}` };
        return { kind: "expr", expr: this.reference(json, { type, value: null }), as: nameOf(name) } as const;
      });
      return selectOf(items, []);
    }
    const table = this.namedTable(relation, null);
    const own = table.path[0]!.text;
    return selectOf(
      relation.columns.map((column) => itemOf(own, column)),
      [{ table, joins: [] }],
    );
  }

  // ------------------------------------------------------------ values

  private parameter(expr: Extract<Expr, { kind: "parameter" }>): Expr | undefined {
    const value = givenValue(expr, this.compiler.context);
    const us = instantForm(value, expr);
    if (us !== undefined) return instantLiteral(us);
    if (!this.parameters.has(expr.name)) {
      this.parameters.set(expr.name, { typed: parameterValue(value, expr), json: plainJson(value, expr) });
    }
    return undefined;
  }

  /** A path into a WITH step is a parameter that the step gives. */
  private path(expr: Expr, scope: Scope): Expr | undefined {
    const path = pathOf(expr);
    const [first, second] = path?.keys ?? [];
    if (path === null || typeof first !== "object" || scope.find(path.root.text) === undefined) return undefined;
    const isRows = first.text === "rows" && (typeof second === "number" || second === "*");
    if (!isRows && (first.text !== "rows_total" || this.names.has(path.root.text))) return undefined;
    const found = this.compiler.path(expr, scope)!;
    return this.reference({ $ref: found.ref }, { type: found.type, value: null });
  }

  /** `x IN w.rows[*].uid`: a query over the rows, which a scan may take as a list of uids instead. */
  private cohort(test: Extract<Expr, { kind: "in" }>, scope: Scope): Expr | undefined {
    const path = test.in.kind === "member" ? pathOf(test.in) : null;
    const [rows, every, column] = path?.keys ?? [];
    const common = path === null ? undefined : scope.find(path.root.text);
    if (common === undefined || path!.keys.length !== 3 || every !== "*") return undefined;
    if (typeof rows !== "object" || rows.text !== "rows" || typeof column !== "object") return undefined;
    const found = this.compiler.path(test.in, scope)!;
    const relation = this.compiler.relationOf(common);
    const only = { ...relation, columns: relation.columns.filter(({ name }) => name === column.text) };
    const list: Expr = { kind: "subquery_value", query: queryOver(this.allOf(only)) };
    this.cohorts.set(list, found.ref);
    return { ...test, of: replaced(test.of, (node) => this.replacement(node, scope)), in: list };
  }

  /** A name for what goes along with the text and that no parameter has. */
  private nameFor(prefix: string): string {
    let name = "";
    for (let i = 1; name === "" || this.parameters.has(name) || isGiven(name, this.compiler.context); i += 1) {
      name = `${prefix}_${i}`;
    }
    return name;
  }

  private constantName(value: JsonValue): string {
    const name = this.nameFor("constant");
    this.parameters.set(name, { typed: { type: JSON_TYPE, value }, json: value });
    return name;
  }

  private reference(json: JsonValue, typed: ParameterValue): Expr {
    const name = this.nameFor("ref");
    this.parameters.set(name, { typed, json });
    const parameter: Expr = { kind: "parameter", name };
    const cast = { instant: "INSTANT", instant_open: "INSTANT", duration: "DURATION" }[typed.type.kind as "instant"];
    return cast === undefined
      ? parameter
      : { kind: "cast", try: false, of: parameter, type: nameOf(cast), list: false };
  }

  // ------------------------------------------------------------ names

  private bindingScope(): BindingScope {
    const { compiler } = this;
    return {
      table: (table) => this.schemaOf(table),
      tableNames: [...this.tables.keys()],
      parameters: Object.fromEntries([...this.parameters].map(([name, { typed }]) => [name, typed])),
      zone: zoneInForce(compiler.context),
      nowUs: compiler.context.nowUs,
    };
  }

  private schemaOf(table: Table): TableSchema | null {
    if (table.kind === "named") {
      const relation = this.tables.get(table.path[0]!.text);
      if (relation === undefined) return null;
      return { columns: relation.columns.map(({ from, type, declared }) => ({ name: from, type: declared ?? type })) };
    }
    if (!isStored(table)) return null;
    let scan = this.scans.get(table);
    if (scan === undefined) {
      scan = scanOf(table, this.compiler);
      this.scans.set(table, scan);
    }
    return scan.schema;
  }
}

/** The tables that a text reads: what was pushed into a scan is read no more. */
function namesRead(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  visit(query, (node) => {
    if (node.kind === "named") names.add((node as NamedTable).path[0]!.text);
    return true;
  });
  return names;
}

/** Stands for a body while the rest of a query is looked at. */
const EMPTY = { kind: "none" } as const;

/** Properties that a step calls `props.hours` are reached by their own name. */
function itemOf(table: string, column: RelationColumn): Select["items"][number] {
  const { name, from } = column;
  const expr = castColumn(member(table, from), column);
  return { kind: "expr", expr, as: name === from && column.declared === undefined ? null : nameOf(name) };
}
