// Why an ask failed, as its answer says it: what the error would have said where it had been thrown.
import type { ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";

export interface AnswerError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  /** Integers that a JSON number cannot hold are texts. */
  readonly details?: JsonObject;
}

const plain = (details: object): JsonObject =>
  JSON.parse(
    JSON.stringify(details, (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member)),
  ) as JsonObject;

export function answerError({ code, message, hint, details }: PalimpsestError): AnswerError {
  return {
    code,
    message,
    ...(hint === "" ? {} : { hint }),
    ...(Object.keys(details).length === 0 ? {} : { details: plain(details) }),
  };
}
