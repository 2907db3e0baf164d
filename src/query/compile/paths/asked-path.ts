// What all questions of paths share: the two ends, conditions beside them, the edges, and the arguments of time.
import type {
  EdgePattern,
  Expr,
  MatchClause,
  MatchQuery,
  NodePattern,
  Pattern,
  Query,
  Span,
  TimeMode,
} from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import { jsonOf } from "../arguments.js";
import type { Compiler } from "../compiler.js";
import { strideText } from "../fold.js";
import { windowValue } from "../periods.js";
import { refuse } from "../problem.js";
import type { Scope } from "../scope.js";
import { conjuncts } from "../tree.js";
import { edgeWhere } from "./edges.js";
import { type End, readEnd } from "./ends.js";

export interface PathQuestion {
  readonly query: Query;
  readonly body: MatchQuery;
  readonly clause: MatchClause;
  readonly pattern: Pattern;
}

export class AskedPath {
  /** Conditions that name no end. */
  readonly rest: readonly Expr[];
  readonly ends: readonly [End, End];

  constructor(
    readonly question: PathQuestion,
    readonly link: EdgePattern,
    readonly time: TimeMode,
    readonly scope: Scope,
    readonly compiler: Compiler,
  ) {
    const [left, right] = question.pattern.chain.nodes as readonly [NodePattern, NodePattern];
    const conditions = [...conjuncts(question.clause.where)];
    const [first, last] = [readEnd(left, conditions, this), readEnd(right, conditions, this)];
    this.ends = [first.end, last.end];
    this.rest = [...first.rest, ...last.rest, ...conditions];
  }

  json(expr: Expr): JsonValue {
    return jsonOf(expr, this.compiler.folder, (each) => this.compiler.path(each, this.scope)?.ref);
  }

  isPath(expr: Expr): boolean {
    return this.compiler.path(expr, this.scope) !== undefined;
  }

  span(span: Span | null): string | null {
    if (span === null) return null;
    const length = this.compiler.folder.span(span);
    if (length?.kind === "exact") return strideText(length);
    return refuse("E_INVALID_ARG", "span", span, "a wait is an exact duration", "write DURATION 'PT6H'");
  }

  /** The `where` of the edges, as a member of the arguments where there is any. */
  edges(tx: number): JsonObject {
    const where = edgeWhere(this.link, (expr) => this.json(expr), this.compiler, tx);
    return Object.keys(where).length > 0 ? { where } : {};
  }

  /** The pin, the window, the edges and the longest wait: arguments of all these operators. */
  common(): { readonly args: JsonObject; readonly tx: number } {
    const { compiler, question } = this;
    const times = compiler.times.of(question.clause.times, question.clause);
    const pin = compiler.times.pin(times.transaction, times.transactionAt, "pin it: FOR TRANSACTION_TIME AS OF …");
    const { valid } = times;
    const args: JsonObject = { as_of_tt: pin.asOf };
    if (valid.kind === "at" || (valid.kind === "window" && valid.form !== "from_to" && valid.form !== "between")) {
      refuse(
        "E_AXIS",
        "valid_time",
        times.validAt,
        "a journey takes a stretch of valid time",
        "write FOR VALID_TIME FROM … TO …",
      );
    }
    if (valid.kind === "window") args.window = windowValue(valid);
    const maxWait = this.span(this.time.maxWait);
    if (maxWait !== null) args.max_wait = maxWait;
    compiler.note("MATCH", times, pin.asOf);
    return { args, tx: pin.tx };
  }
}
