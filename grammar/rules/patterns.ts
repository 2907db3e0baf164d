// MATCH: clauses, patterns with their search and time words, chains of nodes and edges, labels, quantifiers.
// Arrows are put together from single characters, so that `a < -1` reads as SQL would.
import type { IToken } from "chevrotain";
import type {
  Chain,
  Count,
  EdgePattern,
  Expr,
  GroupPattern,
  Labels,
  MapLiteral,
  MatchClause,
  Name,
  NodePattern,
  Pattern,
  PatternBody,
  Quantifier,
  Search,
  TimeClause,
  TimeMode,
} from "../ast.js";
import { syntaxFault } from "../errors/fault.js";
import { joined, type Workshop } from "./table.js";

type Inside = Pick<EdgePattern, "variable" | "labels" | "in" | "map" | "where" | "cost" | "quantifier">;
const NOTHING: Inside = {
  variable: null,
  labels: null,
  in: null,
  map: null,
  where: null,
  cost: null,
  quantifier: null,
};

export function definePatterns(tools: Workshop): void {
  const { p, r, mark, word, Integer, Parameter: Param, name, anyName, choice } = tools;
  const whole = (token: IToken): number => Number(token.payload as bigint);

  r.clause = p.rule("clause", (): MatchClause => {
    const first = p.next();
    const optional = p.has(0, word.OPTIONAL);
    p.take(word.MATCH);
    const body = p.sub(r.body);
    return { ...body, optional, at: p.since(first) };
  });

  r.body = p.rule("body", (): PatternBody => {
    const first = p.next();
    const repeats = p.option(0, {
      GATE: () => p.sees(2, word.EDGES, word.ELEMENTS),
      DEF: () =>
        p.or<boolean>(0, [
          {
            ALT: () => {
              p.take(word.DIFFERENT);
              p.take(word.EDGES);
              return false;
            },
          },
          {
            ALT: () => {
              p.take(word.REPEATABLE);
              p.take(word.ELEMENTS);
              return true;
            },
          },
        ]),
    });
    const patterns = p.list(0, () => p.sub(pattern));
    const times: TimeClause[] = [];
    p.many(1, () => times.push(p.sub(r.time)));
    const where = p.option(1, () => {
      p.take(word.WHERE);
      return p.sub(r.expr);
    });
    return { repeatElements: repeats === true, patterns, times, where: where ?? null, at: p.since(first) };
  });

  const pattern = p.rule("pattern", (): Pattern => {
    const first = p.next();
    const isNamed = () => p.sees(2, mark.Equal);
    const variable = p.option(0, {
      GATE: isNamed,
      DEF: () => {
        const named = name("new_name");
        p.take(mark.Equal);
        return named;
      },
    });
    const searched = p.option(1, () => p.sub(search));
    const mode = p.option(2, () =>
      p.or<Pattern["mode"]>(0, [
        choice(word.WALK, "walk"),
        choice(word.TRAIL, "trail"),
        choice(word.ACYCLIC, "acyclic"),
        choice(word.SIMPLE, "simple"),
      ]),
    );
    const time = p.option(3, () => p.sub(timeMode));
    const chain = p.sub(r.chain);
    return {
      variable: variable ?? null,
      search: searched ?? null,
      mode: mode ?? null,
      time: time ?? null,
      chain,
      at: p.since(first),
    };
  });

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

  r.chain = p.rule("chain", (): Chain => {
    p.guard();
    const first = p.next();
    const nodes: NodePattern[] = [p.sub(node)];
    const links: (EdgePattern | GroupPattern)[] = [];
    p.many(0, () => {
      links.push(p.or<EdgePattern | GroupPattern>(0, [{ ALT: () => p.sub(edge) }, { ALT: () => p.sub(group) }]));
      nodes.push(p.sub(node));
    });
    return { nodes, links, at: p.since(first) };
  });

  const labelsAfterColon = (idx: number): Labels | null =>
    p.option(idx, () => {
      p.take(mark.Colon);
      return p.sub(r.labels);
    }) ?? null;
  const cohort = (idx: number): Name | null =>
    p.option(idx, () => {
      p.take(word.IN);
      return name("cohort");
    }) ?? null;
  const mapOf = (idx: number): MapLiteral | null => p.option(idx, () => p.sub(r.map)) ?? null;
  const where = (idx: number): Expr | null =>
    p.option(idx, () => {
      p.take(word.WHERE);
      return p.sub(r.expr);
    }) ?? null;

  const node = p.rule("node", (): NodePattern => {
    const first = p.take(mark.LeftParen);
    const variable = p.option(0, () => name("variable")) ?? null;
    const labels = labelsAfterColon(1);
    const members = cohort(2);
    const map = mapOf(3);
    const condition = where(4);
    p.take(mark.RightParen);
    return { kind: "node", variable, labels, in: members, map, where: condition, at: p.since(first) };
  });

  const edge = p.rule("edge", (): EdgePattern => {
    const first = p.next();
    const insideOf = (idx: number): Inside | undefined =>
      p.option(idx, () => {
        const read = p.sub(inside);
        p.take(mark.Minus);
        return read;
      });
    type Arrow = { readonly direction: EdgePattern["direction"]; readonly read: Inside | undefined };
    const { direction, read } = p.or<Arrow>(0, [
      {
        ALT: () => {
          p.take(mark.Minus);
          const content = insideOf(0);
          const right = p.option(1, () => p.take(mark.Greater));
          return { direction: right === undefined ? "any" : "out", read: content };
        },
      },
      {
        ALT: () => {
          p.take(mark.Less);
          p.take(mark.Minus);
          return { direction: "in", read: insideOf(2) };
        },
      },
    ]);
    const sign = p.next();
    const quantifier = p.option(3, () => p.sub(quant));
    const content = read ?? NOTHING;
    if (quantifier !== undefined && content.quantifier !== null) {
      p.act(() => p.refuse(sign, syntaxFault("duplicate", "this edge has two quantifiers", "keep the one after it")));
    }
    return {
      kind: "edge",
      direction,
      ...content,
      quantifier: quantifier ?? content.quantifier,
      at: p.since(first),
    };
  });

  /** `cost` can name the edge, or begin its cost. */
  const isVariable = (): boolean =>
    !p.sees(1, word.COST) ||
    p.sees(2, mark.RightBracket, mark.Colon, word.IN, mark.Star, mark.LeftBrace, word.WHERE, word.COST);
  const inside = p.rule("inside", (): Inside => {
    p.take(mark.LeftBracket);
    const variable = p.option(0, { GATE: isVariable, DEF: () => name("variable") }) ?? null;
    const labels = labelsAfterColon(1);
    const members = cohort(2);
    const quantifier = p.option(3, () => p.sub(starred)) ?? null;
    const map = mapOf(4);
    const condition = where(5);
    const cost = p.option(6, () => {
      p.take(word.COST);
      return p.sub(r.expr);
    });
    p.take(mark.RightBracket);
    return { variable, labels, in: members, map, where: condition, cost: cost ?? null, quantifier };
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

  const group = p.rule("group", (): GroupPattern => {
    const first = p.take(mark.LeftParen);
    const chain = p.sub(r.chain);
    const condition = where(0);
    p.take(mark.RightParen);
    return { kind: "group", chain, where: condition, quantifier: p.sub(quant), at: p.since(first) };
  });

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

  const several = (kind: "and" | "or", of: readonly Labels[]): Labels => {
    if (of.length === 1) return of[0]!;
    const flat = of.flatMap((part) => (part.kind === kind ? part.of : [part]));
    return { kind, of: flat, at: joined(of[0]!.at, of.at(-1)!.at) };
  };
  r.labels = p.rule("labels", (): Labels => {
    p.guard();
    const alternatives = [p.sub(labelTerm)];
    p.many(0, () => {
      p.take(mark.Bar);
      alternatives.push(p.sub(labelTerm));
    });
    return p.act(() => several("or", alternatives));
  });
  const labelTerm = p.rule("labelTerm", (): Labels => {
    const factors = [p.sub(labelFactor)];
    p.many(0, () => {
      p.or(0, [{ ALT: () => p.take(mark.Ampersand) }, { ALT: () => p.take(mark.Colon) }]);
      factors.push(p.sub(labelFactor));
    });
    return p.act(() => several("and", factors));
  });
  const labelFactor = p.rule("labelFactor", (): Labels => {
    p.guard();
    return p.or<Labels>(0, [
      {
        ALT: () => {
          const first = p.take(mark.Bang);
          const of = p.sub(labelFactor);
          return { kind: "not", of, at: p.since(first) };
        },
      },
      {
        ALT: () => {
          const label = anyName("label_or_type");
          return { kind: "label", name: label, at: label.at! };
        },
      },
      {
        ALT: () => {
          p.take(mark.LeftParen);
          const labels = p.sub(r.labels);
          p.take(mark.RightParen);
          return labels;
        },
      },
    ]);
  });

  r.map = p.rule("map", (): MapLiteral => {
    const first = p.take(mark.LeftBrace);
    const entries = p.option(0, () =>
      p.list(0, () => {
        const key = anyName("key");
        p.take(mark.Colon);
        return { key, value: p.sub(r.expr) };
      }),
    );
    p.take(mark.RightBrace);
    return { kind: "map", entries: entries ?? [], at: p.since(first) };
  });
}
