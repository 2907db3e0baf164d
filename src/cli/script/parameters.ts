// Parameters of statements from the command line: name=value, the value JSON if it parses as such, else a string.
import { PalimpsestError } from "../../contract/errors.js";
import { parseExact } from "../../contract/exact-json.js";
import type { JsonValue } from "../../contract/values.js";

const NAME = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

export function parameterValue(text: string): JsonValue {
  try {
    return parseExact(text);
  } catch (error) {
    if (error instanceof PalimpsestError) return text;
    throw error;
  }
}

/** The name and value of one `--param`. */
export function parameterOf(text: string): readonly [string, JsonValue] {
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  if (equals === -1 || !NAME.test(name)) {
    throw new PalimpsestError("E_INVALID_ARG", `"${text}" is no parameter`, {
      details: { param: text },
      hint: "write --param name=value; in the text it is $name",
    });
  }
  return [name, parameterValue(text.slice(equals + 1))];
}
