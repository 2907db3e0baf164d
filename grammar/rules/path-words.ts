// The words before a path: which of its walks are wanted, and how their edges lie in time.
import type { IToken } from "chevrotain";
import type { Count, Search, TimeMode } from "../ast.js";
import { syntaxFault } from "../errors/fault.js";
import type { Rule } from "../rule-writer.js";
import type { Workshop } from "./table.js";

interface PathWords {
  readonly search: Rule<Search>;
  readonly timeMode: Rule<TimeMode>;
}

export function definePathWords(tools: Workshop): PathWords {
  const { p, r, mark, word, Parameter: Param, choice } = tools;

  const search = p.rule("search", (): Search => {
    const first = p.next();
    const count = (idx: number): Count | null => p.option(idx, () => p.sub(r.count)) ?? null;
    const found = p.or<Pick<Search, "kind" | "all" | "count">>(0, [
      {
        ALT: () => {
          p.take(word.ANY);
          const kind = p.option(0, () =>
            p.or<"shortest" | "cheapest">(1, [choice(word.SHORTEST, "shortest"), choice(word.CHEAPEST, "cheapest")]),
          );
          return { kind: kind ?? "any", all: false, count: null };
        },
      },
      {
        ALT: () => {
          p.take(word.ALL);
          const kind = p.or<Search["kind"]>(2, [choice(word.SHORTEST, "shortest"), choice(word.CHEAPEST, "cheapest")]);
          return { kind, all: true, count: null };
        },
      },
      {
        ALT: () => {
          const kind = p.or<Search["kind"]>(3, [choice(word.SHORTEST, "shortest"), choice(word.CHEAPEST, "cheapest")]);
          return { kind, all: false, count: p.sub(r.count) };
        },
      },
      {
        ALT: () => {
          p.take(word.EARLIEST);
          return { kind: "earliest", all: false, count: count(1) };
        },
      },
      {
        ALT: () => {
          p.take(word.LATEST);
          p.take(word.DEPARTURE);
          return { kind: "latest_departure", all: false, count: count(2) };
        },
      },
      {
        ALT: () => {
          p.take(word.FASTEST);
          return { kind: "fastest", all: false, count: count(3) };
        },
      },
      choice(word.LONGEST, { kind: "longest", all: false, count: null }),
    ]);
    return { ...found, at: p.since(first) };
  });

  type Options = { -readonly [K in "ties" | "maxWait" | "within" | "arrival"]: TimeMode[K] };
  const once = <K extends keyof Options>(options: Options, key: K, first: IToken, value: Options[K]): void => {
    const isThere = options[key] !== null;
    if (isThere) p.act(() => p.refuse(first, syntaxFault("duplicate", "this option stands twice", "keep one of them")));
    options[key] = value;
  };
  const timeOption = p.rule("timeOption", (): [keyof Options, Options[keyof Options]] =>
    p.or<[keyof Options, Options[keyof Options]]>(0, [
      {
        ALT: () => {
          p.take(word.TIES);
          const ties = p.or<Options["ties"]>(1, [
            choice(word.STRICT, "strict"),
            choice(word.ALLOW, "allow"),
            {
              ALT: () => {
                p.take(word.BY);
                p.take(word.SEQ);
                return "by_seq";
              },
            },
          ]);
          return ["ties", ties];
        },
      },
      {
        ALT: () => {
          p.take(word.MAX);
          p.take(word.WAIT);
          return ["maxWait", p.sub(r.span)];
        },
      },
      {
        ALT: () => {
          p.take(word.WITHIN);
          return ["within", p.sub(r.span)];
        },
      },
      {
        ALT: () => {
          p.take(word.ARRIVAL);
          return ["arrival", p.or<Options["arrival"]>(2, [choice(word.INSTANT, "instant"), choice(word.END, "end")])];
        },
      },
    ]),
  );
  /** After TIME_RESPECTING a parenthesis opens options, or the first node. */
  const opensOptions = (): boolean =>
    (p.sees(2, word.TIES) && p.sees(3, word.STRICT, word.ALLOW, word.BY)) ||
    (p.sees(2, word.MAX) && p.sees(3, word.WAIT)) ||
    (p.sees(2, word.ARRIVAL) && p.sees(3, word.INSTANT, word.END)) ||
    (p.sees(2, word.WITHIN) && p.sees(3, word.DURATION, word.INTERVAL, Param));
  const timeMode = p.rule("timeMode", (): TimeMode => {
    const first = p.next();
    const options: Options = { ties: null, maxWait: null, within: null, arrival: null };
    const kind = p.or<TimeMode["kind"]>(0, [
      choice(word.CO_VALID, "co_valid"),
      {
        ALT: () => {
          p.take(word.TIME_RESPECTING);
          p.option(0, {
            GATE: opensOptions,
            DEF: () => {
              p.take(mark.LeftParen);
              p.list(0, () => {
                const begin = p.next();
                const option = p.sub(timeOption);
                p.act(() => once(options, option[0], begin, option[1] as never));
              });
              p.take(mark.RightParen);
            },
          });
          return "time_respecting";
        },
      },
    ]);
    return { kind, ...options, at: p.since(first) };
  });
  return { search, timeMode };
}
