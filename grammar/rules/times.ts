// The two time axes: clauses, periods, defaults; and spans, which are never full expressions.
import type { Axis, Default, IntegerLiteral, Parameter, Period, Span, TimeClause } from "../ast.js";
import { placeOf, type Workshop } from "./table.js";

export function defineTimes({ p, r, mark, word, Integer, Parameter: Param, text, choice }: Workshop): void {
  const axes = [
    choice(word.VALID_TIME, "valid_time"),
    choice(word.TRANSACTION_TIME, "transaction_time"),
    choice(word.SYSTEM_TIME, "transaction_time"),
  ];
  const axis = (idx: number): Axis => p.or<Axis>(idx, axes);

  r.time = p.rule("time", (): TimeClause => {
    const first = p.take(word.FOR);
    return p.or<TimeClause>(0, [
      {
        ALT: () => {
          const of = axis(1);
          const period = p.sub(r.period);
          return { axis: of, period, at: p.since(first) };
        },
      },
      {
        ALT: () => {
          const all = p.take(word.ALL);
          return { axis: axis(2), period: { kind: "all", at: placeOf(all) }, at: p.since(first) };
        },
      },
    ]);
  });

  const asOf = (): Period => {
    const first = p.take(word.AS);
    p.take(word.OF);
    return p.or<Period>(1, [
      {
        ALT: () => {
          p.take(word.LATEST);
          return { kind: "as_of_latest", at: p.since(first) };
        },
      },
      {
        GATE: () => p.sees(2, Integer, Param),
        ALT: () => {
          const commit = p.take(word.TX);
          const tx = p.sub(r.count);
          return { kind: "as_of_tx", tx, at: p.since(commit) };
        },
      },
      {
        ALT: () => {
          const point = p.sub(r.point);
          return { kind: "as_of", point, at: p.since(first) };
        },
      },
    ]);
  };
  const fromTo = (): Period => {
    const first = p.next();
    const only = p.has(0, word.ONLY);
    p.take(word.FROM);
    const from = p.sub(r.point);
    p.take(word.TO);
    const to = p.sub(r.point);
    return { kind: "from_to", from, to, only, at: p.since(first) };
  };
  const between = (): Period => {
    const first = p.take(word.BETWEEN);
    const from = p.sub(r.point);
    p.take(word.AND);
    const to = p.sub(r.point);
    return { kind: "between", from, to, at: p.since(first) };
  };
  const containedIn = (): Period => {
    const first = p.take(word.CONTAINED);
    p.take(word.IN);
    p.take(mark.LeftParen);
    const from = p.sub(r.point);
    p.take(mark.Comma);
    const to = p.sub(r.point);
    p.take(mark.RightParen);
    return { kind: "contained_in", from, to, at: p.since(first) };
  };
  r.period = p.rule("period", () =>
    p.or<Period>(0, [
      { ALT: asOf },
      { ALT: fromTo },
      { ALT: between },
      { ALT: containedIn },
      { ALT: () => ({ kind: "all", at: placeOf(p.take(word.ALL)) }) },
    ]),
  );

  r.defaults = p.rule("defaults", () =>
    p.list(0, (): Default => {
      const first = p.take(word.DEFAULT);
      const of = axis(0);
      const period = p.sub(r.period);
      return { axis: of, period, at: p.since(first) };
    }),
  );

  r.count = p.rule("count", () =>
    p.or<IntegerLiteral | Parameter>(0, [
      {
        ALT: () => {
          const token = p.take(Integer);
          return { kind: "integer", value: token.payload as bigint, at: placeOf(token) };
        },
      },
      {
        ALT: () => {
          const token = p.take(Param);
          return { kind: "parameter", name: token.payload as string, at: placeOf(token) };
        },
      },
    ]),
  );

  r.span = p.rule("span", (): Span => {
    const first = p.next();
    return p.or<Span>(0, [
      {
        ALT: () => {
          p.take(word.DURATION);
          return { kind: "duration", text: text(), at: p.since(first) };
        },
      },
      {
        ALT: () => {
          p.take(word.INTERVAL);
          return { kind: "interval", text: text(), at: p.since(first) };
        },
      },
      {
        ALT: () => {
          const token = p.take(Param);
          return { kind: "parameter", name: token.payload as string, at: placeOf(token) };
        },
      },
    ]);
  });
}
