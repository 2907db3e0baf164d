// Errors of binding: a code, a stable `kind`, and where in the text it is.
// Message says what is wrong, hint the cure; both are for people.
import type { Position } from "../../grammar/ast.js";
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";

interface Placed {
  readonly at?: Position;
}

interface ProblemFacts {
  readonly code?: ErrorCode;
  readonly hint?: string;
  readonly near?: readonly string[];
}

/** E_SCHEMA unless another code is named. */
export function problem(kind: string, message: string, node: Placed | undefined, facts: ProblemFacts = {}) {
  const { code = "E_SCHEMA", hint = "", near } = facts;
  const { line, column, offset, length } = node?.at ?? {};
  const place = line === undefined ? {} : { line, column, offset, length };
  return new PalimpsestError(code, message, { details: { kind, ...place, ...(near && { near }) }, hint });
}

/** A name that nothing has: `what` is "n has no column", "there is no function". */
export function unknownName(what: string, name: string, node: Placed | undefined, known: Iterable<string>, cure = "") {
  const names = [...new Set(known)];
  const near = nearestNames(name, names);
  const listed = names.length > 0 && names.length <= 20 ? `known: ${names.join(", ")}` : "";
  const ended = listed === "" || cure === "" ? listed : `${listed};`;
  const hint = near.length > 0 ? `did you mean ${near.join(", ")}?` : ended;
  return problem("unknown_name", `${what} ${JSON.stringify(name)}`, node, {
    hint: [hint, cure].filter((part) => part !== "").join(" "),
    near,
  });
}

/** Arguments of types that a function or operator does not take. */
export const wrongType = (message: string, node: Placed | undefined, hint = "") =>
  problem("wrong_type", message, node, { hint });

/** The stack ends where a text is nested too deeply. */
export function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw problem("nesting", "the statement is nested too deeply", undefined, {
      code: "E_LIMIT",
      hint: "split it into WITH queries",
    });
  }
}
