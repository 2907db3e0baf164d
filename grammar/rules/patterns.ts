// MATCH: clauses, patterns, chains of nodes and edges, maps; words before a path, labels and quantifiers have their files.
// Arrows are put together from single characters, so that `a < -1` reads as SQL would.
import type {
  Chain,
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
  TimeClause,
} from "../ast.js";
import { syntaxFault } from "../errors/fault.js";
import { definePathWords } from "./path-words.js";
import { defineQuantifiers } from "./quantifiers.js";
import type { Workshop } from "./table.js";

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
  const { p, r, mark, word, name, anyName, choice } = tools;

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

  const { search, timeMode } = definePathWords(tools);
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

  const { quant, starred } = defineQuantifiers(tools);
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
  const group = p.rule("group", (): GroupPattern => {
    const first = p.take(mark.LeftParen);
    const chain = p.sub(r.chain);
    const condition = where(0);
    p.take(mark.RightParen);
    return { kind: "group", chain, where: condition, quantifier: p.sub(quant), at: p.since(first) };
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
