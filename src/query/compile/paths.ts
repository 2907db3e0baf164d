// Patterns of one repeated edge under TIME_RESPECTING that are questions of an operator: best paths between two named
// ends, best values at a free end, the longest chain. Everything else is left for its asker.
import type {
  EdgePattern,
  Expr,
  FunctionCall,
  MatchClause,
  MatchQuery,
  NodePattern,
  Pattern,
  Query,
  Select,
  Span,
  TimeMode,
} from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { DURATION, INSTANT, INT, JSON_TYPE, STRING, type TqlType } from "../../relational/index.js";
import { jsonOf } from "./arguments.js";
import type { Compiler } from "./compiler.js";
import { strideText } from "./fold.js";
import { checkNames, labelParts } from "./labels.js";
import { windowValue } from "./periods.js";
import { notSupported, type Placed, refuse } from "./problem.js";
import type { Relation, RelationColumn } from "./relation.js";
import type { Scope } from "./scope.js";
import { SelectCompiler } from "./select.js";
import { member, nameOf } from "./syntax.js";
import { conjuncts, replaced, type TreeNode, visit } from "./tree.js";

export interface PathQuestion {
  readonly query: Query;
  readonly body: MatchQuery;
  readonly clause: MatchClause;
  readonly pattern: Pattern;
}

/** Undefined where the pattern is none of these questions. */
export function pathQuery(question: PathQuestion, scope: Scope, compiler: Compiler): Relation | undefined {
  const { pattern } = question;
  const [link] = pattern.chain.links;
  if (link?.kind !== "edge" || pattern.time?.kind !== "time_respecting") return undefined;
  const isTravel = pattern.time.arrival !== null;
  if (!isTravel && pattern.search?.kind !== "longest") return undefined;
  const paths = new Paths(question, link, pattern.time, scope, compiler);
  return isTravel ? paths.travel() : paths.longest();
}

interface End {
  readonly node: NodePattern;
  /** What it is named by; null for a free end. */
  readonly uid: JsonValue;
  /** Conditions beside that. */
  readonly filter: JsonObject | null;
}

const CRITERIA: Readonly<Record<string, string>> = {
  earliest: "foremost",
  latest_departure: "latest_departure",
  fastest: "fastest",
  any: "shortest",
  shortest: "shortest",
};
const MOST_HOPS = 32;
const MOST_FREE_HOPS = 64;
const MOST_PATHS = 1000;

const PARTS = "ask for parts of the path: NODES(p), EDGES(p), LENGTH(p), DEPARTURE(p), ARRIVAL(p)";

const freeEnd = (node: Placed, message: string): never =>
  refuse(
    "E_INVALID_ARG",
    "free_end",
    node,
    message,
    "one end is free: best values over walks: EARLIEST WALK TIME_RESPECTING (ARRIVAL …) …->+…; or name both ends by uid",
  );

class Paths {
  private readonly rest: Expr[] = [];
  private readonly ends: readonly [End, End];

  constructor(
    private readonly question: PathQuestion,
    private readonly link: EdgePattern,
    private readonly time: TimeMode,
    private readonly scope: Scope,
    private readonly compiler: Compiler,
  ) {
    const [left, right] = question.pattern.chain.nodes as readonly [NodePattern, NodePattern];
    const conditions = [...conjuncts(question.clause.where)];
    this.ends = [this.end(left, conditions), this.end(right, conditions)];
    this.rest.push(...conditions);
  }

  private json(expr: Expr): JsonValue {
    return jsonOf(expr, this.compiler.folder, (each) => this.compiler.path(each, this.scope)?.ref);
  }

