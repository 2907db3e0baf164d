// Values by what they mean, whatever their form: those that a plan writes, and those that a question names.
import { parseDuration } from "../contract/duration.js";
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject } from "../contract/values.js";
import type { Plan } from "../plan/index.js";
import { literalsOf } from "./plan-literals.js";
import type { Mention } from "./types.js";
import { folded } from "./words/names-in-prose.js";

/** What a text means, whatever its form; null where it has none. */
export function meaning(read: (text: string, where: string) => bigint, text: string): string | null {
  try {
    return String(read(text, ""));
  } catch {
    return null;
  }
}

/** A set of values. */
export class Forms {
  readonly texts = new Set<string>();
  private readonly instants = new Set<string | null>();
  private readonly durations = new Set<string | null>();
  private readonly numbers = new Set<string>();

  add(value: unknown): void {
    if (typeof value === "number" || typeof value === "bigint") this.numbers.add(String(value));
    else if (typeof value === "string") {
      this.texts.add(folded(value));
      this.instants.add(meaning(parseInstant, value));
      this.durations.add(meaning(parseDuration, value));
    }
  }

  hasInstant(text: string): boolean {
    const us = meaning(parseInstant, text);
    return us !== null && this.instants.has(us);
  }
  hasDuration(text: string): boolean {
    const us = meaning(parseDuration, text);
    return us !== null && this.durations.has(us);
  }
  hasNumber(value: unknown): boolean {
    return this.numbers.has(String(value));
  }
  hasText(text: string): boolean {
    return this.texts.has(folded(text));
  }
  /** A number that a question names, as a number or as it is written; a commit as a pin has it. */
  hasNamedNumber({ value, text }: Mention): boolean {
    return typeof value === "string" ? this.hasText(value) : this.hasNumber(value) || this.hasText(text);
  }
}

export function formsOfPlan(plan: Plan): Forms {
  const forms = new Forms();
  for (const step of plan.steps) for (const { value } of literalsOf(step)) forms.add(value);
  return forms;
}

/** The values of mentions, as literals of a plan may have them. */
export function formsOfMentions(mentions: readonly Mention[]): Forms {
  const forms = new Forms();
  for (const { kind, value, text } of mentions) {
    if (kind === "window") for (const end of Object.values(value as JsonObject)) forms.add(end);
    else forms.add(value);
    forms.add(text);
  }
  return forms;
}
