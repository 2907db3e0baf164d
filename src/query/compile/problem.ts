// Errors of statements: what is wrong with a node of the syntax tree, and where it stands in the text.
// Everything that the compiler refuses goes through here, so that every error has its place.
import type { Position } from "../../../grammar/ast.js";
import { type ErrorCode, PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";

export interface Placed {
  readonly at?: Position;
}

/** `kind` is stable, the message may be mended. */
export function problem(
  code: ErrorCode,
  kind: string,
  node: Placed,
  message: string,
  hint: string,
  facts: Readonly<Record<string, unknown>> = {},
): PalimpsestError {
  return new PalimpsestError(code, message, { details: { kind, ...(node.at ?? {}), ...facts }, hint });
}

export function refuse(
  code: ErrorCode,
  kind: string,
  node: Placed,
  message: string,
  hint: string,
  facts: Readonly<Record<string, unknown>> = {},
): never {
  throw problem(code, kind, node, message, hint, facts);
}

/** A pattern that is read and cannot be answered. */
export function notSupported(
  node: Placed,
  what: string,
  hint = "MATCH takes one node or one edge for now: (n:L), (a)-[r:T]->(b)",
): never {
  return refuse("E_INVALID_ARG", "pattern_not_supported", node, `${what} cannot be answered yet`, hint);
}

/** Runs a reader of the contract, whose errors know paths; what it throws gets the place of the node instead. */
export function placed<T>(kind: string, node: Placed, read: (where: string) => T): T {
  const where = "value";
  try {
    return read(where);
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code === "E_INTERNAL") throw error;
    const message = error.message.startsWith(`${where}: `) ? error.message.slice(where.length + 2) : error.message;
    const { path: _, ...facts } = error.details;
    throw problem(error.code, kind, node, message, error.hint, facts);
  }
}

/** A name that nobody knows, with those that look like it; `known` is what could have been meant. */
export function unknownName(node: Placed, what: string, name: string, known: Iterable<string>, otherwise = ""): never {
  const near = nearestNames(name, known);
  const hint =
    near.length > 0 ? `did you mean ${near.join(", ")}?${otherwise === "" ? "" : ` ${otherwise}`}` : otherwise;
  return refuse("E_SCHEMA", "unknown_name", node, what, hint, { found: name, near });
}