  /** Takes what names the node out of the conditions; `{name: 'x'}` stays as a filter. */
  private end(node: NodePattern, conditions: Expr[]): End {
    let uid: JsonValue = null;
    const props: JsonObject[] = [];
    for (const { key, value } of node.map?.entries ?? []) {
      if (key.text === "uid") uid = this.json(value);
      else props.push({ prop: key.text, op: "eq", value: this.json(value) });
    }
    const own = [...conjuncts(node.where)];
    for (const list of [own, conditions]) {
      const i = list.findIndex((expr) => this.uidOf(expr, node) !== undefined);
      if (i < 0 || uid !== null) continue;
      uid = this.json(this.uidOf(list[i]!, node)!);
      list.splice(i, 1);
    }
    this.rest.push(...own);
    const { any, all, rest } = labelParts(node.labels);
    if (rest.length > 0)
      refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        rest[0]!,
        "an end of such a path takes names of labels with & and |",
        "leave ! out",
      );
    const labels = [...(any?.length === 1 ? any : []), ...all];
    const filter: JsonObject = {
      ...(labels.length > 0 ? { labels } : {}),
      ...(any !== null && any.length > 1 ? { any_labels: [...any] } : {}),
      ...(props.length > 0 ? { props } : {}),
    };
    return { node, uid, filter: Object.keys(filter).length === 0 ? null : filter };
  }

  /** The other side of `a.uid = …`. */
  private uidOf(expr: Expr, node: NodePattern): Expr | undefined {
    if (expr.kind !== "binary" || expr.op !== "=" || node.variable === null) return undefined;
    const isUid = (side: Expr): boolean =>
      side.kind === "member" &&
      side.of.kind === "name" &&
      side.of.name.text === node.variable!.text &&
      side.name.text === "uid";
    const isConstant = (side: Expr): boolean =>
      side.kind === "string" || side.kind === "parameter" || this.compiler.path(side, this.scope) !== undefined;
    if (isUid(expr.left) && isConstant(expr.right)) return expr.right;
    return isUid(expr.right) && isConstant(expr.left) ? expr.left : undefined;
  }

  // ------------------------------------------------------------ what all of them take

  private orientation(): string {
    const { direction } = this.link;
    return direction === "any" ? "both" : direction;
  }

  private span(span: Span | null): string | null {
    if (span === null) return null;
    const length = this.compiler.folder.span(span);
    if (length?.kind === "exact") return strideText(length);
    return refuse("E_INVALID_ARG", "span", span, "a wait is an exact duration", "write DURATION 'PT6H'");
  }

  /** Types, and equalities of the edge's map; other conditions are refused. */
  private edgeWhere(tx: number): JsonObject {
    const { link } = this;
    if (link.in !== null || link.cost !== null)
      refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        link,
        "edges IN a table and COST cannot be answered yet",
        "leave them out",
      );
    checkNames(this.compiler, link.labels, "types", tx);
    const { any, all, rest } = labelParts(link.labels);
    if (rest.length > 0)
      refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        rest[0]!,
        "such a path takes names of types with |",
        "leave ! out",
      );
    const where: JsonObject = {};
    if (any !== null)
      where.types = all.length === 0 ? [...any] : any.filter((name) => all.every((each) => each === name));
    const preds: JsonObject[] = [];
    for (const { key, value } of link.map?.entries ?? []) {
      const json = this.json(value);
      if (key.text === "key") where.keys = [json];
      else preds.push({ prop: key.text, op: "eq", value: json });
    }
    for (const part of conjuncts(link.where)) {
      const pred = this.predicate(part);
      if (pred === undefined)
        refuse(
          "E_INVALID_ARG",
          "pattern_not_supported",
          part,
          "the edges of such a path take comparisons of a property with a constant",
          "write WHERE r.x >= 5",
        );
      preds.push(pred);
    }
    if (preds.length > 0) where.edge = preds;
    return where;
  }

  private predicate(expr: Expr): JsonObject | undefined {
    const ops: Record<string, string> = { "=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" };
    if (expr.kind !== "binary" || ops[expr.op] === undefined) return undefined;
    const { left, right } = expr;
    const own = this.link.variable?.text;
    if (left.kind !== "member" || left.of.kind !== "name" || left.of.name.text !== own) return undefined;
    return { prop: left.name.text, op: ops[expr.op]!, value: this.json(right) };
  }

  private common(): { readonly args: JsonObject; readonly tx: number } {
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

  private noRest(): void {
    const [first] = this.rest;
    if (first !== undefined)
      refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        first,
        "such a path takes no further conditions",
        "name the ends by uid, and filter the rows in a query around it",
      );
  }

  // ------------------------------------------------------------ the questions

  travel(): Relation {
    const { pattern, clause } = this.question;
    if (this.time.within !== null)
      refuse("E_INVALID_ARG", "time_option", this.time.within, "WITHIN does not go with ARRIVAL", "leave it out");
    if (this.time.ties === "by_seq")
      refuse(
        "E_INVALID_ARG",
        "time_option",
        this.time,
        "journeys have no event order",
        "write TIES STRICT or TIES ALLOW",
      );
    if (clause.patterns.length > 1)
      refuse("E_INVALID_ARG", "time_option", clause, "ARRIVAL is for one pattern", "leave the others out");
    this.noRest();
    const { args, tx } = this.common();
    args.orientation = this.orientation();
    args.arrival = this.time.arrival === "end" ? "valid_end" : "instant";
    args.ties = this.time.ties ?? "allow";
    const where = this.edgeWhere(tx);
    if (Object.keys(where).length > 0) args.where = where;
    for (const { node } of this.ends) checkNames(this.compiler, node.labels, "labels", tx);
    const isNamed = this.ends.every(({ uid }) => uid !== null);
    return isNamed ? this.betweenEnds(args, pattern) : this.fromOneEnd(args, pattern);
  }

  private betweenEnds(args: JsonObject, pattern: Pattern): Relation {
    const { search } = pattern;
    const criterion = search === null ? undefined : CRITERIA[search.kind];
    if (search === null || criterion === undefined || search.all) {
      return refuse(
        "E_INVALID_ARG",
        "search",
        search ?? pattern,
        "a journey is the best by something",
        "write EARLIEST, LATEST DEPARTURE, FASTEST, ANY SHORTEST or SHORTEST k",
      );
    }
    if (pattern.mode !== null && pattern.mode !== "acyclic") {
      refuse(
        "E_INVALID_ARG",
        "mode",
        pattern,
        "paths between two named ends visit no node twice",
        "write ACYCLIC, or leave the word out",
      );
    }
    const { quantifier } = this.link;
    const most = quantifier?.max ?? (quantifier === null ? 1 : null);
    if (most === null || most > MOST_HOPS) {
      refuse(
        "E_INVALID_ARG",
        "unbounded",
        quantifier ?? this.link,
        `paths here have at most ${MOST_HOPS} hops`,
        "write a bound: ->{1,6}",
      );
    }
    const k = search.count === null ? 1 : this.compiler.count(search.count, "the number of paths");
    if (k < 1 || k > MOST_PATHS) refuse("E_INVALID_ARG", "count", search, `${k} paths are not 1 to ${MOST_PATHS}`, "");
    const least = quantifier?.min ?? 1;
    if (least < 1) refuse("E_INVALID_ARG", "quantifier", quantifier!, "a journey has at least one hop", "write {1,n}");
    const [from, to] = this.ends;
    const step = this.compiler.steps.add(
      "temporal_paths",
      {
        ...args,
        src: from.uid,
        dst: to.uid,
        criterion,
        k,
        min_hops: least,
        max_hops: most,
        ...(this.readsEdges() ? { props: "all" } : {}),
        ...(from.filter === null ? {} : { src_filter: from.filter }),
        ...(to.filter === null ? {} : { dst_filter: to.filter }),
      },
      { unknown: "empty" },
    );
    return this.answer(
      step,
      new Map<string, readonly [string, TqlType]>([
        ["DEPARTURE", ["departure", INSTANT]],
        ["ARRIVAL", ["arrival", INSTANT]],
        ["SPAN", ["duration", DURATION]],
        ["LENGTH", ["hops", INT]],
        ["NODES", ["nodes", JSON_TYPE]],
        ["EDGES", ["edges", JSON_TYPE]],
      ]),
      null,
    );
  }

  /** Whether EDGES(p) is returned, which shows the properties of the edges too. */
  private readsEdges(): boolean {
    const { body, query } = this.question;
    let reads = false;
    visit([body.items, body.grouping, query.orderBy], (node) => {
      if (node.kind === "function" && (node as FunctionCall).name.text === "EDGES") reads = true;
      return !reads;
    });
    return reads;
  }

  private fromOneEnd(args: JsonObject, pattern: Pattern): Relation {
    const [left, right] = this.ends;
    const isForward = left.uid !== null;
    const named = isForward ? left : right;
    const free = isForward ? right : left;
    const { search, mode } = pattern;
    const { quantifier } = this.link;
    if (named.uid === null) return freeEnd(pattern, "no end is named by its uid");
    if (mode !== "walk") return freeEnd(pattern, "one end is free, so WALK must be written");
    if (quantifier === null || quantifier.min !== 1) return freeEnd(this.link, "the edge is repeated from once on");
    if (named.filter !== null || free.filter !== null)
      return freeEnd(free.node, "the ends carry no labels and no conditions here");
    const value = this.freeValue(search, isForward);
    if (quantifier.max !== null && quantifier.max > MOST_FREE_HOPS)
      freeEnd(quantifier, `at most ${MOST_FREE_HOPS} hops`);
    if (named.node.in !== null) freeEnd(named.node.in, "the named end is not IN a cohort");
    const to = free.node.in === null ? null : this.cohort(free.node);
    const step = this.compiler.steps.add(
      "temporal_reachability",
      {
        ...args,
        uid: named.uid,
        direction: isForward ? "forward" : "backward",
        ...(quantifier.max === null ? {} : { max_hops: quantifier.max }),
        ...(value === "hops" ? { hops: true } : {}),
        ...(to === null ? {} : { to }),
      },
      { unknown: "empty" },
    );
    const columns: Record<string, readonly [string, TqlType]> = {
      arrival: ["arrival", INSTANT],
      departure: ["departure", INSTANT],
      hops: ["hops", INT],
    };
    const name = { arrival: "ARRIVAL", departure: "DEPARTURE", hops: "LENGTH" }[value];
    return this.answer(step, new Map([[name, columns[value]!]]), free.node);
  }

  private freeValue(search: Pattern["search"], isForward: boolean): "arrival" | "departure" | "hops" {
    if (search?.count === null && !search.all) {
      if (search.kind === "earliest" && isForward) return "arrival";
      if (search.kind === "latest_departure" && !isForward) return "departure";
      if (search.kind === "any") return "hops";
    }
    if (search?.kind === "shortest" && !search.all) return "hops";
    return freeEnd(
      search ?? this.question.pattern,
      "EARLIEST needs its start named, LATEST DEPARTURE its end, ANY SHORTEST either; nothing else goes here",
    );
  }

  private cohort(node: NodePattern): JsonValue {
    const rows: Expr = { kind: "index", of: member(node.in!.text, "rows"), index: "*" };
    return this.json({ kind: "member", of: rows, name: nameOf("uid") });
  }

  longest(): Relation | undefined {
    const { pattern } = this.question;
    const { quantifier } = this.link;
    const [left, right] = this.ends;
    const hasOnlyUids = [left, right].every(
      ({ uid, filter, node }) => uid !== null && filter === null && node.in === null,
    );
    if (pattern.mode !== "walk" || this.time.ties === null || this.time.ties === "allow") {
      return refuse(
        "E_INVALID_ARG",
        "search",
        pattern,
        "LONGEST is for a WALK with TIES STRICT or TIES BY SEQ",
        "write LONGEST WALK TIME_RESPECTING (TIES STRICT)",
      );
    }
    if (!hasOnlyUids || quantifier?.min !== 1 || quantifier.max !== null || this.rest.length > 0) return undefined;
    if (this.link.direction === "any" || this.question.pattern.search?.count != null) return undefined;
    const { args, tx } = this.common();
    const where = this.edgeWhere(tx);
    if (Object.keys(where).length > 0) args.where = where;
    const within = this.span(this.time.within);
    if (within !== null) args.within = within;
    const isForward = this.link.direction === "out";
    const step = this.compiler.steps.add(
      "longest_temporal_chain",
      { ...args, ties: this.time.ties, start: (isForward ? left : right).uid, end: (isForward ? right : left).uid },
      { unknown: "empty" },
    );
    return this.answer(
      step,
      new Map<string, readonly [string, TqlType]>([
        ["LENGTH", ["length", INT]],
        ["DEPARTURE", ["departure", INSTANT]],
        ["ARRIVAL", ["arrival", INSTANT]],
        ["SPAN", ["span", DURATION]],
      ]),
      null,
      "fields",
    );
  }

  // ------------------------------------------------------------ what is returned

  /** Plain values of the paths are the step's own columns; anything else is a `select` over them. */
  private answer(
    step: string,
    values: ReadonlyMap<string, readonly [string, TqlType]>,
    free: NodePattern | null,
    kind: "rows" | "fields" = "rows",
  ): Relation {
    const { body, query, pattern } = this.question;
    const columnOf = (expr: Expr): RelationColumn | undefined => {
      if (expr.kind === "member" && expr.of.kind === "name" && free?.variable?.text === expr.of.name.text) {
        if (expr.name.text === "uid") return { name: "uid", from: "uid", type: STRING };
        return freeEnd(expr, "beside its value only the uid of the free end can be returned");
      }
      if (expr.kind === "name") return this.whole(expr);
      if (expr.kind !== "function") return undefined;
      const [of] = (expr as FunctionCall).args;
      if (of?.kind !== "name" || of.name.text !== pattern.variable?.text) return undefined;
      const found = values.get(expr.name.text);
      if (found === undefined) {
        return refuse(
          "E_INVALID_ARG",
          "pattern_not_supported",
          expr,
          `${expr.name.text} of such a path is not known`,
          `known: ${[...values.keys()].join(", ")}`,
        );
      }
      const [from, type] = found;
      return { name: expr.name.text.toLowerCase(), from, type };
    };
    const columns = body.items.map((item): RelationColumn | undefined => {
      if (item.kind !== "expr") return notSupported(item, "every part of such a path", PARTS);
      const column = columnOf(item.expr);
      return column === undefined ? undefined : { ...column, name: item.as?.text ?? column.name };
    });
    const isPlain =
      !columns.includes(undefined) && !body.distinct && body.grouping.groupBy === null && query.orderBy.length === 0;
    const isCut = query.limit !== null || query.offset !== null || query.withTies;
    const own = { table: step, fields: new Map(), lists: new Map() };
    if (isPlain && !isCut && body.grouping.having === null)
      return { ...own, kind, columns: columns as RelationColumn[] };
    if (kind === "fields") {
      return refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        body,
        "of the longest chain its LENGTH, DEPARTURE, ARRIVAL and SPAN are returned as they are",
        "put the MATCH into WITH, and compute with its columns",
      );
    }
    return this.over({ ...own, kind, columns: this.shown(values, free) }, columnOf);
  }

  /** A path, an end or an edge of it as a value; undefined for other names. */
  private whole(expr: Extract<Expr, { kind: "name" }>): undefined {
    const { pattern } = this.question;
    const names = [pattern, this.link, ...pattern.chain.nodes].map(({ variable }) => variable?.text);
    if (names.includes(expr.name.text)) notSupported(expr, `the whole of ${expr.name.text} as a value`, PARTS);
  }

  private shown(values: ReadonlyMap<string, readonly [string, TqlType]>, free: NodePattern | null): RelationColumn[] {
    const columns = [...values.values()].map(([from, type]) => ({ name: from, from, type }));
    return free === null ? columns : [{ name: "uid", from: "uid", type: STRING }, ...columns];
  }

  private over(relation: Relation, columnOf: (expr: Expr) => RelationColumn | undefined): Relation {
    const { body, query } = this.question;
    const table = "paths";
    const replace = (node: TreeNode): unknown => {
      const expr = node as unknown as Expr;
      const column = columnOf(expr);
      if (column !== undefined) return member(table, column.from);
      const end = this.ends.find(
        ({ node: { variable } }) =>
          variable !== null && expr.kind === "member" && expr.of.kind === "name" && expr.of.name.text === variable.text,
      );
      if (end === undefined || expr.kind !== "member") return undefined;
      if (expr.name.text === "uid" && typeof end.uid === "string") return { kind: "string", value: end.uid } as Expr;
      return refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        expr,
        "of the ends of such a path only the uid can be returned",
        "join NODES(…) in a query around it",
      );
    };
    const select: Select = {
      kind: "select",
      distinct: body.distinct,
      items: body.items.map((item) =>
        item.kind === "expr"
          ? { ...item, expr: replaced(item.expr, replace), as: item.as ?? nameOf(columnOf(item.expr)?.name ?? "value") }
          : item,
      ),
      from: [{ table: { kind: "named", path: [nameOf(table)], alias: null }, joins: [] }],
      where: null,
      grouping: replaced(body.grouping, replace),
    };
    const orderBy = query.orderBy.map((sort) => ({ ...sort, expr: replaced(sort.expr, replace) }));
    const common = { name: nameOf(table), query, scope: this.scope, relation };
    return new SelectCompiler(this.compiler).compile(
      { ...query, with: [], body: select, orderBy },
      this.scope.with(common),
    );
  }
}
