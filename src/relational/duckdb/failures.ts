// What DuckDB says went wrong, as errors of this database: those that values in rows cause, and our own mistakes.
// Its texts are never shown: they speak of generated SQL.
import { type ErrorCode, internalError, PalimpsestError } from "../../contract/errors.js";

/** Written by `raise` in functions/sql.ts. */
const RAISED = /@(E_[A-Z_]+) ([^\n"]*)/;

export function cancelled(): PalimpsestError {
  return new PalimpsestError("E_CANCELLED", "the statement was cancelled");
}

export function failure(error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const raised = RAISED.exec(text);
  if (raised !== null) return new PalimpsestError(raised[1] as ErrorCode, raised[2]!, { details: { kind: "value" } });
  if (text.startsWith("INTERRUPT")) return cancelled();
  if (text.startsWith("Out of Memory Error")) {
    return new PalimpsestError("E_LIMIT", "the statement needs more memory than it may use", {
      details: { kind: "memory" },
      hint: "ask for fewer rows or columns, or group them",
    });
  }
  if (text.includes("More than one row returned by a subquery")) {
    return new PalimpsestError("E_INVALID_ARG", "a query that stands for one value gave several rows", {
      details: { kind: "subquery_rows" },
      hint: "aggregate it, or write LIMIT 1 with an ORDER BY",
    });
  }
  if (text.includes("Insufficient padding")) {
    return new PalimpsestError("E_INVALID_ARG", "LPAD and RPAD need something to fill with", {
      details: { kind: "value" },
      hint: "give a text that is not empty",
    });
  }
  if (text.includes("must not end with escape character")) {
    return new PalimpsestError("E_INVALID_ARG", "a pattern of LIKE ends with its escape character", {
      details: { kind: "value" },
      hint: "write it twice where it stands for itself",
    });
  }
  if (text.includes("expression depth") || text.includes("stack overflow")) {
    return new PalimpsestError("E_LIMIT", "the statement is nested too deeply", {
      details: { kind: "nesting" },
      hint: "split it into WITH queries",
    });
  }
  if (/^(Out of Range|Conversion) Error/.test(text)) {
    return new PalimpsestError("E_LIMIT", "a number left the range of its type", {
      details: { kind: "overflow" },
      hint: "work with smaller values, or CAST them to DOUBLE",
    });
  }
  return internalError(new Error("DuckDB refused a statement that was made for it", { cause: error }));
}
