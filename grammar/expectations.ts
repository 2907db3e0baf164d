// What may stand at one place of a statement: the tokens before it are parsed once more, with a cursor behind them, and every
// decision that the parser makes at the cursor is noted. Errors name it, completion offers it.
import type { IProduction, TokenType } from "chevrotain";
import { walkFirst } from "./first-terminals.js";
import type { Parser } from "./machine.js";
import { parser } from "./machine.js";
import { Refusal, type Rule } from "./rule-writer.js";
import type { Token } from "./scanner.js";
import type { Slot } from "./slots.js";
import { vocabulary } from "./vocabulary.js";

/** One token that may stand there. */
export interface Expectation {
  readonly type: TokenType;
  readonly slot: Slot | null;
  /** The rules that lead to it, outermost first. */
  readonly rules: readonly string[];
  /** The rules entered at the place itself: the tail of `rules`. */
  readonly entered: readonly string[];
  /** No operator stands before the place: what begins there is a whole. */
  readonly isFresh: boolean;
  /** Nothing but this may stand there, seen from its rule. */
  readonly isRequired: boolean;
}

const OPERATORS = new Set(["Plus", "Minus", "Concat", "Star", "Slash", "Percent"]);

type StartRule = "statement" | "query";

export function expectationsAfter(tokens: readonly Token[], start: StartRule = "statement"): Expectation[] {
  const { machine, rules } = parser();
  const found: Expectation[] = [];
  // A gate that looks past the cursor may go either way.
  for (const assume of [false, true]) gather(machine, rules[start], tokens, assume, found);
  return found;
}

function gather(
  machine: Parser["machine"],
  rule: Parser["rules"][StartRule],
  tokens: readonly Token[],
  assume: boolean,
  found: Expectation[],
): void {
  machine.input = [...tokens, cursorToken()];
  const isFresh = !OPERATORS.has(tokens.at(-1)?.tokenType.name ?? "");
  machine.gathering = {
    assume,
    onToken: (type, slot, rules) => {
      found.push({ type, slot: slot ?? null, rules, entered: [], isFresh, isRequired: true });
    },
    onDecision: (choices, rules) => {
      for (const choice of choices as readonly (readonly IProduction[])[]) {
        walkFirst(choice, (type, slot, entered) => {
          found.push({ type, slot, rules: [...rules, ...entered], entered, isFresh, isRequired: false });
        });
      }
    },
  };
  try {
    (rule as Rule<unknown>).call(machine);
    const { End } = vocabulary();
    const isWhole = machine.errors.every((error) => error.name === "NotAllInputParsedException");
    if (isWhole) found.push({ type: End, slot: null, rules: [], entered: [], isFresh, isRequired: false });
  } catch (error) {
    // A construct that is refused before the cursor: what follows it is still what was noted.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    machine.gathering = null;
  }
}

function cursorToken(): Token {
  const { Cursor } = vocabulary();
  return {
    image: "",
    startOffset: 0,
    endOffset: -1,
    startLine: 1,
    startColumn: 1,
    tokenTypeIdx: Cursor.tokenTypeIdx!,
    tokenType: Cursor,
    payload: undefined,
  };
}
