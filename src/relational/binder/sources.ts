// Binds FROM: tables of the scope, WITH names, queries in parentheses, UNNEST, and their joins.
// Every source joins the level, so that what stands right of it sees its columns.
import type { Alias, Source as AstSource, Expr, Join, Name, Query, Table, UnnestTable } from "../../../grammar/ast.js";
import type { Bound, CommonTree, FromTree, JoinTree, OutputColumn, QueryTree, Source, TableSource } from "../bound.js";
import { asType, call, plain } from "../nodes.js";
import { problem, unknownName, wrongType } from "../problems.js";
import type { SchemaColumn, TableSchema } from "../schema.js";
import { BOOL, INT, isNull, JSON_TYPE, mixedType, shownType } from "../types.js";
import { comparison } from "./comparisons.js";
import type { Context } from "./context.js";
import type { ExpressionBinder } from "./expressions.js";
import { columnOf, type Level, unknownMember } from "./level.js";
import type { BindingState, CommonNames } from "./state.js";

const OUTER = new Map<Join["how"], "left" | "right" | "both">([
  ["left", "right"],
  ["right", "left"],
  ["full", "both"],
]);

export class SourceBinder {
  constructor(
    private readonly state: BindingState,
    private readonly expressions: ExpressionBinder,
    private readonly bindQuery: (query: Query, around: Level | null, common: CommonNames) => QueryTree,
  ) {}

  bind(from: readonly AstSource[], level: Level, common: CommonNames): FromTree[] {
    return from.map(({ table, joins }) => {
      const source = this.source(table, level, common);
      this.add(source, level, table);
      return { source, joins: joins.map((join) => this.join(join, level, common)) };
    });
  }

  private add(source: Source, level: Level, at: Table): void {
    if (source.name !== null && level.source(source.name) !== undefined) {
      throw problem("same_name", `two sources are named ${source.name}`, at, { hint: `name one AS ${source.name}2` });
    }
    level.sources.push(source);
  }

  // ------------------------------------------------------------ tables

  private source(table: Table, level: Level, common: CommonNames): Source {
    switch (table.kind) {
      case "subquery":
        return this.derived(
          this.bindQuery(table.query, level.parent, common),
          null,
          table.alias?.name.text ?? null,
          table.alias,
        );
      case "unnest":
        return this.unnest(table, level, common);
      case "named": {
        const [first] = table.path as readonly [Name, ...Name[]];
        const known = table.path.length === 1 ? common.get(first.text) : undefined;
        const name = table.alias?.name.text ?? table.path.at(-1)!.text;
        if (known !== undefined) return this.derived(known.query, known, name, table.alias);
        return this.table(table, name, common);
      }
      default:
        return this.table(table, table.alias?.name.text ?? null, common);
    }
  }

  private derived(query: QueryTree, common: CommonTree | null, name: string | null, alias: Alias | null): Source {
    const columns = renamed(query.columns, alias);
    return { kind: "query", id: this.state.nextId(), name, query, common, columns };
  }

  private table(table: Table, name: string | null, common: CommonNames): TableSource {
    const schema = this.state.scope.table(table);
    if (schema === null) throw this.unknownTable(table, common);
    const source: TableSource = {
      kind: "table",
      id: this.state.nextId(),
      origin: table,
      name,
      schema: table.alias === null ? schema : renamedSchema(schema, table.alias),
      used: [],
    };
    this.state.sources.push(source);
    return source;
  }

  private unknownTable(table: Table, common: CommonNames): Error {
    if (table.kind !== "named") {
      return problem("no_source", "this source cannot stand here", table, { hint: "name a table" });
    }
    const name = table.path.map(({ text }) => text).join(".");
    const known = [...common.names(), ...(this.state.scope.tableNames ?? [])];
    return unknownName(
      "there is no table",
      name,
      table.path[0],
      known,
      "what reads the store has parentheses: NODES(Label), EDGES(T), EVENTS(T), COMMITS()",
    );
  }

