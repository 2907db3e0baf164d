// What a dot command says of words that it does not understand.
import { PalimpsestError } from "../../contract/errors.js";

export function misused(usage: string, what: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", what, { hint: `write ${usage}` });
}

/** One of the choices, or a refusal that lists them. */
export function choiceOf<T extends string>(word: string | undefined, choices: readonly T[], usage: string): T {
  const found = choices.find((choice) => choice === word?.toLowerCase());
  if (found !== undefined) return found;
  throw misused(usage, word === undefined ? "something is missing" : `"${word}" is none of ${choices.join(", ")}`);
}
