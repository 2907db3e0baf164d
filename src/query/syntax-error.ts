// A syntax problem as the error that callers meet: code, message, hint, and where in the text.
import type { SyntaxProblem } from "../../grammar/index.js";
import { PalimpsestError } from "../contract/errors.js";

export function syntaxError(problem: SyntaxProblem): PalimpsestError {
  const { code, kind, message, hint, position, found, expected, near } = problem;
  return new PalimpsestError(code, message, { details: { kind, ...position, found, expected, near }, hint });
}
