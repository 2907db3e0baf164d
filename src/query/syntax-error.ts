// A syntax problem as the error that callers meet: code, message, hint, and where in the text.
import type { SyntaxProblem } from "../../grammar/index.js";
import { PalimpsestError } from "../contract/errors.js";
import { COMMON_ARGUMENTS } from "../contract/schemas.js";
import { lookUp, operatorNames } from "../operators/registry.js";
import { argumentNames } from "./compile/call.js";

/** `uid => …, window => …`: what the operator whose call begins just before takes. */
function shownArguments(text: string, offset: number): string | null {
  const name = /\bCALL\s+"?(\w+)"?\s*\([^()]*$/i.exec(text.slice(0, offset))?.[1];
  if (name === undefined || !operatorNames().includes(name)) return null;
  const own = [...argumentNames(lookUp(name))].filter((each) => !Object.hasOwn(COMMON_ARGUMENTS, each));
  return own.map((each) => `${each} => …`).join(", ");
}

/** The grammar knows no operators: the names of their arguments are added here. */
export function syntaxError(problem: SyntaxProblem, text: string): PalimpsestError {
  const { code, kind, message, position, found, expected, near } = problem;
  const names = kind === "positional" ? shownArguments(text, position.offset) : null;
  const hint = names === null ? problem.hint : `write ${names}`;
  return new PalimpsestError(code, message, { details: { kind, ...position, found, expected, near }, hint });
}
