// Random statements as trees, as the parser makes them: every kind of node, names that need quotes, all soft keywords.
import fc from "fast-check";
import type * as ast from "../../grammar/index.js";
import { printQuery, RESERVED, SOFT } from "../../grammar/index.js";

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** One depth for all: whatever contains trees grows poor where it is deep. */
const DEPTH = { maxDepth: 5, depthIdentifier: "tree" } as const;
const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some, { nil: null, freq: 2, ...DEPTH });
const few = <T>(some: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<T[]> => {
  const least = fc.array(some, { minLength, maxLength: minLength });
  return fc.oneof(DEPTH, { weight: 2, arbitrary: least }, fc.array(some, { minLength, maxLength: minLength + 2 }));
};

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 6 }).filter((some) => some.isWellFormed()) },
  one("it's", '"', "a\nb", "--", "/* */", ";", "\\", "$x", "🜚"),
);
const nameText = fc.oneof(
  { weight: 4, arbitrary: one("a", "b", "n", "e", "uid", "Åsa", "x_1", "name", "epoch_s", "变量") },
  { weight: 1, arbitrary: one(...RESERVED) },
  { weight: 2, arbitrary: one(...SOFT.map((word) => word.toLowerCase())) },
  { weight: 1, arbitrary: text.filter((some) => some !== "") },
);
const name: fc.Arbitrary<ast.Name> = nameText.map((some) => ({ text: some }));
const int64 = fc.oneof(fc.bigInt(0n, 40n), fc.bigInt(0n, 2n ** 63n - 1n));
const integer: fc.Arbitrary<ast.IntegerLiteral> = int64.map((value) => ({ kind: "integer", value }));
const parameter: fc.Arbitrary<ast.Parameter> = one("p", "from", "Ω", "order").map((some) => ({
  kind: "parameter",
  name: some,
}));
const string: fc.Arbitrary<ast.StringLiteral> = text.map((value) => ({ kind: "string", value }));
const written = fc.oneof(string, parameter);
const count = fc.oneof(integer, parameter);
const span: fc.Arbitrary<ast.Span> = fc.oneof(
  fc.record({ kind: fc.constant("duration" as const), text: written }),
  fc.record({ kind: fc.constant("interval" as const), text: written }),
  parameter,
);
const epochValue = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value): ast.IntegerLiteral => ({ kind: "integer", value })),
  parameter,
);

const literal: fc.Arbitrary<ast.Expr> = fc.oneof(
  string,
  integer,
  fc.constant<ast.Expr>({ kind: "integer", value: -(2n ** 63n) }),
  fc
    .double({ min: 0, noNaN: true, noDefaultInfinity: true })
    .map((value): ast.Expr => ({ kind: "number", value: Math.abs(value) })),
  fc.record({ kind: fc.constant("boolean" as const), value: fc.boolean() }),
  fc.constant<ast.Expr>({ kind: "null" }),
  fc.record({
    kind: fc.constant("named_instant" as const),
    name: one("forever", "beginning", "current_timestamp", "current_date"),
  }) as fc.Arbitrary<ast.Expr>,
  fc.record({
    kind: fc.constant("instant" as const),
    form: one("timestamp", "date"),
    text: written,
  }) as fc.Arbitrary<ast.Expr>,
  fc.record({
    kind: fc.constant("epoch" as const),
    unit: one("s", "ms", "us"),
    value: epochValue,
  }) as fc.Arbitrary<ast.Expr>,
  fc.record({ kind: fc.constant("duration" as const), text: written }),
  fc.record({ kind: fc.constant("interval" as const), text: written }),
);

const ARITHMETIC = ["+", "-", "*", "/", "%", "||"] as const;
const PREDICATES = [
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "overlaps",
  "contains",
  "equals",
  "precedes",
  "succeeds",
  "immediately_precedes",
  "immediately_succeeds",
  "starts_with",
  "ends_with",
] as const;

/** What follows IN as it is: anything else in parentheses would be a list. */
const isBareMember = (expr: ast.Expr): boolean =>
  ["name", "parameter", "list", "member", "index", "function", "subquery_value", "string"].includes(expr.kind) ||
  (expr.kind === "binary" && (ARITHMETIC as readonly string[]).includes(expr.op));

const frameBound: fc.Arbitrary<ast.Bound> = fc.oneof(
  fc.record({ kind: fc.constant("unbounded" as const), side: one("preceding" as const, "following" as const) }),
  fc.constant<ast.Bound>({ kind: "current_row" }),
  fc.record({
    kind: fc.constant("offset" as const),
    by: fc.oneof(integer, span),
    side: one("preceding" as const, "following" as const),
  }),
);