  private unnest(table: UnnestTable, level: Level, common: CommonNames): Source {
    const list = this.expressions.bind(table.expr, this.context("UNNEST", level, common));
    if (list.type.kind !== "list" && list.type.kind !== "json" && !isNull(list.type)) {
      throw wrongType(`UNNEST takes a list, not ${shownType(list.type)}`, table.expr);
    }
    const member = list.type.kind === "list" ? list.type.of : JSON_TYPE;
    const name = table.alias?.name.text ?? null;
    const own: OutputColumn[] = [{ name: table.alias?.columns[0]?.text ?? name ?? "unnest", type: member }];
    const columns = table.ordinality
      ? [...own, { name: table.alias?.columns[1]?.text ?? "ordinality", type: INT }]
      : own;
    if ((table.alias?.columns.length ?? 0) > columns.length) {
      throw problem("alias_columns", `UNNEST has ${columns.length} columns`, table.alias!);
    }
    return { kind: "unnest", id: this.state.nextId(), name, list, ordinality: table.ordinality, columns };
  }

  private context(clause: string, level: Level, common: CommonNames): Context {
    return { clause, level, common, aggregates: false, windows: false, seesOutputs: false, namedWindows: new Map() };
  }

  // ------------------------------------------------------------ joins

  private join(join: Join, level: Level, common: CommonNames): JoinTree {
    const left = [...level.sources];
    const source = this.source(join.table, level, common);
    this.add(source, level, join.table);
    const outer = OUTER.get(join.how);
    const on =
      join.using !== null
        ? this.using(join, left, source, level)
        : join.on === null
          ? null
          : this.expressions.test(join.on, this.context("ON", level, common), "ON");
    if (outer === "right" || outer === "both") level.optional.add(source);
    if (outer === "left" || outer === "both") for (const each of left) level.optional.add(each);
    // Only whether there is a row on the right matters: its columns are not seen after the join.
    if (join.how === "semi" || join.how === "anti") level.sources.pop();
    return { how: join.how, source, on };
  }

  private using(join: Join, left: readonly Source[], right: Source, level: Level): Bound {
    const tests = join.using!.map((name) => {
      const before = level.merged.get(name.text) ?? this.leftColumn(name, left);
      const after = columnOf(right, name.text);
      if (after === undefined) throw unknownMember(right, name, { ...name, kind: "name", name } as Expr);
      const test = comparison("=", before, after.node, name);
      level.merged.set(name.text, mergedColumn(join.how, before, after.node));
      return test;
    });
    return tests.length === 1 ? tests[0]! : call("and", BOOL, tests, (texts) => `(${texts.join(" AND ")})`);
  }

  private leftColumn(name: Name, left: readonly Source[]): Bound {
    const found = left.map((source) => columnOf(source, name.text)).filter((each) => each !== undefined);
    if (found.length === 1) return found[0]!.node;
    if (found.length === 0) throw unknownMember(left.at(-1)!, name, { ...name, kind: "name", name } as Expr);
    throw problem("ambiguous_name", `${name.text} is a column of several sources on the left`, name, {
      hint: "join ON a condition",
    });
  }
}

function mergedColumn(how: Join["how"], left: Bound, right: Bound): Bound {
  if (how === "right") return right;
  if (how !== "full") return left;
  const type = mixedType(left.type, right.type) ?? left.type;
  return plain("coalesce", type, [asType(left, type), asType(right, type)]);
}

function renamed(columns: readonly SchemaColumn[], alias: Alias | null): readonly SchemaColumn[] {
  if (alias === null || alias.columns.length === 0) return columns;
  if (alias.columns.length > columns.length) {
    throw problem("alias_columns", `${alias.columns.length} names for ${columns.length} columns`, alias);
  }
  return columns.map((column, i) => ({ ...column, name: alias.columns[i]?.text ?? column.name }));
}

function renamedSchema(schema: TableSchema, alias: Alias): TableSchema {
  if (alias.columns.length === 0) return schema;
  throw problem("alias_columns", "columns of a table keep their names", alias, {
    hint: "rename them in SELECT … AS …",
  });
}
