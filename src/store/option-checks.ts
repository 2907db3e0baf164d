// The options of write and ingest, judged before anything is prepared: shapes, and what does not go together.
// Knows no store.
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import { checkBytes, checkText, LIMITS } from "../contract/values.js";
import type { IngestOptions, WriteOptions } from "./types.js";

function schemaError(path: string, message: string): PalimpsestError {
  return new PalimpsestError("E_SCHEMA", message, { details: { path } });
}

const WRITE_OPTIONS = ["txTime", "ifTx", "idempotencyKey"];
const INGEST_OPTIONS = [...WRITE_OPTIONS, "type", "nodeLabels", "source", "provenanceRef", "reason", "rowsPerCommit"];

/** Refuses names that mean nothing: a misspelt option must not be taken as left out. */
export function checkNames(given: object, known: readonly string[], what: string): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearestNames(name, known);
    throw new PalimpsestError("E_SCHEMA", `there is no ${what} ${JSON.stringify(name)}`, {
      details: { path: name, known, nearest: near },
      hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : `known: ${known.join(", ")}`,
    });
  }
}

export function checkWriteOptions(options: WriteOptions, known: readonly string[] = WRITE_OPTIONS): void {
  if (typeof options !== "object" || options === null) throw schemaError("options", "options are an object");
  checkNames(options, known, "option");
  const { ifTx, idempotencyKey } = options;
  if (ifTx !== undefined && !(Number.isSafeInteger(ifTx) && ifTx >= 0)) {
    throw schemaError("ifTx", "ifTx is no commit number");
  }
  if (idempotencyKey === undefined) return;
  if (typeof idempotencyKey !== "string" || idempotencyKey === "") {
    throw schemaError("idempotencyKey", "idempotencyKey is no text");
  }
  checkBytes(checkText(idempotencyKey, "idempotencyKey"), LIMITS.idempotencyKeyBytes, "idempotencyKey");
}

export function checkIngestOptions(options: IngestOptions): void {
  checkWriteOptions(options, INGEST_OPTIONS);
  const { rowsPerCommit, type } = options;
  if (type !== undefined && typeof type !== "string") throw schemaError("type", "type is no text");
  if (rowsPerCommit === undefined || rowsPerCommit === Number.POSITIVE_INFINITY) return;
  if (!(Number.isSafeInteger(rowsPerCommit) && rowsPerCommit > 0)) {
    throw schemaError("rowsPerCommit", "rowsPerCommit is a number of rows above 0, or Infinity for one commit");
  }
}

/** What an iterable must not be given when it may become several commits: these options speak of one. */
export function checkOneCommit(options: IngestOptions): void {
  if (options.rowsPerCommit === Number.POSITIVE_INFINITY) return;
  for (const name of ["txTime", "ifTx", "idempotencyKey"] as const) {
    if (options[name] === undefined) continue;
    throw new PalimpsestError("E_INVALID_ARG", `${name} is for one commit, and an iterable may become several`, {
      details: { option: name },
      hint: "give rowsPerCommit: Infinity, or one object of columns",
    });
  }
}
