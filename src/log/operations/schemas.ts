// The shape of write operations as JSON Schema, and their types for callers: what documentation and tools derive from.
// The hand-written reader of this folder judges batches; a test keeps the two in step.
import { Type } from "typebox";
import type { InputOf, InstantInput } from "../../contract/input-types.js";

const text = (description: string, maxLength: number) => Type.String({ minLength: 1, maxLength, description });
const Uid = text("at most 1,024 bytes of UTF-8", 1024);
const Name = text("at most 256 bytes of UTF-8", 256);
const Key = Type.String({ maxLength: 1024, description: "tells parallel edges apart" });
const Labels = Type.Array(Name, { description: "a set" });
const Props = Type.Record(Type.String(), Type.Unknown(), { description: "JSON values; null is absence" });

/** What JSON can say; from JavaScript every form of InstantInput. */
const Instant = Type.Unsafe<InstantInput>({
  kind: "instant",
  description: "RFC 3339, a date, or microseconds since 1970",
  anyOf: [
    { type: "string" },
    { type: "object", properties: { us: { type: "integer" } }, required: ["us"], additionalProperties: false },
  ],
});
const End = Type.Union([Instant, Type.Null()], { description: "null: open" });

const Note = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const notes = { source: Note, provenance_ref: Note, reason: Note };
const period = { valid_from: Instant, valid_to: Type.Optional(End) };
const props = Type.Optional(Props);
const closed = { additionalProperties: false } as const;

const edge = { src: Uid, type: Name, dst: Uid, key: Type.Optional(Key) };
const NodeRef = Type.Object({ uid: Uid }, closed);
const EdgeRef = Type.Object(edge, closed);
const Ref = Type.Union([NodeRef, EdgeRef]);

const AssertNode = Type.Object(
  { op: Type.Literal("assert_node"), uid: Uid, labels: Type.Optional(Labels), props, ...period, ...notes },
  { ...closed, description: "record a belief about a node; prior belief is carved" },
);
const AssertEdge = Type.Object(
  { op: Type.Literal("assert_edge"), ...edge, props, ...period, ...notes },
  { ...closed, description: "record a belief about an edge" },
);
const Retract = Type.Object(
  { op: Type.Literal("retract"), ref: Ref, ...period, ...notes },
  { ...closed, description: "the fact does not hold in that interval" },
);
const correct = { op: Type.Literal("correct"), props, ...period, ...notes };
const replace = Type.Optional(Type.Literal("replace"));
const ReplaceNode = Type.Object(
  { ...correct, ref: NodeRef, mode: replace, labels: Labels },
  { ...closed, description: "we were wrong: exactly this content in exactly this interval" },
);
const PatchNode = Type.Object(
  {
    ...correct,
    ref: NodeRef,
    mode: Type.Literal("patch"),
    add_labels: Type.Optional(Labels),
    remove_labels: Type.Optional(Labels),
  },
  { ...closed, description: "change what is believed in this interval; a null removes a property" },
);
const CorrectEdge = Type.Object(
  { ...correct, ref: EdgeRef, mode: Type.Optional(Type.Union([Type.Literal("replace"), Type.Literal("patch")])) },
  { ...closed, description: "the same for an edge" },
);
const nullable = <S extends Parameters<typeof Type.Array>[0]>(each: S) => Type.Array(Type.Union([each, Type.Null()]));
const IngestEvents = Type.Object(
  {
    op: Type.Literal("ingest_events"),
    src: Type.Array(Uid),
    dst: Type.Array(Uid),
    time: Type.Array(Instant),
    type: Type.Union([Name, Type.Array(Name)]),
    key: Type.Optional(Type.Union([nullable(Key), Type.Null()])),
    valid_to: Type.Optional(Type.Union([nullable(Instant), Type.Null()])),
    props: Type.Optional(Type.Union([nullable(Props), Type.Null()])),
    node_labels: Type.Optional(Labels),
    ...notes,
  },
  { ...closed, description: "bulk events in columns of one length, each an edge of its own" },
);
const Erase = Type.Object(
  { op: Type.Literal("erase"), ref: Ref, ...notes },
  { ...closed, description: "the identity and its history are gone for good; stands alone in its batch" },
);

export const OperationSchema = Type.Union(
  [AssertNode, AssertEdge, Retract, ReplaceNode, PatchNode, CorrectEdge, IngestEvents, Erase],
  { title: "Operation" },
);
/** An operation as a caller writes it. */
export type OperationInput = InputOf<typeof OperationSchema>;
