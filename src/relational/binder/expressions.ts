// Binds expressions: names to columns, literals to constants, operators and functions to typed calls.
// Hands each kind of syntax to its file; what types compare and add is in comparisons.ts and arithmetic.ts.
import { type Expr, type FunctionCall, isPatternBody, type Query } from "../../../grammar/ast.js";
import type { Bound, QueryTree } from "../bound.js";
import { cast } from "../functions/casts.js";
import { endsOf } from "../functions/time.js";
import { call, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { BOOL, isNull, rowOf, shownType } from "../types.js";
import { arithmetic, negative } from "./arithmetic.js";
import { comparison, doNotCompare, isPeriodWord, periodTest } from "./comparisons.js";
import type { BindExpression, BindSubquery, Context } from "./context.js";
import { bindFunction } from "./functions.js";
import { literal, parameter } from "./literals.js";
import { boundCase, boundList, boundMap } from "./made-values.js";
import { NameBinder } from "./names.js";
import type { BindingState } from "./state.js";
import { checkWidth, negated, TestBinder } from "./tests.js";

export class ExpressionBinder {
  private readonly part: BindExpression = (expr, context) => this.bind(expr, context);
  private readonly names: NameBinder;
  private readonly tests: TestBinder;

  constructor(
    readonly state: BindingState,
    private readonly bindSubquery: BindSubquery,
  ) {
    this.names = new NameBinder(state, this.part);
    this.tests = new TestBinder(state, this.part, (query, context) => this.subquery(query, context));
  }

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
        return this.names.name(expr, context);
      case "member":
        return this.names.member(expr, context);
      case "index":
        return this.names.index(expr, context);
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
        return this.tests.isTest(expr, context);
      case "in":
        return this.tests.inTest(expr, context);
      case "between": {
        const [of, from, to] = [expr.of, expr.from, expr.to].map((each) => this.bind(each, context)) as [
          Bound,
          Bound,
          Bound,
        ];
        const both = [comparison(">=", of, from, expr), comparison("<=", of, to, expr)];
        return negated(
          expr.not,
          call("and", BOOL, both, ([a, b]) => `(${a} AND ${b})`),
        );
      }
      case "like":
        return this.tests.like(expr, context);
      case "row": {
        const parts = expr.of.map((each) => settled(this.bind(each, context)));
        return call("row", rowOf(parts.map(({ type }) => type)), parts, (texts) => `row(${texts.join(", ")})`);
      }
      case "list":
        return boundList(expr.of, context, expr, this.part);
      case "map":
        return boundMap(expr, context, this.part);
      case "case":
        return boundCase(expr, context, {
          bind: this.part,
          test: (each, inner, clause) => this.test(each, inner, clause),
        });
      case "cast":
        return cast(expr, this.bind(expr.of, context));
      case "exists":
        if (isPatternBody(expr.of)) throw noPattern("EXISTS { … }", expr);
        return { kind: "exists", type: BOOL, query: this.subquery(expr.of, context) };
      case "count_pattern":
        throw noPattern("COUNT { … }", expr);
      case "subquery_value": {
        const query = this.subquery(expr.query, context);
        checkWidth(query, expr);
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

  private call(expr: FunctionCall, context: Context): Bound {
    return bindFunction(expr, context, {
      zone: this.state.scope.zone,
      eventAggregates: this.state.scope.eventAggregates === true,
      bind: (each, inner) => this.bind(each, inner as Context),
      test: (each, inner, clause) => this.test(each, inner as Context, clause),
      span: (each) => literalSpan(literal(each as never, this.state.scope), each),
      element: (each) => this.names.alias(each, context.level),
      elementColumn: (source, name, each) => this.names.elementColumn(source, name, each, context.level),
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

const noPattern = (form: string, at: Expr) =>
  problem("pattern_not_supported", `${form} needs patterns, which are not there yet`, at, {
    code: "E_INVALID_ARG",
    hint: "write EXISTS (SELECT 1 FROM EDGES(T) AS e WHERE …)",
  });
