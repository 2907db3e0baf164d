// Label expressions: names with `&`, `|`, `!` and parentheses, and `:A:B` as Cypher writes it.
import type { Labels } from "../ast.js";
import { joined, type Workshop } from "./table.js";

export function defineLabels(tools: Workshop): void {
  const { p, r, mark, anyName } = tools;

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
}
