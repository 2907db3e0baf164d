// One statement on its way to a plan: the steps so far, the names of WITH, and what the answer will say of time.
// Each form of query has a file of its own; this one hands them out and keeps what they share.
import type { CallQuery, Default, Expr, Query, QueryBody, Table } from "../../../grammar/ast.js";
import { parseSelect } from "../../../grammar/index.js";
import { formatInstant } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { propertyTable, type ScanTable } from "../../operators/scan-columns.js";
import { JSON_TYPE, type TqlType } from "../../relational/index.js";
import { aggregated } from "./aggregate/aggregate.js";
import { type ScanSource, type StoredTable, scanSource } from "./base-tables.js";
import { type PreparedCall, prepareCall, relationOfCall } from "./call.js";
import { type CompileContext, zoneInForce } from "./context.js";
import { Folder } from "./fold.js";
import { compileMatch } from "./match.js";
import { type SourceTimes, shownTransaction, shownValid, Times } from "./periods.js";
import { type Placed, refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import { type Common, NO_NAMES, pathOf, type ResolvedPath, resolvePath, type Scope } from "./scope.js";
import { queryOver, SelectCompiler, selectOf } from "./select.js";
import { type StepOptions, Steps } from "./steps.js";
import { member, nameOf, replaced, type TreeNode } from "./tree.js";

/** What the answer says of one source; the pin is resolved when the plan runs. */
export interface ResolvedSource {
  readonly source: string;
  /** "all", `{at}` or `{from, to}`; null where the source has no valid time. */
  readonly valid_time: JsonValue;
  /** "latest", `tx:N`, `{at}`, or a range over versions. */
  readonly transaction_time: JsonValue;
  /** The argument of its step. */
  readonly as_of_tt: JsonValue;
  readonly zone: string;
  readonly now: string;
}

/** A condition that no scan could take, which EXPLAIN marks. */
export interface Residual {
  readonly source: string;
  readonly condition: string;
}

export class Compiler {
  readonly folder: Folder;
  readonly times: Times;
  readonly steps = new Steps();
  readonly resolved: ResolvedSource[] = [];
  readonly residual: Residual[] = [];
  private scope: Scope = NO_NAMES;
  private readonly scans = new Map<StoredTable, ScanSource>();

  constructor(
    readonly context: CompileContext,
    setting: readonly Default[],
  ) {
    this.folder = new Folder(context, (expr) => this.path(expr, this.scope)?.ref);
    this.times = new Times(context, this.folder, setting);
  }

  /** Compiles a query to a step whose rows are its answer. `isAnswer`: nobody reads them but the answer. */
  query(query: Query, outer: Scope, isAnswer = false): Relation {
    const scope = this.withNames(query, outer);
    return this.within(scope, () => this.body({ ...query, with: [] }, scope, isAnswer));
  }

  /** A CALL, a MATCH or a SELECT by itself. */
  queryOf(body: QueryBody, scope: Scope): Relation {
    return this.query(queryOver(body), scope);
  }

  private body(query: Query, scope: Scope, isAnswer: boolean): Relation {
    const { body } = query;
    switch (body.kind) {
      case "call":
        return this.call(query, body, scope);
      case "match":
        return compileMatch(query, body, scope, this);
      case "query":
        if (query.orderBy.length === 0 && query.limit === null && query.offset === null) {
          return this.query(body, scope, isAnswer);
        }
        return new SelectCompiler(this).compile(query, scope);
      default:
        return this.select(query, scope, isAnswer);
    }
  }

  private select(query: Query, scope: Scope, isAnswer: boolean): Relation {
    const found = aggregated(query, scope, this, isAnswer);
    if (found === undefined) return new SelectCompiler(this).compile(query, scope);
    if ("relation" in found) return found.relation;
    return new SelectCompiler(this).compile(found.onward.query, found.onward.scope);
  }

  withNames(query: Query, outer: Scope): Scope {
    let scope = outer;
    for (const { name, query: of } of query.with) {
      if (query.with.filter((other) => other.name.text === name.text).length > 1) {
        refuse("E_SCHEMA", "name_twice", name, `WITH names ${name.text} twice`, "give one of the queries another name");
      }
      scope = scope.with({ name, query: of, scope, relation: null });
    }
    return scope;
  }

  /** A WITH name as a step. */
  relationOf(common: Common): Relation {
    common.relation ??= this.query(common.query, common.scope);
    return common.relation;
  }

  /** A table of the text is one source, whoever asks for its scan. */
  scanOf(table: StoredTable): ScanSource {
    let scan = this.scans.get(table);
    if (scan === undefined) {
      scan = scanSource(table, this);
      this.scans.set(table, scan);
    }
    return scan;
  }

  /** The reference and the type of a path into a WITH step; undefined for every other expression. */
  path(expr: Expr, scope: Scope): ResolvedPath | undefined {
    if (expr.kind !== "member" && expr.kind !== "index" && expr.kind !== "name") return undefined;
    const path = pathOf(expr);
    const common = path === null ? undefined : scope.find(path.root.text);
    return path === null || common === undefined ? undefined : resolvePath(path, this.relationOf(common), expr);
  }

  private call(query: Query, body: CallQuery, scope: Scope): Relation {
    if (body.call.name.text === "select") return this.writtenSelect(query, body);
    const prepared = this.prepared(body.call, scope);
    const isCut = query.limit !== null || query.offset !== null;
    const needsSelect = body.where !== null || query.orderBy.length > 0 || query.withTies;
    if (needsSelect) return this.callAndSelect(query, body, prepared, scope);
    const count = query.limit === null ? null : this.count(query.limit, "LIMIT");
    const offset = query.offset === null ? 0 : this.count(query.offset, "OFFSET");
    return this.callStep(prepared, body, isCut ? { slice: [offset, count] } : {});
  }

  /** CALL "select"(query => '…') is the statement in its text: sources become scans, as anywhere. */
  private writtenSelect(query: Query, body: CallQuery): Relation {
    const { call, yields, where } = body;
    const isPlain = yields === null && where === null && query.orderBy.length === 0 && query.limit === null;
    const [argument, ...others] = call.args;
    const text = argument?.name.text === "query" ? argument.value : undefined;
    if (text?.kind !== "string" || others.length > 0 || call.times.length > 0 || !isPlain || query.offset !== null) {
      return refuse(
        "E_INVALID_ARG",
        "select_call",
        call,
        "CALL \"select\" takes one text, query => 'SELECT …', and nothing around it",
        "write the SELECT itself",
      );
    }
    const parsed = parseSelect(text.value);
    if (parsed.problem !== null) {
      const { code, kind, message, hint } = parsed.problem;
      return refuse(code, kind, text, `in the text: ${message}`, hint);
    }
    return this.within(NO_NAMES, () => new SelectCompiler(this).compile(parsed.query, NO_NAMES));
  }

  /** WHERE and ORDER BY over the rows of a call are a `select`, which takes LIMIT too. */
  private callAndSelect(query: Query, body: CallQuery, prepared: PreparedCall, scope: Scope): Relation {
    const relation = this.callStep(prepared, body, {});
    const rows: Relation = relation.kind === "fields" ? relation : this.callStep(prepared, { yields: null }, {});
    const name = body.call.name;
    const shown = new Map(relation.columns.map((column) => [column.name, column.from]));
    const table: Table = { kind: "named", path: [name], alias: null };
    const items = relation.columns.map(
      ({ name: as, from }) =>
        ({ kind: "expr", expr: member(name.text, relation.kind === "fields" ? as : from), as: nameOf(as) }) as const,
    );
    // Names that YIELD gave stand for the columns that they were given to.
    const replace = (node: TreeNode): unknown => {
      const expr = node as unknown as Expr;
      const from = expr.kind === "name" ? shown.get(expr.name.text) : undefined;
      return from === undefined || relation.kind === "fields" ? undefined : member(name.text, from);
    };
    const select = {
      ...selectOf(items, [{ table, joins: [] }]),
      where: body.where === null ? null : replaced(body.where, replace),
    };
    const orderBy = query.orderBy.map((sort) => ({ ...sort, expr: replaced(sort.expr, replace) }));
    const common: Common = { name, query, scope, relation: rows };
    return new SelectCompiler(this).compile({ ...query, body: select, orderBy }, scope.with(common));
  }

  private prepared(call: CallQuery["call"], scope: Scope): PreparedCall {
    const references = (expr: Expr): string | undefined => this.path(expr, scope)?.ref;
    const prepared = prepareCall(call, this.folder, references, this.times);
    this.note(prepared.operator.declaration.name, prepared.times, (prepared.args.as_of_tt ?? null) as JsonValue);
    return prepared;
  }

  private callStep(prepared: PreparedCall, body: Pick<CallQuery, "yields">, options: StepOptions): Relation {
    const { name } = prepared.operator.declaration;
    const step = this.steps.add(name, prepared.args, options);
    return relationOfCall(step, prepared, body.yields, (args, property) => this.scannedType(args, property));
  }

  /** The type of a property in a scan that somebody wrote out. */
  private scannedType(args: JsonObject, property: string): TqlType {
    const table = propertyTable(args.of as ScanTable, (args.kind ?? null) as "node" | "edge" | null);
    if (table === null) return JSON_TYPE;
    const names = Array.isArray(args.names) ? (args.names as string[]) : null;
    const tx = this.commitOf((args.as_of_tt ?? null) as JsonValue);
    const kind = this.context.catalogue.at(tx).properties(table, names).get(property);
    return kind === undefined ? JSON_TYPE : { kind };
  }

  /** A whole number of LIMIT, OFFSET and the like. */
  count(
    given: ({ readonly kind: "integer"; readonly value: bigint } & Placed) | Extract<Expr, { kind: "parameter" }>,
    what: string,
  ): number {
    const value = this.folder.count(given);
    if (value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    return refuse("E_INVALID_ARG", "count", given, `${what} ${value} is not a whole number from 0`, "");
  }

  /** The commit that an `as_of_tt` means while names are looked up. */
  commitOf(asOf: JsonValue): number {
    const { source } = this.context.catalogue;
    if (typeof asOf !== "string") return source.headTx();
    return asOf.startsWith("tx:") ? Number(asOf.slice("tx:".length)) : source.txAt(this.folder.instantOfText(asOf));
  }

  note(source: string, times: SourceTimes, asOf: JsonValue, hasValidTime = true): void {
    const axes = [
      ...(hasValidTime && times.validFrom === "nobody" ? ["VALID_TIME ALL"] : []),
      ...(times.transactionFrom === "nobody" ? ["TRANSACTION_TIME AS OF LATEST"] : []),
    ];
    if (axes.length > 0) this.times.say("W_DEFAULT_PERIOD", `nobody said otherwise: ${axes.join(", ")}`);
    this.resolved.push({
      source,
      valid_time: hasValidTime ? shownValid(times.valid) : null,
      transaction_time: shownTransaction(times.transaction),
      as_of_tt: asOf,
      zone: zoneInForce(this.context),
      now: formatInstant(this.context.nowUs),
    });
  }

  private within<T>(scope: Scope, compile: () => T): T {
    const outer = this.scope;
    this.scope = scope;
    try {
      return compile();
    } finally {
      this.scope = outer;
    }
  }
}
