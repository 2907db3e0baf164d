// The decisions of the grammar: one token tells alternatives apart, or the earlier one has a gate; what may repeat or be left out is told
// from what follows it in its rule. Chevrotain would check this at every start; the parser leaves it to this test.
import type { Alternative, IProduction, Rule } from "chevrotain";
import { describe, expect, it } from "vitest";
import { chevrotain } from "../../grammar/chevrotain.js";
import { walkFirst } from "../../grammar/first-terminals.js";
import { parser } from "../../grammar/machine.js";

const rules = Object.values(parser().machine.recorded) as Rule[];

function beginnings(sequence: readonly IProduction[]): Set<number> {
  const types = new Set<number>();
  walkFirst(sequence, (type) => {
    for (const member of [type.tokenTypeIdx!, ...(type.categoryMatches ?? [])]) types.add(member);
  });
  return types;
}
const definitionOf = (production: IProduction): IProduction[] =>
  "definition" in production && !isRuleCall(production) ? (production.definition as IProduction[]) : [];
const isRuleCall = (production: IProduction): boolean => production instanceof chevrotain().NonTerminal;
const shares = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => [...a].some((type) => b.has(type));

/** Every production of a rule, with what follows it in its own sequence. */
function* productions(sequence: readonly IProduction[]): Generator<{ production: IProduction; rest: IProduction[] }> {
  for (const [i, production] of sequence.entries()) {
    yield { production, rest: sequence.slice(i + 1) };
    yield* productions(definitionOf(production));
  }
}

describe("the grammar", () => {
  it("has every rule and no rule that calls itself first", () => {
    expect(rules.length).toBeGreaterThan(50);
    for (const rule of rules) {
      walkFirst(rule.definition, (_type, _slot, entered) => expect(entered, rule.name).not.toContain(rule.name));
    }
  });

  it("tells alternatives apart by one token, or by a gate", () => {
    const { Alternation } = chevrotain();
    const alike: string[] = [];
    for (const rule of rules) {
      for (const { production } of productions(rule.definition)) {
        if (!(production instanceof Alternation)) continue;
        const definition = definitionOf(production) as Alternative[];
        const firsts = definition.map((alternative) => beginnings(alternative.definition));
        for (const [i, first] of firsts.entries()) {
          expect(first.size, rule.name).toBeGreaterThan(0);
          const isGated = definition[i]!.ignoreAmbiguities === true;
          if (!isGated && firsts.slice(i + 1).some((later) => shares(first, later))) alike.push(`${rule.name} ${i}`);
        }
      }
    }
    expect(alike).toEqual([]);
  });

  it("tells what may be left out from what follows it", () => {
    const { Option, Repetition } = chevrotain();
    const alike: string[] = [];
    for (const rule of rules) {
      for (const { production, rest } of productions(rule.definition)) {
        if (!(production instanceof Option || production instanceof Repetition)) continue;
        const inside = beginnings(definitionOf(production));
        expect(inside.size, rule.name).toBeGreaterThan(0);
        if (shares(inside, beginnings(rest))) alike.push(`${rule.name} ${production.idx}`);
      }
    }
    expect(alike).toEqual([
      // IGNORE begins an argument: IGNORE NULLS follows one.
      "reference 2",
      // The alias stands before the time, or else after it.
      "sourceTail 0",
      // EDGES or ELEMENTS comes next, or a path's name.
      "body 0",
      // An equal sign comes next.
      "pattern 0",
      // `cost` may name the edge.
      "inside 0",
    ]);
  });
});
