// How much of a planner's prompt is sent: everything, then less and less, in a fixed order. What the context holds decides
// which of them is sent; the question is in all of them.

export interface PromptSize {
  /** Examples in the system text, at most. */
  readonly examples: number;
  /** Notes, at most. */
  readonly notes: number;
  /** Whether the card shows values of properties. */
  readonly hasSamples: boolean;
  /** Tokens that the card may have; null: all that its cap allows. */
  readonly cardTokens: number | null;
  /** Operators that the manual explains, briefly; null: all of them, at length. */
  readonly operators: readonly string[] | null;
  /** Of a repair: characters of the last attempt, and violations. */
  readonly attemptCharacters: number;
  readonly violations: number;
}

/** Below this room a prompt that does not fit whole has a manual of what the question asks for alone. */
export const SMALL_ROOM_TOKENS = 6_000;
export const FULL_SYSTEM_TOKENS = 6_500;
export const SMALL_SYSTEM_TOKENS = 1_800;
const SMALL_EXAMPLES = 3;
const SMALL_CARD_TOKENS = 600;
const WHOLE_REPAIR = { attemptCharacters: 6_000, violations: 8 };
const SHORT_REPAIR = { attemptCharacters: 800, violations: 2 };

/** What there is to cut. */
export interface Cuttable {
  readonly examples: number;
  readonly notes: number;
  /** For a small manual, the most needed first. */
  readonly operators: readonly string[];
}

/** The sizes of one manual: without more and more of examples, then notes, then samples of the card. */
function* withoutDetails(whole: PromptSize): Generator<PromptSize> {
  const { examples, notes } = whole;
  for (let left = examples; left >= 0; left -= 1) yield { ...whole, examples: left };
  for (let left = notes - 1; left >= 0; left -= 1) yield { ...whole, examples: 0, notes: left };
  yield { ...whole, examples: 0, notes: 0, hasSamples: false };
}

/** The sizes from the greatest to the least; with `isSmall` after the whole one those of a small context alone. */
export function* promptSizes({ examples, notes, operators }: Cuttable, isSmall: boolean): Generator<PromptSize> {
  const whole = { examples, notes, hasSamples: true, cardTokens: null, operators: null, ...WHOLE_REPAIR };
  if (isSmall) yield whole;
  else yield* withoutDetails(whole);
  const small = {
    ...whole,
    examples: Math.min(examples, SMALL_EXAMPLES),
    cardTokens: SMALL_CARD_TOKENS,
    operators,
  };
  yield* withoutDetails(small);
  const bare = { ...small, examples: 0, notes: 0, hasSamples: false };
  for (let tokens = SMALL_CARD_TOKENS / 2; tokens >= SMALL_CARD_TOKENS / 8; tokens /= 2)
    yield { ...bare, cardTokens: tokens };
  const least = { ...bare, cardTokens: SMALL_CARD_TOKENS / 8 };
  for (let count = operators.length - 1; count > 0; count -= 1)
    yield { ...least, operators: operators.slice(0, count) };
  yield { ...least, operators: operators.slice(0, 1), ...SHORT_REPAIR };
}