const SELECT_ONE: ast.Select = {
  kind: "select",
  distinct: false,
  items: [{ kind: "expr", expr: { kind: "integer", value: 1n }, as: null }],
  from: [],
  where: null,
  grouping: { groupBy: null, having: null, windows: [], qualify: null },
};

/** A query whose parentheses mean nothing. */
const isPlain = (query: ast.Query): boolean =>
  query.with.length === 0 && query.orderBy.length === 0 && query.limit === null && query.offset === null;

interface Trees {
  expr: ast.Expr;
  map: ast.MapLiteral;
  sort: ast.Sort;
  window: ast.Window;
  query: ast.Query;
  core: ast.QueryBody;
  times: ast.TimeClause[];
  period: ast.Period;
  chain: ast.Chain;
  body: ast.PatternBody;
  labels: ast.Labels;
  table: ast.Table;
}

const trees = fc.letrec<Trees>((looseTie) => {
  const tie = looseTie as <K extends keyof Trees>(key: K) => fc.Arbitrary<Trees[K]>;
  const expr = tie("expr");
  const exprs = (least = 0) => few(expr, least);
  const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
    fc.record(shape) as fc.Arbitrary<T>;
  const kind = <const K extends string>(value: K) => fc.constant(value);

  const call = record<ast.FunctionCall>({
    kind: kind("function"),
    name: nameText.map((some) => ({ text: some.toUpperCase() })),
    distinct: fc.boolean(),
    star: fc.boolean(),
    args: exprs(),
    orderBy: few(tie("sort")),
    ignoreNulls: fc.boolean(),
    filter: maybe(expr),
    over: maybe(fc.oneof(name, tie("window"))),
  }).map(
    (some): ast.FunctionCall => ({
      ...some,
      args: some.star ? [] : some.args,
      ignoreNulls: some.ignoreNulls && some.args.length > 0 && !some.star,
    }),
  );
  const logical = fc.tuple(one("and" as const, "or" as const), exprs(2)).map(
    ([op, of]): ast.Expr => ({
      kind: "logical",
      op,
      of: of.flatMap((part) => (part.kind === "logical" && part.op === op ? part.of : [part])),
    }),
  );
  const compound = fc.oneof(
    record<ast.Member>({ kind: kind("member"), of: expr, name }),
    record<ast.Index>({
      kind: kind("index"),
      of: expr,
      index: fc.oneof(integer, string, parameter, fc.constant("*" as const)),
    }),
    fc
      .tuple(one("-" as const, "+" as const, "not" as const), expr)
      .map(([op, of]): ast.Expr => ({ kind: "unary", op, of })),
    record<ast.Binary>({ kind: kind("binary"), op: one(...ARITHMETIC, ...PREDICATES), left: expr, right: expr }),
    logical,
    record<ast.IsTest>({
      kind: kind("is"),
      of: expr,
      not: fc.boolean(),
      what: fc.oneof(one("null" as const, "true" as const, "false" as const), fc.record({ distinctFrom: expr })),
    }),
    record<ast.InTest>({
      kind: kind("in"),
      of: expr,
      not: fc.boolean(),
      in: expr.chain((some) =>
        isBareMember(some) ? fc.constant(some) : exprs().map((of): ast.Expr => ({ kind: "list", of: [some, ...of] })),
      ),
    }),
    record<ast.BetweenTest>({ kind: kind("between"), of: expr, not: fc.boolean(), from: expr, to: expr }),
    record<ast.LikeTest>({
      kind: kind("like"),
      of: expr,
      not: fc.boolean(),
      caseless: fc.boolean(),
      pattern: expr,
      escape: maybe(text),
    }),
    record<ast.Row>({ kind: kind("row"), of: exprs(2) }),
    record<ast.ListExpr>({ kind: kind("list"), of: exprs() }),
    tie("map"),
    record<ast.Case>({
      kind: kind("case"),
      of: maybe(expr),
      when: few(record<{ when: ast.Expr; then: ast.Expr }>({ when: expr, ["then" as const]: expr }), 1),
      else: maybe(expr),
    }),
    record<ast.Cast>({ kind: kind("cast"), try: fc.boolean(), of: expr, type: name, list: fc.boolean() }),
    record<ast.Exists>({ kind: kind("exists"), of: fc.oneof(tie("body"), tie("query")) }),
    record<ast.CountPattern>({ kind: kind("count_pattern"), of: tie("body") }),
    // A query that begins with a parenthesis cannot stand in one of an expression.
    record<ast.ScalarSubquery>({
      kind: kind("subquery_value"),
      query: tie("core").map(
        (body): ast.Query => ({
          kind: "query",
          with: [],
          body: body.kind === "set" || body.kind === "query" ? SELECT_ONE : body,
          orderBy: [],
          limit: null,
          withTies: false,
          offset: null,
        }),
      ),
    }),
    call,
  );

  const grouping = record<ast.Grouping>({
    groupBy: maybe(fc.oneof(fc.constant("all" as const), exprs(1))),
    having: maybe(expr),
    windows: few(fc.record({ name, window: tie("window") })),
    qualify: maybe(expr),
  });
  const items: fc.Arbitrary<ast.Item[]> = few(
    fc.oneof(
      fc.constant<ast.Item>({ kind: "star" }),
      record<Extract<ast.Item, { kind: "qualified_star" }>>({ kind: kind("qualified_star"), name }),
      record<Extract<ast.Item, { kind: "expr" }>>({ kind: kind("expr"), expr, as: maybe(name) }),
    ),
    1,
  );
  const alias = maybe(fc.record({ name, columns: few(name) }));
  const invocation = record<ast.Invocation>({ name, args: few(fc.record({ name, value: expr })), times: tie("times") });
  const join = fc
    .tuple(
      one<ast.Join["how"]>("cross", "inner", "left", "right", "full", "semi", "anti"),
      tie("table"),
      expr,
      maybe(few(name, 1)),
    )
    .map(([how, table, on, using]): ast.Join => {
      if (how === "cross") return { how, table, on: null, using: null };
      return { how, table, on: using === null ? on : null, using };
    });
  const select = record<ast.Select>({
    kind: kind("select"),
    distinct: fc.boolean(),
    items,
    from: few(record<ast.Source>({ table: tie("table"), joins: few(join) })),
    where: maybe(expr),
    grouping,
  });
  const clause = fc
    .tuple(tie("body"), fc.boolean())
    .map(([body, optional]): ast.MatchClause => ({ ...body, optional }));
  const match = record<ast.MatchQuery>({
    kind: kind("match"),
    clauses: few(clause, 1),
    distinct: fc.boolean(),
    items,
    grouping,
  });
  const callQuery = record<ast.CallQuery>({
    kind: kind("call"),
    call: invocation,
    yields: maybe(fc.oneof(fc.constant("*" as const), few(fc.record({ name, as: maybe(name) }), 1))),
    where: maybe(expr),
  });
  const set = record<ast.SetOperation>({
    kind: kind("set"),
    op: one("union", "except", "intersect"),
    all: fc.boolean(),
    left: tie("core"),
    right: tie("core"),
  });
  const nested = tie("query").map((query): ast.QueryBody => (isPlain(query) ? query.body : query));
  const query = record<ast.Query>({
    kind: kind("query"),
    with: few(fc.record({ name, query: tie("query") })),
    body: tie("core"),
    orderBy: few(tie("sort")),
    limit: maybe(count),
    withTies: fc.boolean(),
    offset: maybe(count),
  }).map((some): ast.Query => {
    const limited = { ...some, withTies: some.withTies && some.limit !== null };
    return isPlain(limited) && limited.body.kind === "query" ? limited.body : limited;
  });

  const inside = {
    variable: maybe(name),
    labels: maybe(tie("labels")),
    in: maybe(name),
    map: maybe(tie("map")),
    where: maybe(expr),
  };
  const bound = fc.integer({ min: 0, max: 40 });
  const quantifier = fc.record({ min: bound, max: maybe(bound) });
  const node = record<ast.NodePattern>({ kind: kind("node"), ...inside });
  const link = fc.oneof(
    {
      weight: 4,
      arbitrary: record<ast.EdgePattern>({
        kind: kind("edge"),
        direction: one("out", "in", "any"),
        ...inside,
        cost: maybe(expr),
        quantifier: maybe(quantifier),
      }) as fc.Arbitrary<ast.EdgePattern | ast.GroupPattern>,
    },
    {
      weight: 1,
      arbitrary: record<ast.GroupPattern>({ kind: kind("group"), chain: tie("chain"), where: maybe(expr), quantifier }),
    },
  );
  const search = fc.oneof(
    record<ast.Search>({ kind: one("any", "longest"), all: fc.constant(false), count: fc.constant(null) }),
    record<ast.Search>({ kind: one("shortest", "cheapest"), all: fc.boolean(), count: fc.constant(null) }),
    record<ast.Search>({
      kind: one("shortest", "cheapest", "earliest", "latest_departure", "fastest"),
      all: fc.constant(false),
      count,
    }),
    record<ast.Search>({
      kind: one("earliest", "latest_departure", "fastest"),
      all: fc.constant(false),
      count: fc.constant(null),
    }),
  );
  const timeMode = fc.oneof(
    fc.constant<ast.TimeMode>({ kind: "co_valid", ties: null, maxWait: null, within: null, arrival: null }),
    record<ast.TimeMode>({
      kind: kind("time_respecting"),
      ties: maybe(one("strict", "allow", "by_seq")),
      maxWait: maybe(span),
      within: maybe(span),
      arrival: maybe(one("instant", "end")),
    }),
  );

  return {
    expr: fc.oneof(
      DEPTH,
      { weight: 3, arbitrary: literal },
      { weight: 2, arbitrary: parameter },
      { weight: 4, arbitrary: name.map((some): ast.Expr => ({ kind: "name", name: some })) },
      { weight: 9, arbitrary: compound },
    ),
    map: record<ast.MapLiteral>({ kind: kind("map"), entries: few(fc.record({ key: name, value: expr })) }),
    sort: record<ast.Sort>({ expr, desc: fc.boolean(), nulls: maybe(one("first", "last")) }),
    window: record<ast.Window>({
      kind: kind("window"),
      partitionBy: exprs(),
      orderBy: few(tie("sort")),
      frame: maybe(
        record<ast.Frame>({
          unit: one("rows", "range", "groups"),
          from: frameBound,
          to: maybe(frameBound),
          exclude: maybe(one("current_row", "group", "ties")),
        }),
      ),
    }),
    core: fc.oneof(
      DEPTH,
      fc.constant<ast.QueryBody>(SELECT_ONE),
      { weight: 3, arbitrary: select },
      match,
      callQuery,
      set,
      nested,
    ),
    query,
    times: few(fc.record({ axis: one("valid_time", "transaction_time"), period: tie("period") })) as fc.Arbitrary<
      ast.TimeClause[]
    >,
    period: fc.oneof(
      record<ast.Period & { kind: "as_of" }>({ kind: kind("as_of"), point: expr }),
      record<ast.Period & { kind: "as_of_tx" }>({ kind: kind("as_of_tx"), tx: count }),
      one<ast.Period>({ kind: "as_of_latest" }, { kind: "all" }),
      record<ast.Period & { kind: "from_to" }>({ kind: kind("from_to"), from: expr, to: expr, only: fc.boolean() }),
      fc.record({
        kind: one("between" as const, "contained_in" as const),
        from: expr,
        to: expr,
      }),
    ) as fc.Arbitrary<ast.Period>,
    chain: fc.tuple(node, few(fc.tuple(link, node))).map(
      ([first, rest]): ast.Chain => ({
        nodes: [first, ...rest.map(([, next]) => next)],
        links: rest.map(([edge]) => edge),
      }),
    ),
    body: record<ast.PatternBody>({
      repeatElements: fc.boolean(),
      patterns: few(
        record<ast.Pattern>({
          variable: maybe(name),
          search: maybe(search),
          mode: maybe(one("walk", "trail", "acyclic", "simple")),
          time: maybe(timeMode),
          chain: tie("chain"),
        }),
        1,
      ),
      times: tie("times"),
      where: maybe(expr),
    }),
    labels: fc.oneof(
      DEPTH,
      { weight: 4, arbitrary: name.map((some): ast.Labels => ({ kind: "label", name: some })) },
      tie("labels").map((of): ast.Labels => ({ kind: "not", of })),
      fc.tuple(one("and" as const, "or" as const), few(tie("labels"), 2)).map(
        ([op, of]): ast.Labels => ({
          kind: op,
          of: of.flatMap((part) => (part.kind === op ? part.of : [part])),
        }),
      ),
    ),
    table: fc.oneof(
      DEPTH,
      record<ast.NamedTable>({ kind: kind("named"), path: few(name, 1), alias }),
      record<ast.BaseTable>({
        kind: kind("base"),
        of: one("nodes", "edges", "events", "endpoints"),
        labels: maybe(tie("labels")),
        times: tie("times"),
        alias,
      }),
      record<ast.VersionsTable>({
        kind: kind("versions"),
        of: one("nodes", "edges"),
        labels: maybe(tie("labels")),
        times: tie("times"),
        alias,
      }),
      record<ast.CommitsTable>({ kind: kind("commits"), times: tie("times"), alias }),
      record<ast.BucketsTable>({ kind: kind("buckets"), from: expr, to: expr, step: expr, zone: maybe(text), alias }),
      record<ast.UnnestTable>({ kind: kind("unnest"), expr, ordinality: fc.boolean(), alias }),
      record<ast.CallTable>({ kind: kind("call_table"), call: invocation, alias }),
      record<ast.SubqueryTable>({ kind: kind("subquery"), query: tie("query"), alias }),
    ),
  };
});

