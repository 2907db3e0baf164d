// One record of a TGMS event log: its batch, operation by operation, as that system means it.
// Reads JSON text; what an operation does to beliefs is for translate.ts.
import { parseUnambiguous } from "../../contract/exact-json.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import {
  checkKeys,
  checkOrder,
  listAt,
  malformed,
  objectAt,
  type Stretch,
  textAt,
  textOrNone,
  wholeAt,
} from "./shapes.js";

export type TgmsRef =
  | { readonly uid: string }
  | { readonly src: string; readonly type: string; readonly dst: string; readonly key: string };

export interface Notes {
  readonly source?: string;
  readonly provenance_ref?: string;
}

export interface TgmsEvent extends Stretch {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly key: string;
  readonly props: JsonObject;
}

export type TgmsOperation = { readonly notes: Notes } & (
  | {
      readonly kind: "assert";
      readonly ref: TgmsRef;
      readonly label?: string;
      readonly props: JsonObject;
      readonly period: Stretch;
    }
  | { readonly kind: "correct"; readonly ref: TgmsRef; readonly props: JsonObject; readonly period: Stretch }
  | { readonly kind: "retract"; readonly ref: TgmsRef; readonly atUs: bigint }
  | { readonly kind: "events"; readonly label?: string; readonly events: readonly TgmsEvent[] }
);

export interface TgmsRecord {
  readonly timeUs: bigint;
  readonly operations: readonly TgmsOperation[];
}

const NOTES = ["op", "source", "provenance_ref"];
const EDGE = ["src", "dst", "rel_type", "disc"];
const PERIOD = ["vt_s", "vt_e"];

const propsAt = (value: JsonValue | undefined, path: string): JsonObject =>
  value === undefined || value === null ? {} : objectAt(value, path);

const labelled = (label: string | undefined) => (label === undefined || label === "" ? {} : { label });

function notesOf(op: JsonObject, path: string): Notes {
  const source = textOrNone(op.source, `${path}/source`);
  const provenance = textOrNone(op.provenance_ref, `${path}/provenance_ref`);
  return {
    ...(source === undefined ? {} : { source }),
    ...(provenance === undefined ? {} : { provenance_ref: provenance }),
  };
}

function periodOf(op: JsonObject, path: string): Stretch {
  return checkOrder({ fromUs: wholeAt(op.vt_s, `${path}/vt_s`), toUs: wholeAt(op.vt_e, `${path}/vt_e`) }, path);
}

function edgeOf(op: JsonObject, path: string) {
  return {
    src: textAt(op.src, `${path}/src`),
    type: textAt(op.rel_type, `${path}/rel_type`),
    dst: textAt(op.dst, `${path}/dst`),
    key: textOrNone(op.disc, `${path}/disc`) ?? "",
  };
}

function refOf(value: JsonValue | undefined, path: string): TgmsRef {
  const ref = objectAt(value, path);
  if (ref.kind === "node") {
    checkKeys(ref, ["kind", "uid"], path);
    return { uid: textAt(ref.uid, `${path}/uid`) };
  }
  if (ref.kind !== "edge") throw malformed(`${path}/kind`, 'is neither "node" nor "edge"');
  checkKeys(ref, ["kind", ...EDGE], path);
  return edgeOf(ref, path);
}

/** Event number `index` of an operation whose first one is number `offset` of the log. */
function eventOf(value: JsonValue, offset: bigint, index: number, path: string): TgmsEvent {
  const event = objectAt(value, path);
  checkKeys(event, [...EDGE, ...PERIOD, "props"], path);
  const fromUs = wholeAt(event.vt_s, `${path}/vt_s`);
  const end = event.vt_e === undefined || event.vt_e === null ? 0n : wholeAt(event.vt_e, `${path}/vt_e`);
  const { key, ...edge } = edgeOf(event, path);
  const hasKey = event.disc !== undefined && event.disc !== null;
  return {
    ...edge,
    key: hasKey ? key : `#${offset + BigInt(index)}`,
    props: propsAt(event.props, `${path}/props`),
    ...checkOrder({ fromUs, toUs: end === 0n ? fromUs + 1n : end }, path),
  };
}

function operationOf(value: JsonValue, path: string): TgmsOperation {
  const op = objectAt(value, path);
  const notes = notesOf(op, path);
  switch (op.op) {
    case "assert_node": {
      checkKeys(op, [...NOTES, ...PERIOD, "uid", "label", "props"], path);
      const label = textOrNone(op.label, `${path}/label`);
      const ref = { uid: textAt(op.uid, `${path}/uid`) };
      const props = propsAt(op.props, `${path}/props`);
      return { kind: "assert", notes, ref, ...labelled(label), props, period: periodOf(op, path) };
    }
    case "assert_edge": {
      checkKeys(op, [...NOTES, ...PERIOD, ...EDGE, "props"], path);
      const props = propsAt(op.props, `${path}/props`);
      return { kind: "assert", notes, ref: edgeOf(op, path), props, period: periodOf(op, path) };
    }
    case "retract":
      checkKeys(op, [...NOTES, "ref", "t"], path);
      return { kind: "retract", notes, ref: refOf(op.ref, `${path}/ref`), atUs: wholeAt(op.t, `${path}/t`) };
    case "correct": {
      checkKeys(op, [...NOTES, ...PERIOD, "ref", "props"], path);
      const props = propsAt(op.props, `${path}/props`);
      return { kind: "correct", notes, ref: refOf(op.ref, `${path}/ref`), props, period: periodOf(op, path) };
    }
    case "ingest_events": {
      checkKeys(op, [...NOTES, "events", "offset", "node_label"], path);
      const offset = op.offset === undefined ? 0n : wholeAt(op.offset, `${path}/offset`);
      const label = textOrNone(op.node_label, `${path}/node_label`);
      const events = listAt(op.events, `${path}/events`);
      return {
        kind: "events",
        notes,
        ...labelled(label),
        events: events.map((event, i) => eventOf(event, offset, i, `${path}/events/${i}`)),
      };
    }
    default:
      throw malformed(`${path}/op`, `${JSON.stringify(op.op) ?? "nothing"} is no operation of the format`);
  }
}

/** Checks the first line of a log. */
export function readHeader(text: string): void {
  const header = objectAt(parseUnambiguous(text), "/");
  if (header.format !== "tgms-eventlog") throw malformed("/format", 'the first line does not say "tgms-eventlog"');
  if (header.version !== 1) throw malformed("/version", `version ${String(header.version)} is not 1, the one known`);
}

export function readRecord(text: string): TgmsRecord {
  const record = objectAt(parseUnambiguous(text), "/");
  checkKeys(record, ["batch_id", "ops", "tt"], "");
  const operations = listAt(record.ops, "/ops").map((op, i) => operationOf(op, `/ops/${i}`));
  return { timeUs: wholeAt(record.tt, "/tt"), operations };
}
