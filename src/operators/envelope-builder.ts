// From an engine's lists and fields to the envelope: cursors, completeness, and the digest over the exact bytes.
// The payload is printed once, by printers compiled from the output schema.
import { canonicalJson, canonicalString } from "../contract/canonical.js";
import { type Cursor, damagedCursor, encodeCursor } from "../contract/cursor.js";
import { sha256Hex } from "../contract/digest.js";
import type { Envelope, EnvelopePin, ListOf } from "../contract/envelope.js";
import type { JsonObject } from "../contract/values.js";
import type { ListPage, RunAnswer } from "./engine.js";
import { arrayPrinter, compilePrinter, type Printer } from "./printer.js";
import type { Operator } from "./registry.js";

export interface EnvelopeParts {
  readonly args: JsonObject;
  readonly answer: RunAnswer;
  readonly cursor: Cursor | null;
  /** Only called when a list goes on: hashing the arguments costs as much as printing them. */
  readonly binding: () => string;
  readonly pin: EnvelopePin;
  readonly otherPin: EnvelopePin | null;
  readonly notices: readonly string[];
  readonly erased: number;
}

function listOf(page: ListPage, list: number, parts: EnvelopeParts): ListOf {
  const ordinal = parts.cursor?.ordinal ?? 0;
  if (ordinal > page.total) throw damagedCursor("it points behind the end of its list");
  const next = ordinal + page.rows.length;
  const truncated = next < page.total;
  return {
    rows: page.rows,
    rows_total: page.total,
    truncated,
    cursor: truncated ? encodeCursor({ list, tx: parts.pin.tx, ordinal: next, binding: parts.binding() }) : null,
  };
}

/** Prints the payload: every field of the envelope that the digest covers, keys sorted. */
function printPayload(operator: Operator, args: JsonObject, payload: JsonObject): string {
  const { declaration } = operator;
  const rowSchema = declaration.rowSchema?.(args, payload);
  const rowPrinter: Printer | undefined = rowSchema && arrayPrinter(compilePrinter(rowSchema));
  let text = "";
  for (const key of Object.keys(payload).sort()) {
    const value = payload[key];
    if (value === undefined) continue;
    const print = (key === "rows" && rowPrinter) || operator.printers.get(key) || canonicalJson;
    text += `${text === "" ? "{" : ","}${canonicalString(key)}:${print(value)}`;
  }
  return `${text}}`;
}

export function buildEnvelope(operator: Operator, parts: EnvelopeParts): Envelope {
  const { declaration } = operator;
  const { args, answer, cursor, pin, otherPin } = parts;
  const lists = declaration.lists.map((_, i) => {
    const page = answer.lists[i] ?? null;
    return page === null ? null : listOf(page, i, parts);
  });
  if (cursor !== null && lists[cursor.list] === null) throw damagedCursor("its list is not part of this answer");
  const truncated = lists.some((list) => list?.truncated === true);
  const complete = !truncated && cursor === null;
  const main = lists[0] ?? null;
  const payload: JsonObject = {
    ...answer.fields,
    rows: (main?.rows ?? null) as JsonObject[] | null,
    rows_total: main?.rows_total ?? null,
    truncated,
    cursor: main?.cursor ?? null,
    complete,
    incomplete: complete ? [] : ["page"],
  };
  for (let i = 1; i < lists.length; i += 1) {
    payload[declaration.lists[i]!.field] = lists[i] as unknown as JsonObject;
  }
  if (otherPin !== null) payload.pins = { left: { ...otherPin }, right: { ...pin } };
  const text = printPayload(operator, args, payload);
  const hashed = `{"args":${canonicalJson(args)},"op":${canonicalString(declaration.name)},"payload":${text},"tx":${pin.tx}}`;
  return {
    op: declaration.name,
    args,
    pin,
    ...payload,
    erased: parts.erased,
    ...(parts.notices.length > 0 ? { notices: parts.notices } : {}),
    result_digest: sha256Hex(hashed),
  } as unknown as Envelope;
}