const explain = maybe(one<ast.ExplainMode>("plan", "estimate", "analyze", "verify"));
const defaults = (least: number) =>
  few(fc.record({ axis: one("valid_time" as const, "transaction_time" as const), period: trees.period }), least);
const range = fc.record({ from: trees.expr, to: maybe(trees.expr) });
const portion = fc.record({
  period: maybe(fc.oneof(range, fc.constant("all" as const))),
  correction: fc.boolean(),
  because: maybe(written),
});
const insert: fc.Arbitrary<ast.Insert> = fc.record({
  kind: fc.constant("insert_chains" as const),
  chains: few(trees.chain, 1),
  time: maybe(
    fc.oneof(
      range.map((some) => ({ kind: "range" as const, ...some })),
      fc.record({ kind: fc.constant("at" as const), point: trees.expr }),
      fc.constant({ kind: "all" as const }),
    ),
  ),
  because: maybe(written),
});
const assignment: fc.Arbitrary<ast.Assignment> = fc.oneof(
  fc.record({ kind: fc.constant("property" as const), variable: name, property: name, value: trees.expr }),
  fc.record({ kind: fc.constant("content" as const), variable: name, map: trees.map }),
  fc.record({ kind: fc.constant("label" as const), variable: name, label: name }),
);
const write: fc.Arbitrary<ast.Write> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), assignments: few(assignment, 1), portion }),
  fc.record({
    kind: fc.constant("remove" as const),
    removals: few(fc.record({ variable: name, what: one("property" as const, "label" as const), name }), 1),
    portion,
  }),
  fc.record({ kind: fc.constant("delete" as const), detach: fc.boolean(), variables: few(name, 1), portion }),
  fc.record({
    kind: fc.constant("erase" as const),
    variables: few(name, 1),
    because: maybe(written),
    dryRun: fc.boolean(),
  }),
  insert,
);

