// A name in an expression, or the call of a function with its ordering, filter and window.
import type { Bound, Expr, Frame, FunctionCall, Name, Sort, Window } from "../ast.js";
import { joined, placeOf, type Workshop } from "./table.js";

/** Of another standard: the fraction stands in the parentheses and the values in WITHIN GROUP. */
const PERCENTILES: Readonly<Record<string, string>> = {
  PERCENTILE_CONT: "QUANTILE",
  PERCENTILE_DISC: "QUANTILE_DISC",
};

/** `PERCENTILE_CONT(q) WITHIN GROUP (ORDER BY x)` is `QUANTILE(x, q)`. */
function canonical(call: FunctionCall): FunctionCall {
  const name = PERCENTILES[call.name.text];
  const [fraction] = call.args;
  const [order] = call.orderBy;
  if (name === undefined || call.args.length !== 1 || call.orderBy.length !== 1) return call;
  if (order!.desc || order!.nulls !== null) return call;
  return { ...call, name: { ...call.name, text: name }, args: [order!.expr, fraction!], orderBy: [] };
}

export function defineFunctions(tools: Workshop): void {
  const { p, r, mark, word, Integer, name, choice } = tools;

  const orderBy = (): Sort[] => {
    p.take(word.ORDER);
    p.take(word.BY);
    return p.sub(r.sorts);
  };
  const call = (called: Name): Expr => {
    p.take(mark.LeftParen);
    const distinct = p.has(1, word.DISTINCT);
    const args = p.option(2, () =>
      p.or<readonly Expr[] | "*">(1, [choice(mark.Star, "*"), { ALT: () => p.list(0, () => p.sub(r.expr)) }]),
    );
    const inner = p.option(3, orderBy);
    const ignoreNulls = p.option(4, () => {
      p.take(word.IGNORE);
      p.take(word.NULLS);
      return true;
    });
    p.take(mark.RightParen);
    const within = p.option(5, () => {
      p.take(word.WITHIN);
      p.take(word.GROUP);
      p.take(mark.LeftParen);
      const sorts = orderBy();
      p.take(mark.RightParen);
      return sorts;
    });
    const filter = p.option(6, () => {
      p.take(word.FILTER);
      p.take(mark.LeftParen);
      p.take(word.WHERE);
      const where = p.sub(r.expr);
      p.take(mark.RightParen);
      return where;
    });
    const over = p.option(7, () => {
      p.take(word.OVER);
      return p.or<Name | Window>(2, [{ ALT: () => name("window") }, { ALT: () => p.sub(r.window) }]);
    });
    return p.act(() =>
      canonical({
        kind: "function",
        name: { ...called, text: called.text.toUpperCase() },
        distinct,
        star: args === "*",
        args: args === undefined || args === "*" ? [] : args,
        orderBy: inner ?? within ?? [],
        ignoreNulls: ignoreNulls === true,
        filter: filter ?? null,
        over: over ?? null,
        at: p.upTo(called.at),
      }),
    );
  };
  r.reference = p.rule("reference", (): Expr => {
    const named = name("value");
    const called = p.option(0, () => call(named));
    return called ?? { kind: "name", name: named, at: named.at! };
  });

  r.window = p.rule("window", (): Window => {
    const first = p.take(mark.LeftParen);
    const partitionBy = p.option(0, () => {
      p.take(word.PARTITION);
      p.take(word.BY);
      return p.list(0, () => p.sub(r.expr));
    });
    const order = p.option(1, orderBy);
    const framed = p.option(2, () => p.sub(frame));
    p.take(mark.RightParen);
    return {
      kind: "window",
      partitionBy: partitionBy ?? [],
      orderBy: order ?? [],
      frame: framed ?? null,
      at: p.since(first),
    };
  });

  const frame = p.rule("frame", (): Frame => {
    const first = p.next();
    const unit = p.or<Frame["unit"]>(0, [
      choice(word.ROWS, "rows"),
      choice(word.RANGE, "range"),
      choice(word.GROUPS, "groups"),
    ]);
    const { from, to } = p.or<Pick<Frame, "from" | "to">>(1, [
      {
        ALT: () => {
          p.take(word.BETWEEN);
          const low = p.sub(bound);
          p.take(word.AND);
          return { from: low, to: p.sub(bound) };
        },
      },
      { ALT: () => ({ from: p.sub(bound), to: null }) },
    ]);
    const exclude = p.option(0, () => {
      p.take(word.EXCLUDE);
      return p.or<Frame["exclude"]>(2, [
        {
          ALT: () => {
            p.take(word.CURRENT);
            p.take(word.ROW);
            return "current_row";
          },
        },
        choice(word.GROUP, "group"),
        choice(word.TIES, "ties"),
      ]);
    });
    return { unit, from, to, exclude: exclude ?? null, at: p.since(first) };
  });

  const side = (idx: number) =>
    p.or<"preceding" | "following">(idx, [choice(word.PRECEDING, "preceding"), choice(word.FOLLOWING, "following")]);
  const bound = p.rule("bound", (): Bound => {
    const first = p.next();
    return p.or<Bound>(0, [
      {
        ALT: () => {
          p.take(word.UNBOUNDED);
          return { kind: "unbounded", side: side(1), at: p.since(first) };
        },
      },
      {
        ALT: () => {
          p.take(word.CURRENT);
          p.take(word.ROW);
          return { kind: "current_row", at: p.since(first) };
        },
      },
      {
        ALT: () => {
          const token = p.take(Integer);
          const by = { kind: "integer", value: token.payload as bigint, at: placeOf(token) } as const;
          return { kind: "offset", by, side: side(2), at: joined(by.at, p.since(first)) };
        },
      },
      {
        ALT: () => {
          const by = p.sub(r.span);
          return { kind: "offset", by, side: side(3), at: p.since(first) };
        },
      },
    ]);
  });
}
