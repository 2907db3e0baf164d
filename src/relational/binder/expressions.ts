// Binds expressions: names to columns, literals to constants, operators and functions to typed calls.
// One method per kind of syntax; what types compare and add is in comparisons.ts and arithmetic.ts.
import {
  type Case,
  type ColumnName,
  type Expr,
  type FunctionCall,
  type Index,
  type InTest,
  isPatternBody,
  type LikeTest,
  type MapLiteral,
  type Member,
  type Query,
} from "../../../grammar/ast.js";
import type { Bound, ConstantNode, QueryTree, Source } from "../bound.js";
import { cast, memberOf } from "../functions/casts.js";
import { jsonObject } from "../functions/json.js";
import { commonType } from "../functions/numbers.js";
import { once, quoted } from "../functions/sql.js";
import { lowerSql } from "../functions/text.js";
import { endsOf } from "../functions/time.js";
import { asType, call, constant, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { BOOL, isNull, JSON_TYPE, listOf, rowOf, shownType } from "../types.js";
import { arithmetic, negative } from "./arithmetic.js";
import { comparison, distinctFrom, doNotCompare, isPeriodWord, membersOf, periodTest } from "./comparisons.js";
import { bindFunction, type Place } from "./functions.js";
import { columnOf, type Found, type Level, propertyOf, unknownColumn, unknownMember } from "./level.js";
import { isUnknown, literal, parameter } from "./literals.js";
import { inList, inQuery, inWritten } from "./membership.js";
import type { BindingState, CommonNames } from "./state.js";

/** Binds a query inside an expression, seeing the names around it. */
export type BindSubquery = (query: Query, around: Level, common: CommonNames) => QueryTree;

/** What an expression may hold at its place, and where its names are looked up. */
export interface Context extends Place {
  readonly level: Level;
  readonly common: CommonNames;
  /** Whether a bare name may be an output name. */
  readonly seesOutputs: boolean;
}

export class ExpressionBinder {
  constructor(
    readonly state: BindingState,
    private readonly bindSubquery: BindSubquery,
  ) {}

  bind(expr: Expr, context: Context): Bound {
    const node = this.make(expr, context);
    this.state.types.set(expr, node.type);
    if (!this.state.origins.has(node)) this.state.origins.set(node, expr);
    return node;
  }

  /** A condition. */
  test(expr: Expr, context: Context, clause: string): Bound {
    const node = this.bind(expr, context);
    if (node.type.kind === "bool" || isNull(node.type)) return node;
    throw wrongType(`${clause} takes a condition, not ${shownType(node.type)}`, expr);
  }

  private make(expr: Expr, context: Context): Bound {
    const { scope } = this.state;
    switch (expr.kind) {
      case "parameter":
        return this.state.lists.held(parameter(expr, scope));
      case "name":
        return this.name(expr, context);
      case "member":
        return this.member(expr, context);
      case "index":
        return this.index(expr, context);
      case "unary": {
        if (expr.op === "not") return call("not", BOOL, [this.test(expr.of, context, "NOT")], ([x]) => `(NOT ${x})`);
        const of = this.bind(expr.of, context);
        return expr.op === "-" ? negative(of, expr) : of;
      }
      case "binary":
        return this.binary(expr, context);
      case "logical": {
        const word = expr.op === "and" ? "AND" : "OR";
        const parts = expr.of.map((each) => this.test(each, context, word));
        return call(expr.op, BOOL, parts, (texts) => `(${texts.join(` ${word} `)})`);
      }
      case "is":
        return this.isTest(expr, context);
      case "in":
        return this.inTest(expr, context);
      case "between": {
        const [of, from, to] = [expr.of, expr.from, expr.to].map((each) => this.bind(each, context)) as [
          Bound,
          Bound,
          Bound,
        ];
        const both = [comparison(">=", of, from, expr), comparison("<=", of, to, expr)];
        return this.not(
          expr.not,
          call("and", BOOL, both, ([a, b]) => `(${a} AND ${b})`),
        );
      }
      case "like":
        return this.like(expr, context);
      case "row": {
        const parts = expr.of.map((each) => settled(this.bind(each, context)));
        return call("row", rowOf(parts.map(({ type }) => type)), parts, (texts) => `row(${texts.join(", ")})`);
      }
      case "list":
        return this.list(expr.of, context, expr);
      case "map":
        return this.map(expr, context);
      case "case":
        return this.choice(expr, context);
      case "cast":
        return cast(expr, this.bind(expr.of, context));
      case "exists":
        if (isPatternBody(expr.of)) throw noPattern("EXISTS { … }", expr);
        return { kind: "exists", type: BOOL, query: this.subquery(expr.of, context) };
      case "count_pattern":
        throw noPattern("COUNT { … }", expr);
      case "subquery_value": {
        const query = this.subquery(expr.query, context);
        oneColumn(query, expr);
        return { kind: "scalar_query", type: query.columns[0]!.type, query };
      }
      case "function":
        return this.call(expr, context);
      default:
        return literal(expr, scope);
    }
  }

  private subquery(query: Query, context: Context): QueryTree {
    return this.state.deeper(query, () => this.bindSubquery(query, context.level, context.common));
  }

  private not(isNot: boolean, node: Bound): Bound {
    return isNot ? call("not", BOOL, [node], ([x]) => `(NOT ${x})`) : node;
  }

  // ------------------------------------------------------------ names

  private found(expr: Expr, found: Found | { readonly node: Bound }, level: Level, own: Level): Bound {
    // A node of its own for each place, so that an error can say where it was written.
    const node = { ...found.node };
    if ("source" in found && found.column !== null) {
      this.state.references.set(expr, { source: found.source, column: found.column });
    }
    if ("source" in found && found.ends !== undefined) {
      this.state.periods.set(expr, { source: found.source, ends: found.ends });
    }
    this.state.origins.set(node, expr);
    this.state.types.set(expr, node.type);
    for (let each: Level | null = own; each !== null && each !== level; each = each.parent)
      each.parent?.outerUses.push(node);
    return node;
  }

  private name(expr: ColumnName, context: Context): Bound {
    const { name } = expr;
    for (let level: Level | null = context.level; level !== null; level = level.parent) {
      const column = level.column(name);
      const output = level === context.level && context.seesOutputs ? level.outputs.get(name.text) : undefined;
      // A column of that name wins, but for one that the groups have lost.
      if (column !== undefined && (output === undefined || context.isSeen?.(column.node) !== false)) {
        return this.found(expr, column, level, context.level);
      }
      if (output !== undefined) return output;
    }
    const source = this.alias(expr, context.level);
    if (source !== undefined) {
      throw problem("element_value", `${name.text} is a whole row, and a value is needed here`, expr, {
        hint: `name one of its columns, as ${name.text}.${source.kind === "table" ? (source.schema.columns[0]?.name ?? "x") : (source.columns[0]?.name ?? "x")}`,
      });
    }
    throw unknownColumn(context.level, name, expr);
  }

  /** The source that a bare name is the alias of. */
  alias(expr: Expr, own: Level): Source | undefined {
    if (expr.kind !== "name") return undefined;
    for (let level: Level | null = own; level !== null; level = level.parent) {
      const source = level.source(expr.name.text);
      if (source !== undefined) return source;
    }
    return undefined;
  }

  private levelOf(source: Source, own: Level): Level {
    let level = own;
    while (!level.sources.includes(source) && level.parent !== null) level = level.parent;
    return level;
  }

  private member(expr: Member, context: Context): Bound {
    const source = this.alias(expr.of, context.level);
    if (source !== undefined) {
      const found = columnOf(source, expr.name.text);
      if (found === undefined) throw unknownMember(source, expr.name, expr);
      return this.found(expr, found, this.levelOf(source, context.level), context.level);
    }
    return (
      this.property(expr, expr.of, expr.name.text, context) ?? this.jsonMember(expr.of, expr.name.text, context, expr)
    );
  }

  /** `x.props['key']` and `x.props.key`. */
  private property(expr: Expr, of: Expr, key: string, context: Context): Bound | undefined {
    if (of.kind !== "member" || of.name.text !== "props") return undefined;
    const source = this.alias(of.of, context.level);
    const found = source === undefined ? undefined : propertyOf(source, key);
    return found === undefined
      ? undefined
      : this.found(expr, found, this.levelOf(found.source, context.level), context.level);
  }

  private jsonMember(of: Expr, key: string, context: Context, at: Expr): Bound {
    const object = this.bind(of, context);
    if (object.type.kind === "period" && (key === "from" || key === "to")) return endsOf(object)[key];
    if (object.type.kind !== "json" && !isNull(object.type)) {
      throw wrongType(`${shownType(object.type)} has no members`, at, "members belong to JSON values");
    }
    const name = `"${key.replace(/["\\]/g, "\\$&")}"`;
    // An element as JSON, as one of EDGES(p), has its properties under its own members, as an element of FROM has.
    return call(memberOf(key), JSON_TYPE, [object], ([x]) =>
      once([x!], ([v]) => {
        const own = `json_extract(${v}, ${quoted(`$.${name}`)})`;
        const property = `json_extract(${v}, ${quoted(`$.props.${name}`)})`;
        return jsonValue(`coalesce(${own}, CASE WHEN json_exists(${v}, '$.valid_from') THEN ${property} END)`);
      }),
    );
  }

  private index(expr: Index, context: Context): Bound {
    const { index } = expr;
    if (index === "*") throw problem("wildcard", "[*] stands in paths to rows of a WITH query alone", expr);
    const at = index.kind === "parameter" ? parameter(index, this.state.scope).value : index.value;
    if (typeof at === "string") {
      return this.property(expr, expr.of, at, context) ?? this.jsonMember(expr.of, at, context, expr);
    }
    const of = this.bind(expr.of, context);
    const i = BigInt(at as number | bigint);
    if (of.type.kind === "list") {
      const member = of.type.of;
      return call(`at ${i}`, member, [of], ([x]) =>
        i < 0n ? `list_extract(${x}, NULL)` : `list_extract(${x}, ${i + 1n})`,
      );
    }
    if (of.type.kind !== "json" && !isNull(of.type))
      throw wrongType(`${shownType(of.type)} has no members to count`, expr);
    return call(`at ${i}`, JSON_TYPE, [of], ([x]) =>
      i < 0n ? "NULL::VARCHAR" : jsonValue(`json_extract(${x}, '$[${i}]')`),
    );
  }

  // ------------------------------------------------------------ tests

  private binary(expr: Extract<Expr, { kind: "binary" }>, context: Context): Bound {
    const [a, b] = [this.bind(expr.left, context), this.bind(expr.right, context)];
    switch (expr.op) {
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
      case "||":
        return arithmetic(expr.op, a, b, this.state.scope.zone, expr);
      case "starts_with":
      case "ends_with": {
        if ([a, b].some(({ type }) => type.kind !== "string" && !isNull(type))) throw doNotCompare(a, b, expr);
        return call(expr.op, BOOL, [a, b], ([x, y]) => `${expr.op}(${x}, ${y})`);
      }
      default:
        return isPeriodWord(expr.op) ? periodTest(expr.op, a, b, expr, endsOf) : comparison(expr.op as "=", a, b, expr);
    }
  }

  private isTest(expr: Extract<Expr, { kind: "is" }>, context: Context): Bound {
    const of = this.bind(expr.of, context);
    const not = expr.not ? " NOT" : "";
    if (typeof expr.what === "object")
      return distinctFrom(of, this.bind(expr.what.distinctFrom, context), expr.not, expr);
    if (expr.what !== "null") {
      if (of.type.kind !== "bool" && !isNull(of.type))
        throw wrongType(`IS ${expr.what.toUpperCase()} takes a condition`, expr);
      const word = expr.what.toUpperCase();
      return call(`is${not} ${word}`, BOOL, [of], ([x]) => `(${x} IS${not} ${word})`);
    }
    if (this.isStoredEnd(expr.of, of, context.level)) throw neverNull(expr.of, expr);
    const json = of.type.kind === "json" ? jsonValue : (x: string) => x;
    return call(`is${not} NULL`, BOOL, [settled(of)], ([x]) => `(${json(x!)} IS${not} NULL)`);
  }

  /** An end of a stored version: open is FOREVER. After an outer join it may be missing, so then the question has sense. */
  private isStoredEnd(expr: Expr, of: Bound, level: Level): boolean {
    if (of.kind !== "column" || of.type.kind !== "instant_open" || of.source.kind !== "table") return false;
    const name = this.state.references.get(expr)?.column;
    if (name !== "valid_to" && name !== "tx_to") return false;
    for (let each: Level | null = level; each !== null; each = each.parent) {
      if (each.sources.includes(of.source)) return !each.optional.has(of.source);
    }
    return true;
  }

  private inTest(expr: InTest, context: Context): Bound {
    const of = this.bind(expr.of, context);
    if (expr.in.kind === "subquery_value") {
      const query = this.subquery(expr.in.query, context);
      const parts = of.type.kind === "row" ? membersOf(of) : [of];
      if (query.columns.length !== parts.length) oneColumn(query, expr.in, parts.length);
      return this.not(expr.not, inQuery(parts, query, expr));
    }
    if (expr.in.kind === "list") {
      const members = expr.in.of.map((each) => this.bind(each, context));
      this.state.types.set(expr.in, listOf(of.type));
      return this.not(expr.not, inWritten(of, members, expr, expr.in.of, this.state.lists));
    }
    const list = this.bind(expr.in, context);
    if (expr.in.kind === "parameter" && isUnknown(expr.in, this.state.scope)) return constant(null, BOOL);
    return this.not(expr.not, inList(of, list, expr, this.state.lists));
  }

  private like(expr: LikeTest, context: Context): Bound {
    const parts = [this.bind(expr.of, context), this.bind(expr.pattern, context)];
    for (const each of parts) {
      if (each.type.kind !== "string" && !isNull(each.type))
        throw wrongType(`LIKE compares texts, not ${shownType(each.type)}`, expr);
    }
    const mark = expr.escape;
    if (mark !== null && [...mark].length !== 1) {
      throw problem("escape", "ESCAPE takes one character", expr, { code: "E_INVALID_ARG" });
    }
    if (mark !== null && mark.length + Buffer.byteLength(mark) !== 2) {
      throw problem("escape", "ESCAPE takes a character of ASCII", expr, {
        code: "E_INVALID_ARG",
        hint: "write ESCAPE '!'",
      });
    }
    const suffix = mark === null ? "" : ` ESCAPE ${quoted(mark)}`;
    const node = call(`like ${expr.caseless} ${mark}`, BOOL, parts, ([x, y]) =>
      expr.caseless ? `(${lowerSql(x!)} LIKE ${lowerSql(y!)}${suffix})` : `(${x} LIKE ${y}${suffix})`,
    );
    return this.not(expr.not, node);
  }

  // ------------------------------------------------------------ made values

  private list(of: readonly Expr[], context: Context, at: Expr): Bound {
    const parts = of.map((each) => this.bind(each, context));
    const type = commonType(parts, { ast: { ...at, args: of } as never, name: "a list" });
    const members = parts.map((each) => asType(each, type));
    return call("list", listOf(type), members, (texts) => `[${texts.join(", ")}]`);
  }

  /** A map of constants is a constant itself, which may stand for the argument of an operator. */
  private map(expr: MapLiteral, context: Context): Bound {
    const members = new Map(expr.entries.map(({ key, value }) => [key.text, this.bind(value, context)]));
    const isPlain = [...members.values()].every(
      ({ kind, type }) =>
        kind === "constant" && !["instant", "instant_open", "duration", "interval"].includes(type.kind),
    );
    if (isPlain) {
      const values = [...members].map(([key, node]) => [key, (node as ConstantNode).value] as const);
      return constant(Object.fromEntries(values), JSON_TYPE);
    }
    const object = jsonObject(members);
    if (object !== undefined) return object;
    throw problem("map_value", "a map holds no row and no calendar step", expr, {
      hint: "name the parts of a row as members of their own",
    });
  }

  private choice(expr: Case, context: Context): Bound {
    const of = expr.of === null ? null : this.bind(expr.of, context);
    const whens = expr.when.map(({ when }) =>
      of === null ? this.test(when, context, "WHEN") : comparison("=", of, this.bind(when, context), when),
    );
    const branches = [...expr.when.map(({ then }) => then), ...(expr.else === null ? [] : [expr.else])];
    const values = branches.map((each) => this.bind(each, context));
    const type = commonType(values, { ast: { ...expr, args: branches } as never, name: "CASE" });
    const results = values.map((each) => asType(each, type));
    const count = whens.length;
    return call(`case${count}`, type, [...whens, ...results], (texts) => {
      const cases = whens.map((_, i) => `WHEN ${texts[i]} THEN ${texts[count + i]}`).join(" ");
      const last = texts.length > 2 * count ? ` ELSE ${texts.at(-1)}` : "";
      return `CASE ${cases}${last} END`;
    });
  }

  private call(expr: FunctionCall, context: Context): Bound {
    return bindFunction(expr, context, {
      zone: this.state.scope.zone,
      eventAggregates: this.state.scope.eventAggregates === true,
      bind: (each, inner) => this.bind(each, inner as Context),
      test: (each, inner, clause) => this.test(each, inner as Context, clause),
      span: (each) => literalSpan(literal(each as never, this.state.scope), each),
      element: (each) => this.alias(each, context.level),
      elementColumn: (source, name, each) => {
        const found = columnOf(source, name);
        return found === undefined
          ? undefined
          : this.found(each, found, this.levelOf(source, context.level), context.level);
      },
      aside: (work) => {
        // Inside an aggregate the columns are those of the rows, not of the groups.
        const before = context.level.outerUses;
        context.level.outerUses = [];
        const result = work();
        context.level.outerUses = before;
        return result;
      },
    });
  }
}

function literalSpan(node: Bound, at: Expr): Bound {
  if (node.type.kind === "duration" || node.type.kind === "int") return node;
  throw wrongType("a frame reaches a number of rows or a DURATION", at);
}

/** JSON null is NULL, as everywhere outside of a value. */
const jsonValue = (x: string): string => once([`${x}::VARCHAR`], ([v]) => `nullif(${v}, 'null')`);

function oneColumn(query: QueryTree, at: Expr, width = 1): void {
  if (query.columns.length === width) return;
  throw problem("subquery_columns", `the query has ${query.columns.length} columns, and ${width} is compared`, at, {
    hint: "select what is compared",
  });
}

const noPattern = (form: string, at: Expr) =>
  problem("pattern_not_supported", `${form} needs patterns, which are not there yet`, at, {
    code: "E_INVALID_ARG",
    hint: "write EXISTS (SELECT 1 FROM EDGES(T) AS e WHERE …)",
  });

function neverNull(of: Expr, at: Expr): Error {
  const name =
    of.kind === "member" && of.of.kind === "name"
      ? `${of.of.name.text}.${of.name.text}`
      : of.kind === "name"
        ? of.name.text
        : "x.valid_to";
  return problem("never_null", `${name} is never NULL: an open end is FOREVER`, at, {
    hint: `write ${name} = FOREVER`,
  });
}
