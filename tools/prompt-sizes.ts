// Prints the size of every part of every system text, whole and in a small context. Run by `npm run prompts`, with a question
// that the small one is made for.
import { operatorsFor } from "../src/agent/prompt/operator-search.js";
import { FULL_SYSTEM_TOKENS, promptSizes, SMALL_SYSTEM_TOKENS } from "../src/agent/prompt/planner-sizes.js";
import { REPORTER_SYSTEM } from "../src/agent/prompt/reporter-system.js";
import type { SystemPrompt } from "../src/agent/prompt/system-prompt.js";
import { FRONTS, type Front, plannerSystem, wholePlanner } from "../src/agent/prompt/systems.js";
import { roughTokens } from "../src/agent/provider/tokens.js";

const QUESTION = "Who sent the most messages in May 2020, and whom could they reach?";

function print(title: string, { version, digest, parts, tokens }: SystemPrompt, most: number | null): void {
  const bound = most === null ? "" : ` of at most ${most}`;
  console.log(`${title}, ${version}, sha256 ${digest.slice(0, 16)}: ${tokens} tokens${bound}`);
  for (const { name, text } of parts) console.log(`  ${name.padEnd(10)}${String(roughTokens(text)).padStart(6)}`);
}

const question = process.argv.slice(2).join(" ") || QUESTION;
for (const front of Object.keys(FRONTS) as Front[]) {
  print(`planner ${front}, whole`, plannerSystem(wholePlanner(front)), FULL_SYSTEM_TOKENS);
  const { examples } = FRONTS[front];
  const operators = operatorsFor(question, examples);
  for (const size of promptSizes({ examples: examples.length, notes: 0, operators }, true)) {
    const system = plannerSystem({ front, operators: new Set(size.operators), examples: size.examples });
    if (system.tokens > SMALL_SYSTEM_TOKENS) continue;
    print(`planner ${front}, in a small context`, system, SMALL_SYSTEM_TOKENS);
    console.log(`  explains ${size.operators!.join(", ")}`);
    break;
  }
}
print("reporter", REPORTER_SYSTEM, null);