export const randomExpr: fc.Arbitrary<ast.Expr> = trees.expr;
export const randomQuery: fc.Arbitrary<ast.Query> = trees.query;
export const randomStatement: fc.Arbitrary<ast.Statement> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ kind: fc.constant("read" as const), explain, setting: defaults(0), query: trees.query })
      // A name before a parenthesis would be a function.
      .map((read) => (printQuery(read.query).startsWith("(") ? { ...read, setting: [] } : read)),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      explain,
      setting: defaults(0),
      with: few(fc.record({ name, query: trees.query })),
      clauses: few(
        fc.tuple(trees.body, fc.boolean()).map(([body, optional]): ast.MatchClause => ({ ...body, optional })),
        1,
      ),
      writes: few(write, 1),
    }),
  },
  fc.record({ kind: fc.constant("insert" as const), explain, insert }),
  fc
    .tuple(
      one("operators", "operator", "functions", "types", "labels", "properties", "stats", "settings"),
      name,
      fc.boolean(),
      maybe(text),
    )
    .map(([what, of, isNamed, like]): ast.Statement => {
      const takesName = what === "operator" || (what === "properties" && isNamed);
      return { kind: "show", what, name: takesName ? of : null, like } as ast.Statement;
    }),
  fc.record({ kind: fc.constant("set_defaults" as const), defaults: defaults(1) }),
  fc.record({ kind: fc.constant("set_zone" as const), zone: text }),
  one<ast.Statement>({ kind: "reset_defaults" }, { kind: "commit" }, { kind: "rollback" }),
  fc.tuple(fc.boolean(), trees.times).map(
    ([isWrite, times]): ast.Statement => ({
      kind: "begin",
      mode: isWrite ? "read_write" : "read_only",
      times: isWrite ? [] : times,
    }),
  ),
);
