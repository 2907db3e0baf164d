// What a write statement reads: the rows of its MATCH, and every version of the entities that it writes.
// Each becomes one query of the language, so that a write is explained, checked and run like any read.
import type {
  CommonTable,
  Default,
  Expr,
  Item,
  MatchClause,
  MatchQuery,
  Query,
  ReadStatement,
  Select,
  TimeClause,
} from "../../../grammar/ast.js";
import { sortedSet } from "../../contract/code-points.js";
import type { JsonObject } from "../../contract/values.js";
import { FUNCTION_TABLE } from "../../relational/index.js";
import type { Folder } from "../compile/fold.js";
import { refuse } from "../compile/problem.js";
import { constantValue, ReadColumns, type Value } from "./columns.js";
import { constantOf } from "./constants.js";
import { mapTree, memberExpr, mentions, propertyExpr } from "./tree.js";
import type { Variable, Variables } from "./variables.js";
import { EDGE_IDENTITY, NODE_IDENTITY, type VersionColumns } from "./versions.js";

/** One query, and who wants its rows. */
export interface Part {
  readonly name: string;
  readonly statement: ReadStatement;
}

export const ALWAYS: readonly TimeClause[] = [{ axis: "valid_time", period: { kind: "all" } }];
const PLAIN = { groupBy: null, having: null, windows: [], qualify: null } as const;
const OVER_MANY_ROWS = new Set(
  FUNCTION_TABLE.flatMap(({ name, kind }) => (kind === "scalar" || kind === "path" ? [] : [name])),
);

const queryOf = (body: Query["body"], withTables: readonly CommonTable[]): Query => ({
  kind: "query",
  with: withTables,
  body,
  orderBy: [],
  limit: null,
  withTies: false,
  offset: null,
});

/** What stands on the right of a write is a value of one match. */
function checkValue(expr: Expr): void {
  mapTree(expr, (part) => {
    if (part.kind === "function" && OVER_MANY_ROWS.has(part.name.text.toUpperCase())) {
      refuse(
        "E_SCHEMA",
        "aggregate",
        part,
        `${part.name.text} is computed over many rows, and a write takes the values of one`,
        "compute it in a WITH query",
      );
    }
    return undefined;
  });
}

export interface Matched {
  readonly setting: readonly Default[];
  readonly with: readonly CommonTable[];
  readonly clauses: readonly MatchClause[];
  readonly variables: Variables;
}

/** One row for each match. */
export const MATCH_PART = "";

export class WriteReading {
  private readonly matched = new ReadColumns();
  private readonly entities = new Map<string, EntityReading>();
  private isMatchRead = false;

  constructor(
    readonly match: Matched,
    readonly folder: Folder,
  ) {
    // These come first, so that rows stand in the order of what they bind.
    for (const variable of match.variables.values()) this.identityOf(variable);
  }

  /** The identity that a variable binds in each match, or null where it binds nothing. */
  identityOf({ name, bound }: Variable): VersionColumns["identity"] {
    const { text } = name;
    const names = bound === "edge" ? EDGE_IDENTITY : NODE_IDENTITY;
    const identity = names.map((each) => ({ name: each, value: this.matched.add(memberExpr(text, each)) }));
    if (bound !== "entity") this.matched.add(memberExpr(text, "valid_from"));
    return identity;
  }

  /**
   * The part that gives the versions to be written of a variable, and where they stand in its rows. Their content is read
   * only where it goes on in what is written.
   */
  versionsOf(variable: Variable, isContentRead: boolean): { readonly part: string; readonly columns: VersionColumns } {
    const properties = isContentRead ? this.propertiesOf(variable) : [];
    if (variable.bound === "entity") return this.entity(variable).versions(properties);
    this.isMatchRead = true;
    const text = variable.name.text;
    const column = (name: string): Value => this.matched.add(memberExpr(text, name));
    const kind = variable.bound === "edge" ? "edge" : "node";
    const columns: VersionColumns = {
      kind,
      identity: this.identityOf(variable),
      validFrom: column("valid_from"),
      validTo: column("valid_to"),
      props: properties.map((name) => ({ name, value: this.matched.add(propertyExpr(text, name)) })),
      labels: kind === "node" ? column("labels") : null,
    };
    return { part: MATCH_PART, columns };
  }

  /** Names of all properties that believed versions of the kind have. */
  private propertiesOf({ bound, names }: Variable): string[] {
    const table = bound === "edge" ? "edges" : "nodes";
    return sortedSet([...this.folder.context.catalogue.head().properties(table, names).keys()]);
  }

  /** A value in the rows of the match, or of the versions of the entity that is written. */
  value(expr: Expr, written: Variable | null): Value {
    const constant = constantOf(expr, this.folder);
    if (constant !== undefined) return constantValue(constant);
    checkValue(expr);
    if (written?.bound === "entity") return this.entity(written).value(expr);
    this.isMatchRead = true;
    return this.matched.add(expr);
  }

  /** The part with one row for each match. */
  matchPart(): string {
    this.isMatchRead = true;
    return MATCH_PART;
  }

