// How often an edge or a group is repeated: `*`, `+`, `?`, `{1,4}` behind it, and `*1..4` in its brackets.
import type { IToken } from "chevrotain";
import type { Quantifier } from "../ast.js";
import type { Rule } from "../rule-writer.js";
import type { Workshop } from "./table.js";

interface Quantifiers {
  readonly quant: Rule<Quantifier>;
  readonly starred: Rule<Quantifier>;
}

export function defineQuantifiers(tools: Workshop): Quantifiers {
  const { p, mark, Integer, choice } = tools;
  const whole = (token: IToken): number => Number(token.payload as bigint);

  const quant = p.rule("quantifier", (): Quantifier => {
    const first = p.next();
    const { min, max } = p.or<Pick<Quantifier, "min" | "max">>(0, [
      choice(mark.Star, { min: 0, max: null }),
      choice(mark.Plus, { min: 1, max: null }),
      choice(mark.Question, { min: 0, max: 1 }),
      {
        ALT: () => {
          p.take(mark.LeftBrace);
          const bounds = p.or<Pick<Quantifier, "min" | "max">>(1, [
            {
              ALT: () => {
                const low = p.take(Integer);
                const comma = p.option(0, () => {
                  p.take(mark.Comma);
                  return { high: p.option(1, () => p.take(Integer)) ?? null };
                });
                return p.act(() => {
                  const high = comma === undefined ? low : comma.high;
                  return { min: whole(low), max: high === null ? null : whole(high) };
                });
              },
            },
            {
              ALT: () => {
                p.take(mark.Comma);
                const high = p.take(Integer);
                return p.act(() => ({ min: 0, max: whole(high) }));
              },
            },
          ]);
          p.take(mark.RightBrace);
          return bounds;
        },
      },
    ]);
    return { min, max, at: p.since(first) };
  });
  /** `*1..4` inside the brackets, as in Cypher: without numbers one or more. */
  const starred = p.rule("starred", (): Quantifier => {
    const first = p.take(mark.Star);
    const low = p.option(0, () => p.take(Integer));
    const dots = p.option(1, () => {
      p.take(mark.Dots);
      return { high: p.option(2, () => p.take(Integer)) ?? null };
    });
    return p.act(() => {
      const min = low === undefined ? 1 : whole(low);
      const max = dots === undefined ? (low === undefined ? null : min) : dots.high === null ? null : whole(dots.high);
      return { min, max, at: p.since(first) };
    });
  });
  return { quant, starred };
}
