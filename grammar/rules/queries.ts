// Queries: steps of WITH, SELECT, CALL, RETURN, set operations, and the order and limits of a result.
import type {
  CallQuery,
  CommonTable,
  Expr,
  Grouping,
  Invocation,
  Item,
  MatchClause,
  MatchQuery,
  Name,
  Query,
  QueryBody,
  Select,
  Sort,
  Source,
  TimeClause,
  Window,
} from "../ast.js";
import { joined, type Operand, placeOf, type Returned, type Tail, type Workshop } from "./table.js";

/** INTERSECT binds first; UNION and EXCEPT go from left to right. */
function combined(first: QueryBody, rest: readonly Operand[]): QueryBody {
  const join = (op: Operand["op"], all: boolean, left: QueryBody, right: QueryBody): QueryBody => ({
    kind: "set",
    op,
    all,
    left,
    right,
    at: joined(left.at, right.at),
  });
  const terms: { op: Operand["op"]; all: boolean; body: QueryBody }[] = [{ op: "union", all: false, body: first }];
  for (const { op, all, body } of rest) {
    const last = terms.at(-1)!;
    if (op === "intersect") last.body = join(op, all, last.body, body);
    else terms.push({ op, all, body });
  }
  return terms.slice(1).reduce((left, { op, all, body }) => join(op, all, left, body), terms[0]!.body);
}

/** Parentheses around a query that has no steps, order or limit of its own mean nothing. */
const unwrapped = (query: Query): QueryBody =>
  query.with.length === 0 && query.orderBy.length === 0 && query.limit === null && query.offset === null
    ? query.body
    : query;

export function queryOf(tables: readonly CommonTable[], head: QueryBody, tail: Tail): Omit<Query, "at"> {
  const body = combined(head, tail.operands);
  const { orderBy, limit, withTies, offset } = tail;
  const query: Query = { kind: "query", with: tables, body, orderBy, limit, withTies, offset };
  const alone = unwrapped(query);
  return alone.kind === "query" ? alone : query;
}

