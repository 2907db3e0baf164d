// Constants of the text and of parameters, in the form of columns: instants and durations in microseconds.
// What does not parse is an error with its place.
import type { Position } from "../../grammar/ast.js";
import { parseDuration } from "../contract/duration.js";
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant, OPEN_END_US } from "../contract/instant.js";
import { parseInstant } from "../contract/parse-instant.js";
import type { Bound } from "./bound.js";
import { constant } from "./nodes.js";
import { INSTANT, isInstant } from "./types.js";

interface Placed {
  readonly at?: Position;
}

/** Runs a reader of the contract, and adds where in the text its argument is. */
export function reading<T>(node: Placed | undefined, kind: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PalimpsestError) || node?.at === undefined) throw error;
    const { line, column, offset, length } = node.at;
    throw new PalimpsestError(error.code, error.message, {
      details: { ...error.details, kind, line, column, offset, length },
      hint: error.hint,
    });
  }
}

/** Where an instant must stand, a string parameter is read as RFC 3339 and an integer one as microseconds. */
export function readInstantConstant(node: Bound, at: Placed | undefined): Bound {
  if (node.kind !== "constant" || node.parameter === undefined || isInstant(node.type)) return node;
  const { value, parameter } = node;
  if (node.type.kind === "string") {
    return {
      ...constant(
        reading(at, "parameter", () => parseInstant(value, `$${parameter}`)),
        INSTANT,
      ),
      parameter,
    };
  }
  if (node.type.kind === "int" && typeof value === "bigint") {
    return {
      ...constant(
        reading(at, "parameter", () => parseInstant(value, `$${parameter}`)),
        INSTANT,
      ),
      parameter,
    };
  }
  return node;
}

/** A string parameter beside a duration is read as ISO 8601. */
export function readDurationConstant(node: Bound, at: Placed | undefined): Bound {
  if (node.kind !== "constant" || node.parameter === undefined || node.type.kind !== "string") return node;
  const { value, parameter } = node;
  return {
    ...constant(
      reading(at, "parameter", () => parseDuration(value, `$${parameter}`)),
      { kind: "duration" },
    ),
    parameter,
  };
}

/** An instant as it is written in TQL. */
export const shownInstant = (us: bigint): string =>
  us === OPEN_END_US ? "FOREVER" : `TIMESTAMP '${formatInstant(us)}'`;
