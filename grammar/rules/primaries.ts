// The leaves of expressions: literals, names, parentheses, lists, maps, CASE, casts, and what stands in braces.
// A soft keyword that begins a literal is told from a name by the token after it.
import type { TokenType } from "chevrotain";
import type {
  Case,
  EpochLiteral,
  Expr,
  FunctionCall,
  IntegerLiteral,
  NamedInstant,
  Parameter,
  PatternBody,
  Query,
  StringLiteral,
} from "../ast.js";
import { joined, placeOf, type Workshop } from "./table.js";

export function definePrimaries(tools: Workshop): void {
  const { p, r, mark, word, String: Text, Integer, Number: Double, Parameter: Param, anyName, text } = tools;

  const named = (type: TokenType, name: NamedInstant["name"]) => ({
    ALT: (): Expr => ({ kind: "named_instant", name, at: placeOf(p.take(type)) }),
  });
  const boolean = (type: TokenType, value: boolean) => ({
    ALT: (): Expr => ({ kind: "boolean", value, at: placeOf(p.take(type)) }),
  });
  /** A word with a text after it; without one the word is a name. */
  const worded = (type: TokenType, make: (text: StringLiteral | Parameter) => Expr) => ({
    GATE: () => p.sees(2, Text, Param),
    ALT: (): Expr => {
      const first = p.take(type);
      const expr = make(text());
      return { ...expr, at: p.since(first) };
    },
  });
  const epoch = (type: TokenType, unit: EpochLiteral["unit"]) => ({
    GATE: () => p.sees(2, Integer, Param) || (p.sees(2, mark.Minus) && p.sees(3, Integer)),
    ALT: (): Expr => {
      const first = p.take(type);
      const value = p.or<IntegerLiteral | Parameter>(1, [
        {
          ALT: () => {
            const sign = p.next();
            const isNegative = p.has(0, mark.Minus);
            const token = p.take(Integer);
            const size = token.payload as bigint;
            return p.act(() => ({
              kind: "integer",
              value: isNegative ? -size : size,
              at: isNegative ? p.since(sign) : placeOf(token),
            }));
          },
        },
        {
          ALT: () => {
            const token = p.take(Param);
            return { kind: "parameter", name: token.payload as string, at: placeOf(token) };
          },
        },
      ]);
      return { kind: "epoch", unit, value, at: p.since(first) };
    },
  });

  const isQuery = () => p.sees(1, word.WITH, word.SELECT, word.CALL, word.MATCH, word.OPTIONAL);
  const parentheses = (): Expr => {
    const first = p.take(mark.LeftParen);
    let isOne = false;
    const inside = p.or<Expr>(2, [
      { GATE: isQuery, ALT: () => ({ kind: "subquery_value", query: p.sub(r.query) }) },
      {
        ALT: () => {
          const of = p.list(0, () => p.sub(r.expr));
          isOne = of.length === 1;
          return isOne ? of[0]! : { kind: "row", of };
        },
      },
    ]);
    p.take(mark.RightParen);
    const expr: Expr = { ...inside, at: p.since(first) };
    tools.memory.parenthesised = isOne ? expr : null;
    return expr;
  };
  const list = (): Expr => {
    const first = p.take(mark.LeftBracket);
    const of = p.option(1, () => p.list(1, () => p.sub(r.expr)));
    p.take(mark.RightBracket);
    return { kind: "list", of: of ?? [], at: p.since(first) };
  };
  const cast = (type: TokenType, isTry: boolean) => ({
    ALT: (): Expr => {
      const first = p.take(type);
      p.take(mark.LeftParen);
      const of = p.sub(r.expr);
      p.take(word.AS);
      const name = anyName("type_name");
      const list = p.option(2, () => {
        p.take(mark.LeftBracket);
        p.take(mark.RightBracket);
        return true;
      });
      p.take(mark.RightParen);
      return { kind: "cast", try: isTry, of, type: name, list: list !== undefined, at: p.since(first) };
    },
  });
  /** EXTRACT(unit FROM t ZONE z) is read as DATE_PART('unit', t, 'z'). */
  const extract = (): FunctionCall => {
    const first = p.take(word.EXTRACT);
    p.take(mark.LeftParen);
    const unit = anyName("unit");
    p.take(word.FROM);
    const of = p.sub(r.expr);
    const zone = p.option(3, () => {
      p.take(word.ZONE);
      const token = p.take(Text);
      return { kind: "string", value: token.payload as string, at: placeOf(token) } as const;
    });
    p.take(mark.RightParen);
    const named: StringLiteral = { kind: "string", value: unit.text.toLowerCase(), at: unit.at! };
    return {
      kind: "function",
      name: { text: "DATE_PART", at: placeOf(first) },
      distinct: false,
      star: false,
      args: zone === undefined ? [named, of] : [named, of, zone],
      orderBy: [],
      ignoreNulls: false,
      filter: null,
      over: null,
      at: p.since(first),
    };
  };
  const braces = () => {
    p.take(mark.LeftBrace);
    p.has(4, word.MATCH);
    const body = p.sub(r.body);
    p.take(mark.RightBrace);
    return body;
  };
  const exists = (): Expr => {
    const first = p.take(word.EXISTS);
    const of = p.or<PatternBody | Query>(3, [
      { ALT: braces },
      {
        ALT: () => {
          p.take(mark.LeftParen);
          const query = p.sub(r.query);
          p.take(mark.RightParen);
          return query;
        },
      },
    ]);
    return { kind: "exists", of, at: p.since(first) };
  };

  r.case = p.rule("case", (): Case => {
    const first = p.take(word.CASE);
    const of = p.option(0, () => p.sub(r.expr));
    const when: { readonly when: Expr; readonly then: Expr }[] = [];
    const branch = () => {
      p.take(word.WHEN);
      const condition = p.sub(r.expr);
      p.take(word.THEN);
      // biome-ignore lint/suspicious/noThenProperty: a branch of CASE, which nobody awaits
      when.push({ when: condition, then: p.sub(r.expr) });
    };
    branch();
    p.many(0, branch);
    const otherwise = p.option(1, () => {
      p.take(word.ELSE);
      return p.sub(r.expr);
    });
    p.take(word.END);
    return { kind: "case", of: of ?? null, when, else: otherwise ?? null, at: p.since(first) };
  });

  const primaries = [
    {
      ALT: (): Expr => {
        const token = p.take(Text);
        return { kind: "string", value: token.payload as string, at: placeOf(token) };
      },
    },
    {
      ALT: (): Expr => {
        const token = p.take(Integer);
        return { kind: "integer", value: token.payload as bigint, at: placeOf(token) };
      },
    },
    {
      ALT: (): Expr => {
        const token = p.take(Double);
        return { kind: "number", value: token.payload as number, at: placeOf(token) };
      },
    },
    {
      ALT: (): Expr => {
        const token = p.take(Param);
        return { kind: "parameter", name: token.payload as string, at: placeOf(token) };
      },
    },
    boolean(word.TRUE, true),
    boolean(word.FALSE, false),
    { ALT: (): Expr => ({ kind: "null", at: placeOf(p.take(word.NULL)) }) },
    named(word.FOREVER, "forever"),
    named(word.BEGINNING, "beginning"),
    named(word.CURRENT_TIMESTAMP, "current_timestamp"),
    named(word.CURRENT_DATE, "current_date"),
    worded(word.TIMESTAMP, (of) => ({ kind: "instant", form: "timestamp", text: of })),
    worded(word.DATE, (of) => ({ kind: "instant", form: "date", text: of })),
    worded(word.DURATION, (of) => ({ kind: "duration", text: of })),
    worded(word.INTERVAL, (of) => ({ kind: "interval", text: of })),
    epoch(word.EPOCH_S, "s"),
    epoch(word.EPOCH_MS, "ms"),
    epoch(word.EPOCH_US, "us"),
    { ALT: parentheses },
    { ALT: list },
    { ALT: (): Expr => p.sub(r.map) },
    { ALT: (): Expr => p.sub(r.case) },
    cast(word.CAST, false),
    cast(word.TRY_CAST, true),
    { ALT: extract },
    { ALT: exists },
    {
      GATE: () => p.sees(2, mark.LeftBrace),
      ALT: (): Expr => {
        const first = p.take(word.COUNT);
        const of = braces();
        return { kind: "count_pattern", of, at: joined(placeOf(first), p.since(first)) };
      },
    },
    { ALT: (): Expr => p.sub(r.reference) },
  ];
  r.primary = p.rule("primary", () => p.or<Expr>(0, primaries));
}
