// SHOW FUNCTIONS: the closed list of functions with their types.
import { FUNCTION_TABLE } from "../../relational/index.js";
import type { AnswerRow } from "../statements/answer.js";

export const functions = (): AnswerRow[] =>
  FUNCTION_TABLE.map(({ name, kind, signature }) => ({ function: name, kind, signature }));
