// One statement on its way to a plan: the steps so far, the names of WITH, and what the answer will say of time.
// Keeps what the forms of query share; which form is compiled by which file is in query-forms.ts.
import type { Default, Expr, Query, QueryBody } from "../../../grammar/ast.js";
import { formatInstant } from "../../contract/instant.js";
import type { JsonValue } from "../../contract/values.js";
import { type CompileContext, zoneInForce } from "./context.js";
import { Folder } from "./fold.js";
import { shownTransaction, shownValid } from "./periods.js";
import { type Placed, refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import type { ScanSource, StoredTable } from "./scan-source.js";
import { type Common, NO_NAMES, pathOf, type ResolvedPath, resolvePath, type Scope } from "./scope.js";
import { Steps } from "./steps.js";
import { queryOver } from "./syntax.js";
import { type SourceTimes, Times } from "./times.js";

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

/** Compiles a query by its form, its WITH names being in the scope. */
export type Form = (query: Query, scope: Scope, compiler: Compiler, isAnswer: boolean) => Relation;

export class Compiler {
  readonly folder: Folder;
  readonly times: Times;
  readonly steps = new Steps();
  readonly resolved: ResolvedSource[] = [];
  readonly residual: Residual[] = [];
  private scope: Scope = NO_NAMES;
  /** Tables of the text with their scans, which base-tables.ts makes. */
  readonly scans = new Map<StoredTable, ScanSource>();

  constructor(
    readonly context: CompileContext,
    setting: readonly Default[],
    private readonly form: Form,
  ) {
    this.folder = new Folder(context, (expr) => this.path(expr, this.scope)?.ref);
    this.times = new Times(context, this.folder, setting);
  }

  /** Compiles a query to a step whose rows are its answer. `isAnswer`: nobody reads them but the answer. */
  query(query: Query, outer: Scope, isAnswer = false): Relation {
    const scope = this.withNames(query, outer);
    return this.within(scope, () => this.form({ ...query, with: [] }, scope, this, isAnswer));
  }

  /** A CALL, a MATCH or a SELECT by itself. */
  queryOf(body: QueryBody, scope: Scope): Relation {
    return this.query(queryOver(body), scope);
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

  /** The reference and the type of a path into a WITH step; undefined for every other expression. */
  path(expr: Expr, scope: Scope): ResolvedPath | undefined {
    if (expr.kind !== "member" && expr.kind !== "index" && expr.kind !== "name") return undefined;
    const path = pathOf(expr);
    const common = path === null ? undefined : scope.find(path.root.text);
    return path === null || common === undefined ? undefined : resolvePath(path, this.relationOf(common), expr);
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

  /** Compiles with the names of another scope. */
  within<T>(scope: Scope, compile: () => T): T {
    const outer = this.scope;
    this.scope = scope;
    try {
      return compile();
    } finally {
      this.scope = outer;
    }
  }
}
