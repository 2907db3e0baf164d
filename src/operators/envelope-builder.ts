// From an engine's lists and fields to the envelope: cursors, completeness, and the digest over the exact bytes.
// The payload is printed once, by printers compiled from the output schema.
import { createHash } from "node:crypto";
import { canonicalJson, canonicalString } from "../contract/canonical.js";
import { type Cursor, damagedCursor, encodeCursor } from "../contract/cursor.js";
import { sha256Hex } from "../contract/digest.js";
import type { Envelope, EnvelopePin, ListOf } from "../contract/envelope.js";
import type { JsonObject } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";
import type { ListPage, RunAnswer } from "./engine.js";
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

/** Above so many rows in one list the printing gives other work its turn. */
const ROWS_AT_ONCE = 500;

/** The payload's text in pieces: every field of the envelope that the digest covers, keys sorted. */
function* payloadPieces(operator: Operator, args: JsonObject, payload: JsonObject): Generator<string> {
  const { declaration } = operator;
  const rowSchema = declaration.rowSchema?.(args, payload);
  let before = "{";
  for (const key of Object.keys(payload).sort()) {
    const value = payload[key];
    if (value === undefined) continue;
    yield `${before}${canonicalString(key)}:`;
    before = ",";
    const printRow = key === "rows" ? operator.rowPrinter(rowSchema) : undefined;
    if (printRow === undefined || !Array.isArray(value)) {
      yield (operator.printers.get(key) ?? canonicalJson)(value);
      continue;
    }
    for (let from = 0; from < value.length; from += ROWS_AT_ONCE) {
      let text = from === 0 ? "[" : ",";
      for (const [i, row] of value.slice(from, from + ROWS_AT_ONCE).entries())
        text += (i === 0 ? "" : ",") + printRow(row);
      yield text;
    }
    yield value.length === 0 ? "[]" : "]";
  }
  yield before === "{" ? "{}" : "}";
}

/** The digest of pieces of text; a promise where there are rows enough to hold the event loop. */
function digestOf(pieces: Iterable<string>, isLong: boolean): string | Promise<string> {
  if (!isLong) {
    let text = "";
    for (const piece of pieces) text += piece;
    return sha256Hex(text);
  }
  return digestInSlices(pieces);
}

async function digestInSlices(pieces: Iterable<string>): Promise<string> {
  const hash = createHash("sha256");
  const pace = new Pace();
  for (const piece of pieces) {
    hash.update(piece, "utf8");
    if (pace.isDue) await pace.rest();
  }
  return hash.digest("hex");
}

function* digestedPieces(operator: Operator, args: JsonObject, payload: JsonObject, tx: number): Generator<string> {
  yield `{"args":${canonicalJson(args)},"op":${canonicalString(operator.declaration.name)},"payload":`;
  yield* payloadPieces(operator, args, payload);
  yield `,"tx":${tx}}`;
}

export function buildEnvelope(operator: Operator, parts: EnvelopeParts): Envelope | Promise<Envelope> {
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
  const isLong = (main?.rows.length ?? 0) > ROWS_AT_ONCE;
  const digest = digestOf(digestedPieces(operator, args, payload, pin.tx), isLong);
  const envelope = (result_digest: string): Envelope =>
    ({
      op: declaration.name,
      args,
      pin,
      ...payload,
      erased: parts.erased,
      ...(parts.notices.length > 0 ? { notices: parts.notices } : {}),
      result_digest,
    }) as unknown as Envelope;
  return typeof digest === "string" ? envelope(digest) : digest.then(envelope);
}
