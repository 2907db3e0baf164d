// The messages that ask for a plan: as much of system text, card, notes and repair as the context of the model holds. The
// question is never cut, and no fence is cut inside a line.
import type { JsonObject, JsonValue } from "../contract/values.js";
import { DECLARATIONS } from "../operators/registry.js";
import { type Fitting, firstThatFits } from "./fitting.js";
import type { WrittenViolation } from "./fronts/front.js";
import type { PlanContext } from "./plan-checks.js";
import type { Card } from "./prompt/card.js";
import type { Fences } from "./prompt/fence.js";
import { operatorsFor } from "./prompt/operator-search.js";
import { type PromptSize, promptSizes, SMALL_ROOM_TOKENS, SMALL_SYSTEM_TOKENS } from "./prompt/planner-sizes.js";
import type { SystemPrompt } from "./prompt/system-prompt.js";
import { FRONTS, type FrontName, plannerSystem } from "./prompt/systems.js";
import type { Room } from "./provider/provider.js";
import type { ChatMessage } from "./provider/wire.js";

/** A plan that did not verify, or did not run: what the next attempt is told. */
export interface Setback {
  readonly written: string;
  readonly violations: readonly WrittenViolation[];
  readonly left: number;
  readonly attempt: number;
  /** Digests of steps that succeeded: they are not run again. */
  readonly succeeded: readonly JsonObject[];
}

/** What a question is asked with. */
export interface QuestionContent {
  readonly fences: Fences;
  readonly card: Card;
  readonly context: PlanContext;
  readonly notes: readonly JsonValue[];
}

export interface PlannerContent extends QuestionContent {
  readonly front: { readonly name: FrontName };
}

export interface PlannerMessages extends Fitting {
  readonly system: SystemPrompt;
}

/** The user's message: card, notes and question in their fences, and what is to be done. */
export function questionText(
  { fences, card, context, notes }: QuestionContent,
  task: string,
  size: PromptSize,
): string {
  const mentions = context.mentions.map(
    ({ id, kind, uid, value, text }): JsonValue => ({
      id,
      kind,
      ...(uid === undefined ? {} : { uid }),
      // A zone may be written in other forms than operators take.
      ...(value === undefined || kind === "zone" ? { text } : {}),
      ...(value === undefined ? {} : { value }),
    }),
  );
  const kept = notes.slice(0, size.notes);
  return [
    fences.notice,
    fences.around("card", card.lines(size)),
    ...(kept.length === 0 ? [] : [fences.around("notes", kept)]),
    fences.around("question", [context.question, ...mentions]),
    task,
  ].join("\n");
}

function repairText(
  { fences }: PlannerContent,
  { violations, left, attempt, succeeded }: Setback,
  size: PromptSize,
): string {
  const shown = violations
    .slice(0, size.violations)
    .map(({ hint, ...violation }): JsonValue => ({ ...violation, legal: hint }));
  const told: JsonValue[] = [
    { attempt, left },
    ...shown,
    ...(succeeded.length === 0 ? [] : [{ succeeded: [...succeeded] }]),
  ];
  return [
    "That plan does not hold. What is wrong with it, as data:",
    fences.around("errors", told),
    "Write the whole plan again, mended.",
  ].join("\n");
}

function messagesOf(
  content: PlannerContent,
  last: Setback | null,
  size: PromptSize,
  system: SystemPrompt,
): ChatMessage[] {
  const asked: ChatMessage[] = [
    { role: "system", content: system.text },
    { role: "user", content: questionText(content, "Plan for q.", size) },
  ];
  if (last === null) return asked;
  const written = content.fences.aroundAttempt(last.written, size.attemptCharacters);
  return [
    ...asked,
    { role: "assistant", content: written },
    { role: "user", content: repairText(content, last, size) },
  ];
}

/** The operators that violations speak of, and those of the steps that they are in. */
function namedOperators(last: Setback | null): readonly string[] {
  if (last === null) return [];
  const words = new Set(
    last.violations.flatMap(({ message, hint }) => `${message} ${hint}`.match(/[a-z_]{4,}/g) ?? []),
  );
  const steps = new Set(last.violations.flatMap(({ step }) => step ?? []));
  for (const [, id, op] of last.written.matchAll(/"id":"(s\d+)","op":"([a-z_]+)"/g)) if (steps.has(id!)) words.add(op!);
  return DECLARATIONS.filter(({ name, aliases }) => [name, ...aliases].some((each) => words.has(each))).map(
    ({ name }) => name,
  );
}

function* candidates(content: PlannerContent, last: Setback | null, isSmall: boolean): Generator<PlannerMessages> {
  const { front, notes, context } = content;
  const { examples } = FRONTS[front.name];
  const operators = operatorsFor(context.question, examples, namedOperators(last));
  for (const size of promptSizes({ examples: examples.length, notes: notes.length, operators }, isSmall)) {
    const chosen = size.operators === null ? null : new Set(size.operators);
    const system = plannerSystem({
      front: front.name,
      operators: chosen,
      examples: size.examples,
      question: context.question,
    });
    if (chosen === null || system.tokens <= SMALL_SYSTEM_TOKENS) {
      yield { system, messages: messagesOf(content, last, size, system) };
    }
  }
}

/** The greatest prompt that the room holds; E_LIMIT, and nothing is sent, where the least is too long. */
export const plannerMessages = (content: PlannerContent, last: Setback | null, room: Room): PlannerMessages =>
  firstThatFits(candidates(content, last, room.tokens < SMALL_ROOM_TOKENS), room);
