// Values of parameters: what a JavaScript value means where a value, an instant or a text is wanted.
// Parameters are values, never names or text.
import type { Expr, Parameter } from "../../../grammar/ast.js";
import { readGiven } from "../../contract/given.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { INT64_MAX, INT64_MIN } from "../../contract/values.js";
import type { CompileContext } from "./context.js";
import { excessOf } from "./parameter-size.js";
import { placed, refuse } from "./problem.js";

/** Undefined where parameters have no values yet. */
export function givenValue(parameter: Parameter, context: CompileContext): unknown {
  if (context.parameters === null) return undefined;
  const { name } = parameter;
  const { parameters } = context;
  const value = readGiven("params", "the parameters", () =>
    Object.hasOwn(parameters, name) ? parameters[name] : undefined,
  );
  if (value !== undefined) {
    const excess = excessOf(name, value);
    if (excess === null) return value;
    refuse("E_LIMIT", "parameter", parameter, `$${name}: ${excess}`, "give less, or write it into the store");
  }
  const given = readGiven("params", "the parameters", () => Object.keys(parameters));
  return refuse(
    "E_INVALID_ARG",
    "parameter",
    parameter,
    `there is no value for $${name}`,
    given.length === 0 ? `give {${name}: …}` : `given: ${given.join(", ")}`,
    { found: name },
  );
}

/** Whether the caller gives a value of that name, wanted or not. */
export function isGiven(name: string, { parameters }: CompileContext): boolean {
  return parameters !== null && readGiven("params", "the parameters", () => Object.hasOwn(parameters, name));
}

/** A Date, `{us}`, or anything with `epochNanoseconds`: forms that mean an instant wherever they stand. */
function isInstantForm(value: object): boolean {
  if (value instanceof Date || typeof (value as { epochNanoseconds?: unknown }).epochNanoseconds === "bigint") {
    return true;
  }
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === "us";
}

export function instantForm(value: unknown, parameter: Parameter): bigint | undefined {
  if (typeof value !== "object" || value === null || !isInstantForm(value)) return undefined;
  return placed("parameter", parameter, (where) => parseInstant(value, where));
}

/** A literal instant; the open end is a name of its own. */
export function instantLiteral(us: bigint, at: Pick<Expr, "at"> = {}): Expr {
  if (us === OPEN_END_US) return { kind: "named_instant", name: "forever", ...at };
  const text = { kind: "string", value: formatInstant(us), ...at } as const;
  return { kind: "instant", form: "timestamp", text, ...at };
}

/** The literal that says what a parameter's value is. */
export function literalOf(parameter: Parameter, value: unknown, depth = 0): Expr {
  const at = parameter.at === undefined ? {} : { at: parameter.at };
  const bad = (what: string): never =>
    refuse("E_INVALID_ARG", "parameter", parameter, `$${parameter.name}: ${what}`, "give a value of the language");
  if (depth > 64) bad("it is nested more than 64 deep");
  switch (typeof value) {
    case "undefined":
      return { kind: "null", ...at };
    case "string":
      return { kind: "string", value, ...at };
    case "boolean":
      return { kind: "boolean", value, ...at };
    case "bigint": {
      if (value < INT64_MIN || value > INT64_MAX) bad(`${value} is out of the range of int64`);
      const of = { kind: "integer", value: value < 0n ? -value : value, ...at } as const;
      return value < 0n ? { kind: "unary", op: "-", of, ...at } : of;
    }
    case "number": {
      if (!Number.isFinite(value)) bad(`${value} is not a value`);
      if (Number.isSafeInteger(value)) return literalOf(parameter, BigInt(value), depth);
      const of = { kind: "number", value: Math.abs(value), ...at } as const;
      return value < 0 ? { kind: "unary", op: "-", of, ...at } : of;
    }
    case "object": {
      if (value === null) return { kind: "null", ...at };
      const us = instantForm(value, parameter);
      if (us !== undefined) return instantLiteral(us, at);
      if (Array.isArray(value)) {
        return { kind: "list", of: value.map((member) => literalOf(parameter, member, depth + 1)), ...at };
      }
      const entries = Object.entries(value).map(([key, member]) => ({
        key: { text: key },
        value: literalOf(parameter, member, depth + 1),
      }));
      return { kind: "map", entries, ...at };
    }
    default:
      return bad(`a ${typeof value} is no value`);
  }
}