export function defineQueries(tools: Workshop): void {
  const { p, r, mark, word, name, anyName, choice } = tools;

  r.commonTables = p.rule("commonTables", () => {
    p.take(word.WITH);
    return p.list(0, (): CommonTable => {
      const named = name("new_name");
      p.take(word.AS);
      p.take(mark.LeftParen);
      const query = p.sub(r.query);
      p.take(mark.RightParen);
      return { name: named, query, at: p.upTo(named.at) };
    });
  });

  const parenthesised = p.rule("parenthesised", (): QueryBody => {
    const first = p.take(mark.LeftParen);
    const query = p.sub(r.query);
    p.take(mark.RightParen);
    return p.act(() => ({ ...unwrapped(query), at: p.since(first) }));
  });
  r.parenthesised = parenthesised;

  const heads = [
    { ALT: (): QueryBody => p.sub(r.select) },
    { ALT: (): QueryBody => p.sub(r.call) },
    { ALT: (): QueryBody => p.sub(match) },
    { ALT: (): QueryBody => p.sub(parenthesised) },
  ];

  r.query = p.rule("query", (): Query => {
    p.guard();
    const first = p.next();
    const tables = p.option(0, () => p.sub(r.commonTables)) ?? [];
    const head = p.or<QueryBody>(0, heads);
    const tail = p.sub(r.tail);
    return p.act(() => ({ ...queryOf(tables, head, tail), at: p.since(first) }));
  });

  r.tail = p.rule("tail", (): Tail => {
    const operands: Operand[] = [];
    p.many(0, () => {
      const op = p.or<Operand["op"]>(0, [
        choice(word.UNION, "union"),
        choice(word.EXCEPT, "except"),
        choice(word.INTERSECT, "intersect"),
      ]);
      const all = p.option(0, () => p.or(1, [choice(word.ALL, true), choice(word.DISTINCT, false)]));
      operands.push({ op, all: all === true, body: p.or<QueryBody>(2, heads) });
    });
    const orderBy = p.option(1, () => {
      p.take(word.ORDER);
      p.take(word.BY);
      return p.sub(r.sorts);
    });
    const limit = p.option(2, () => {
      p.take(word.LIMIT);
      const count = p.sub(r.count);
      const ties = p.option(3, () => {
        p.take(word.WITH);
        p.take(word.TIES);
        return true;
      });
      return { count, ties: ties === true };
    });
    const offset = p.option(4, () => {
      p.take(word.OFFSET);
      return p.sub(r.count);
    });
    return {
      operands,
      orderBy: orderBy ?? [],
      limit: limit?.count ?? null,
      withTies: limit?.ties === true,
      offset: offset ?? null,
    };
  });

  const descending = [choice(word.ASC, false), choice(word.DESC, true)];
  const ends = [choice(word.FIRST, "first" as const), choice(word.LAST, "last" as const)];
  r.sorts = p.rule("sorts", () =>
    p.list(0, (): Sort => {
      const expr = p.sub(r.expr);
      const desc = p.option(0, () => p.or(0, descending)) === true;
      const nulls = p.option(1, () => {
        p.take(word.NULLS);
        return p.or(1, ends);
      });
      return { expr, desc, nulls: nulls ?? null, at: p.upTo(expr.at) };
    }),
  );

  r.select = p.rule("select", (): Select => {
    const first = p.take(word.SELECT);
    const distinct = p.has(0, word.DISTINCT);
    const items = p.sub(r.items);
    const from = p.option(1, (): Source[] => {
      p.take(word.FROM);
      return p.list(0, () => p.sub(r.source));
    });
    const where = p.option(2, () => {
      p.take(word.WHERE);
      return p.sub(r.expr);
    });
    const grouping = p.sub(r.grouping);
    return { kind: "select", distinct, items, from: from ?? [], where: where ?? null, grouping, at: p.since(first) };
  });

  const star = (): Item => ({ kind: "star", at: placeOf(p.take(mark.Star)) });
  const qualifiedStar = {
    GATE: () => p.sees(2, mark.Dot) && p.sees(3, mark.Star),
    ALT: (): Item => {
      const named = name("value");
      p.take(mark.Dot);
      p.take(mark.Star);
      return { kind: "qualified_star", name: named, at: p.upTo(named.at) };
    },
  };
  const item = (): Item => {
    const expr = p.sub(r.expr);
    const as = p.option(0, () => {
      p.take(word.AS);
      return name("new_name");
    });
    return { kind: "expr", expr, as: as ?? null, at: p.upTo(expr.at) };
  };
  const itemChoices = [{ ALT: star }, qualifiedStar, { ALT: item }];
  r.items = p.rule("items", () => p.list(0, () => p.or<Item>(0, itemChoices)));

  r.grouping = p.rule("grouping", (): Grouping => {
    const groupBy = p.option(0, () => {
      p.take(word.GROUP);
      p.take(word.BY);
      return p.or<Expr[] | "all">(0, [choice(word.ALL, "all"), { ALT: () => p.list(0, () => p.sub(r.expr)) }]);
    });
    const having = p.option(1, () => {
      p.take(word.HAVING);
      return p.sub(r.expr);
    });
    const windows = p.option(2, () => {
      p.take(word.WINDOW);
      return p.list(1, (): { name: Name; window: Window } => {
        const named = name("new_name");
        p.take(word.AS);
        return { name: named, window: p.sub(r.window) };
      });
    });
    const qualify = p.option(3, () => {
      p.take(word.QUALIFY);
      return p.sub(r.expr);
    });
    return { groupBy: groupBy ?? null, having: having ?? null, windows: windows ?? [], qualify: qualify ?? null };
  });

  r.invocation = p.rule("invocation", (): Invocation => {
    const first = p.take(word.CALL);
    const named = name("operator");
    p.take(mark.LeftParen);
    const args = p.option(0, () =>
      p.list(0, () => {
        const argument = anyName("argument");
        p.take(mark.Gives);
        return { name: argument, value: p.sub(r.expr) };
      }),
    );
    p.take(mark.RightParen);
    const times: TimeClause[] = [];
    p.many(1, () => times.push(p.sub(r.time)));
    return { name: named, args: args ?? [], times, at: p.since(first) };
  });

  r.call = p.rule("call", (): CallQuery => {
    const first = p.next();
    const call = p.sub(r.invocation);
    const yields = p.option(0, () => {
      p.take(word.YIELD);
      return p.or<CallQuery["yields"]>(0, [
        choice(mark.Star, "*"),
        {
          ALT: () =>
            p.list(0, () => {
              const column = anyName("column");
              const as = p.option(1, () => {
                p.take(word.AS);
                return name("new_name");
              });
              return { name: column, as: as ?? null };
            }),
        },
      ]);
    });
    const where = p.option(2, () => {
      p.take(word.WHERE);
      return p.sub(r.expr);
    });
    return { kind: "call", call, yields: yields ?? null, where: where ?? null, at: p.since(first) };
  });

  r.returned = p.rule("returned", (): Returned => {
    p.take(word.RETURN);
    const distinct = p.has(0, word.DISTINCT);
    const items = p.sub(r.items);
    return { distinct, items, grouping: p.sub(r.grouping) };
  });
  const match = p.rule("match", (): MatchQuery => {
    const first = p.next();
    const clauses: MatchClause[] = [p.sub(r.clause)];
    p.many(0, () => clauses.push(p.sub(r.clause)));
    return { kind: "match", clauses, ...p.sub(r.returned), at: p.since(first) };
  });
}