  private entity(variable: Variable): EntityReading {
    const { text } = variable.name;
    let entity = this.entities.get(text);
    if (entity === undefined) {
      entity = new EntityReading(variable, this.match);
      this.entities.set(text, entity);
    }
    return entity;
  }

  parts(): Part[] {
    const { setting } = this.match;
    const statement = (query: Query): ReadStatement => ({ kind: "read", explain: null, setting, query });
    const parts = [...this.entities].map(([name, entity]) => ({ name, statement: statement(entity.query()) }));
    if (!this.isMatchRead) return parts;
    return [{ name: MATCH_PART, statement: statement(this.matchQuery()) }, ...parts];
  }

  private matchQuery(): Query {
    const { clauses } = this.match;
    const one: Item = { kind: "expr", expr: { kind: "integer", value: 1n }, as: { text: "matched" } };
    const items = this.matched.items.length > 0 ? this.matched.items : [one];
    // Without a MATCH it is one row of values.
    if (clauses.length > 0) return queryOf(matchOf(clauses, items, false), this.match.with);
    return queryOf({ kind: "select", distinct: false, items, from: [], where: null, grouping: PLAIN }, this.match.with);
  }
}

const matchOf = (clauses: readonly MatchClause[], items: MatchQuery["items"], distinct: boolean): MatchQuery => ({
  kind: "match",
  clauses,
  distinct,
  items,
  grouping: PLAIN,
});

/** Every believed version of the entities that a variable binds, each with what its match says. */
class EntityReading {
  private readonly exported = new ReadColumns();
  private readonly shown = new ReadColumns();
  private readonly table: string;
  private readonly uid: string;

  constructor(
    private readonly variable: Variable,
    private readonly match: Matched,
  ) {
    let table = "matched";
    while (match.variables.has(table) || match.with.some(({ name }) => name.text === table)) table += "_";
    this.table = table;
    this.uid = this.exported.name(memberExpr(variable.name.text, "uid"));
  }

  versions(properties: readonly string[]): { readonly part: string; readonly columns: VersionColumns } {
    const { text } = this.variable.name;
    const column = (name: string): Value => this.shown.add(memberExpr(text, name));
    const columns: VersionColumns = {
      kind: "node",
      identity: [{ name: "uid", value: column("uid") }],
      validFrom: column("valid_from"),
      validTo: column("valid_to"),
      labels: column("labels"),
      props: properties.map((name) => ({ name, value: this.shown.add(propertyExpr(text, name)) })),
    };
    return { part: text, columns };
  }

  /** What reads the variable reads the version; what reads others reads the match. */
  value(expr: Expr): Value {
    const { text } = this.variable.name;
    const isOwn = (name: string): boolean => name === text;
    const isOther = (name: string): boolean => name !== text && this.match.variables.has(name);
    const rewritten = mapTree(expr, (part) => {
      if (mentions(part, isOwn) || !mentions(part, isOther)) return undefined;
      return memberExpr(this.table, this.exported.name(part));
    });
    return this.shown.add(rewritten);
  }

  query(): Query {
    const { table, variable } = this;
    const own = variable.name;
    const matched: CommonTable = {
      name: { text: table },
      query: queryOf(matchOf(this.match.clauses, this.exported.items, true), []),
    };
    const uid = memberExpr(own.text, "uid");
    const on: Expr = { kind: "binary", op: "=", left: memberExpr(table, this.uid), right: uid };
    // Said again where it is known, so that the scan of all versions becomes a look at one node.
    const where: Expr | null =
      variable.uid === null ? null : { kind: "binary", op: "=", left: uid, right: variable.uid };
    const select: Select = {
      kind: "select",
      distinct: false,
      items: this.shown.items,
      from: [
        {
          table: { kind: "base", of: "nodes", labels: null, times: ALWAYS, alias: { name: own, columns: [] } },
          joins: [{ how: "inner", table: { kind: "named", path: [{ text: table }], alias: null }, on, using: null }],
        },
      ],
      where,
      grouping: PLAIN,
    };
    return queryOf(select, [...this.match.with, matched]);
  }
}

/** Believed versions of the edges that have one of some nodes at an end. */
export function edgesAt(end: "src" | "dst", uids: readonly string[], setting: readonly Default[]): ReadStatement {
  const list: Expr = { kind: "list", of: uids.map((value): Expr => ({ kind: "string", value })) };
  const select: Select = {
    kind: "select",
    distinct: false,
    items: [...EDGE_IDENTITY, "valid_from", "valid_to"].map((name) => ({
      kind: "expr",
      expr: memberExpr("e", name),
      as: { text: name },
    })),
    from: [
      {
        table: { kind: "base", of: "edges", labels: null, times: ALWAYS, alias: { name: { text: "e" }, columns: [] } },
        joins: [],
      },
    ],
    where: { kind: "in", of: memberExpr("e", end), not: false, in: list },
    grouping: PLAIN,
  };
  return { kind: "read", explain: null, setting, query: queryOf(select, []) };
}

export type PartRows = ReadonlyMap<string, readonly JsonObject[]>;
