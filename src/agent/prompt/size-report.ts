// The size of every part of every system text, as text: whole, and in a small context.
import { roughTokens } from "../provider/tokens.js";
import { operatorsFor } from "./operator-search.js";
import { FULL_SYSTEM_TOKENS, promptSizes, SMALL_SYSTEM_TOKENS } from "./planner-sizes.js";
import { REPORTER_SYSTEM } from "./reporter-system.js";
import type { SystemPrompt } from "./system-prompt.js";
import { FRONTS, type FrontName, type PlannerSize, plannerSystem, wholePlanner } from "./systems.js";

function linesOf(title: string, { version, digest, parts, tokens }: SystemPrompt, most: number | null): string[] {
  const bound = most === null ? "" : ` of at most ${most}`;
  return [
    `${title}, ${version}, sha256 ${digest.slice(0, 16)}: ${tokens} tokens${bound}`,
    ...parts.map(({ name, text }) => `  ${name.padEnd(10)}${String(roughTokens(text)).padStart(6)}`),
  ];
}

/** The planner that a small context is sent for a question, if there is room for the rest. */
export function smallPlanner(
  front: FrontName,
  question: string,
): PlannerSize & { readonly operators: ReadonlySet<string> } {
  const { examples } = FRONTS[front];
  const operators = operatorsFor(question, examples);
  let size = { front, operators: new Set<string>(), examples: 0, question };
  for (const each of promptSizes({ examples: examples.length, notes: 0, operators }, true)) {
    if (each.operators === null) continue;
    size = { front, operators: new Set(each.operators), examples: each.examples, question };
    if (plannerSystem(size).tokens <= SMALL_SYSTEM_TOKENS) break;
  }
  return size;
}

/** Of all system texts; a small planner is made for the question. */
export function sizeReport(question: string): string {
  const planners = (Object.keys(FRONTS) as FrontName[]).flatMap((front) => {
    const small = smallPlanner(front, question);
    return [
      ...linesOf(`planner ${front}, whole`, plannerSystem(wholePlanner(front)), FULL_SYSTEM_TOKENS),
      ...linesOf(`planner ${front}, in a small context`, plannerSystem(small), SMALL_SYSTEM_TOKENS),
      `  explains ${[...small.operators].join(", ")}`,
    ];
  });
  return [...planners, ...linesOf("reporter", REPORTER_SYSTEM, null)].join("\n");
}
