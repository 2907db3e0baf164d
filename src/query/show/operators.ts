// SHOW OPERATORS and SHOW OPERATOR x: what CALL can call, from the registry.
import type { Name } from "../../../grammar/ast.js";
import { canonicalJson } from "../../contract/canonical.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonValue } from "../../contract/values.js";
import { entriesOf } from "../../manual/arguments.js";
import { DECLARATIONS, lookUp } from "../../operators/registry.js";
import { unknownName } from "../compile/problem.js";
import type { AnswerRow } from "../statements/answer.js";

export const operators = (): AnswerRow[] =>
  DECLARATIONS.map(({ name, aliases, summary }) => ({ operator: name, aliases: [...aliases], summary }));

/** The arguments of one operator. */
export function operator(name: Name): AnswerRow[] {
  return entriesOf(argumentsOf(name)).map(({ name: argument, type, isRequired, fallback, meaning }) => ({
    argument,
    type,
    required: isRequired,
    default: fallback === undefined ? null : canonicalJson(fallback as JsonValue),
    meaning,
  }));
}

function argumentsOf(name: Name): Parameters<typeof entriesOf>[0] {
  try {
    const args = lookUp(name.text).declaration.args as unknown as { readonly anyOf?: readonly unknown[] };
    // Of several forms the first one is the usual one.
    return (args.anyOf?.[0] ?? args) as Parameters<typeof entriesOf>[0];
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
    const known = DECLARATIONS.map((each) => each.name);
    return unknownName(name, `no operator ${JSON.stringify(name.text)}`, name.text, known, "SHOW OPERATORS");
  }
}
