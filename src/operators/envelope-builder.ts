// From an engine's lists and fields to the envelope: cursors, completeness, and the digest over the exact bytes.
// The payload is printed once, by printers compiled from the output schema.
import { createHash } from "node:crypto";
import { canonicalJson, canonicalString } from "../contract/canonical.js";
import { type Cursor, damagedCursor, encodeCursor } from "../contract/cursor.js";
import { sha256Hex } from "../contract/digest.js";
import type { AnyEnvelope, EnvelopePin, ListOf } from "../contract/envelope.js";
import type { JsonObject } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";
import type { ListPage, RunAnswer } from "./engine.js";
import type { Printer } from "./printer.js";
import type { Operator } from "./registry.js";

export interface EnvelopeParts {
  readonly args: JsonObject;
  readonly answer: RunAnswer;
  readonly cursor: Cursor | null;
  /** Only called when a list goes on: hashing the arguments costs as much as printing them. */
  readonly binding: () => string;
  /** Null where the operator reads no store. */
  readonly pin: EnvelopePin | null;
  readonly otherPin: EnvelopePin | null;
  readonly notices: readonly string[];
  readonly erased: number;
  /** Whether an input was itself incomplete. */
  readonly isUpstreamIncomplete: boolean;
  /** False: `result_digest` is "", for who asks for no digest. */
  readonly isDigested: boolean;
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
    cursor: truncated ? encodeCursor({ list, tx: parts.pin?.tx ?? 0, ordinal: next, binding: parts.binding() }) : null,
  };
}

/** Above so many rows in one list the printing gives other work its turn. */
const ROWS_AT_ONCE = 500;

/** Canonical JSON of an object in pieces, each member that is a long list in several. */
function* objectPieces(
  object: JsonObject,
  printerOf: (key: string) => Printer,
  rowPrinter: Printer,
): Generator<string> {
  let before = "{";
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    yield `${before}${canonicalString(key)}:`;
    before = ",";
    if (Array.isArray(value) && (key === "rows" || value.length > ROWS_AT_ONCE)) {
      yield* rowPieces(value, key === "rows" ? rowPrinter : canonicalJson);
    } else yield printerOf(key)(value);
  }
  yield before === "{" ? "{}" : "}";
}

function* rowPieces(rows: readonly unknown[], printRow: Printer): Generator<string> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    let text = from === 0 ? "[" : ",";
    for (const [i, row] of rows.slice(from, from + ROWS_AT_ONCE).entries())
      text += (i === 0 ? "" : ",") + printRow(row);
    yield text;
  }
  yield rows.length === 0 ? "[]" : "]";
}

const argumentPieces = (args: JsonObject): Generator<string> => objectPieces(args, () => canonicalJson, canonicalJson);

/** The payload's text: every field of the envelope that the digest covers, keys sorted. */
function payloadPieces(operator: Operator, args: JsonObject, payload: JsonObject): Generator<string> {
  const printRow = operator.rowPrinter(operator.declaration.rowSchema?.(args, payload)) ?? canonicalJson;
  return objectPieces(payload, (key) => operator.printers.get(key) ?? canonicalJson, printRow);
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

/** Whether an object has a list that is printed in pieces. */
const isLongObject = (object: JsonObject): boolean =>
  Object.values(object).some((value) => Array.isArray(value) && value.length > ROWS_AT_ONCE);

/** What a cursor is bound to: the operator and everything in the arguments but where and how long the page is. */
export function bindingOf(op: string, args: JsonObject): string | Promise<string> {
  const { limit: _limit, cursor: _cursor, as_of_tt: _pin, ...rest } = args;
  const digest = digestOf(boundPieces(op, rest), isLongObject(rest));
  return typeof digest === "string" ? digest.slice(0, 32) : digest.then((text) => text.slice(0, 32));
}

function* boundPieces(op: string, args: JsonObject): Generator<string> {
  yield '{"args":';
  yield* argumentPieces(args);
  yield `,"op":${canonicalString(op)}}`;
}

function* digestedPieces(
  operator: Operator,
  args: JsonObject,
  payload: JsonObject,
  tx: number | null,
): Generator<string> {
  yield '{"args":';
  yield* argumentPieces(args);
  yield `,"op":${canonicalString(operator.declaration.name)},"payload":`;
  yield* payloadPieces(operator, args, payload);
  yield `,"tx":${tx}}`;
}

/** What of an envelope is outside its payload, and so outside its digest but for what `digestedPieces` takes of it. */
const OUTSIDE_PAYLOAD: readonly string[] = ["op", "args", "pin", "erased", "notices", "result_digest"];

/** The `result_digest` that an envelope must have, computed again from what it holds. */
export async function digestOfEnvelope(operator: Operator, envelope: AnyEnvelope): Promise<string> {
  const payload = Object.fromEntries(Object.entries(envelope).filter(([key]) => !OUTSIDE_PAYLOAD.includes(key)));
  const { args, pin } = envelope;
  const pieces = digestedPieces(operator, args, payload as JsonObject, pin?.tx ?? null);
  return digestOf(pieces, isLongObject(payload as JsonObject) || isLongObject(args));
}

export function buildEnvelope(operator: Operator, parts: EnvelopeParts): AnyEnvelope | Promise<AnyEnvelope> {
  const { declaration } = operator;
  const { args, answer, cursor, pin, otherPin } = parts;
  const lists = declaration.lists.map((_, i) => {
    const page = answer.lists[i] ?? null;
    return page === null ? null : listOf(page, i, parts);
  });
  if (cursor !== null && lists[cursor.list] === null) throw damagedCursor("its list is not part of this answer");
  const truncated = lists.some((list) => list?.truncated === true);
  const incomplete = [
    ...(truncated || cursor !== null ? ["page"] : []),
    ...(parts.isUpstreamIncomplete ? ["upstream"] : []),
  ];
  const main = lists[0] ?? null;
  const payload: JsonObject = {
    ...answer.fields,
    rows: (main?.rows ?? null) as JsonObject[] | null,
    rows_total: main?.rows_total ?? null,
    truncated,
    cursor: main?.cursor ?? null,
    complete: incomplete.length === 0,
    incomplete,
  };
  for (let i = 1; i < lists.length; i += 1) {
    payload[declaration.lists[i]!.field] = lists[i] as unknown as JsonObject;
  }
  if (otherPin !== null) payload.pins = { left: { ...otherPin }, right: { ...pin } };
  const isLong = isLongObject(payload) || isLongObject(args);
  const digest = !parts.isDigested ? "" : digestOf(digestedPieces(operator, args, payload, pin?.tx ?? null), isLong);
  const envelope = (result_digest: string): AnyEnvelope =>
    ({
      op: declaration.name,
      args,
      pin,
      ...payload,
      erased: parts.erased,
      ...(parts.notices.length > 0 ? { notices: parts.notices } : {}),
      result_digest,
    }) as unknown as AnyEnvelope;
  return typeof digest === "string" ? envelope(digest) : digest.then(envelope);
}
