// The argument types that operators share, as typebox schemas with marks.
// A schema types the *resolved* argument; `default` says what may be left out, `kind` how text becomes canonical.
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "typebox";

/** How a text or value becomes canonical; read by the pipeline, the verifier and TQL. */
export type ArgumentKind =
  | "uid"
  | "instant"
  | "instant_open"
  | "table"
  | "step_table"
  | "pin"
  | "window"
  | "pin_window"
  | "duration"
  | "stride"
  | "zone"
  | "json"
  | "null_predicate"
  | "projection"
  | "predicates";

/** An object that has these members and no other. */
export function closed<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The same type, which a caller may leave out. */
export function withDefault<S extends TSchema>(schema: S, value: unknown): S & { default: unknown } {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S;
  return Object.assign(copy, { default: value });
}

/** The same type, with what it means for whoever fills it in: words for the manual, which nothing else reads. */
export function described<S extends TSchema>(schema: S, description: string): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S;
  return Object.assign(copy, { description });
}

/** One of a few names, each with what it means. */
export const choice = <const C extends Readonly<Record<string, string>>>(choices: C) =>
  Type.Enum(Object.keys(choices) as (keyof C & string)[], { choices });

export const nullable = <S extends TSchema>(schema: S, options: Record<string, unknown> = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A set of strings: duplicates go, order by code point. */
export const setOf = <S extends TSchema>(schema: S, options: Record<string, unknown> = {}) =>
  Type.Array(schema, { set: true, ...options });

const INSTANT_FORMS = [Type.String(), Type.Object({ us: Type.Integer() }, { additionalProperties: false })] as const;

export const Uid = Type.String({ kind: "uid", minLength: 1, title: "Uid" });
/** Text after canonical form; a caller may give any form of an instant. */
type TInstantText = TUnsafe<string> & { readonly kind: "instant" | "pin" };
type TOpenEnd = TUnsafe<string | null> & { readonly kind: "instant_open" };

export const Instant = Type.Unsafe<string>({
  kind: "instant",
  title: "Instant",
  anyOf: INSTANT_FORMS,
}) as unknown as TInstantText;
/** An end of valid time: null is open. */
export const OpenEnd = Type.Unsafe<string | null>({
  kind: "instant_open",
  title: "OpenEnd",
  anyOf: [...INSTANT_FORMS, Type.Null()],
}) as unknown as TOpenEnd;
/** An instant or `tx:N`. After the pin stage always `tx:N`. */
export const Pin = Type.Unsafe<string>({ kind: "pin", title: "Pin", anyOf: INSTANT_FORMS }) as unknown as TInstantText;
export const Window = closed(
  {
    from: described(nullable(Instant), "its first instant; null: it has no beginning"),
    to: described(nullable(Instant), "the first instant after it; null: it has no end"),
  },
  { kind: "window", title: "Window" },
);
/** A stretch of transaction time; `tx:N` is echoed as its time. */
export const PinWindow = closed(
  {
    from: described(nullable(Pin), "its first instant, or a commit for its time; null: it has no beginning"),
    to: described(nullable(Pin), "the first instant after it, or a commit; null: it has no end"),
  },
  { kind: "pin_window", title: "PinWindow" },
);
export const Duration = Type.Unsafe<string>({ type: "string", kind: "duration", title: "Duration" });
export const StrideText = Type.Unsafe<string>({ type: "string", kind: "stride", title: "Stride" });
export const Zone = Type.Unsafe<string>({ type: "string", kind: "zone", title: "Zone" });
/** Any JSON value of the database. */
export const Json = Type.Unsafe<unknown>({ kind: "json" });

/** Rows of an earlier answer, or inline: scalars, or objects. Read in slices, apart from the other arguments. */
export const TABLE_ROWS = 1_000_000;
export const Table = Type.Unsafe<readonly TableElement[]>({
  type: "array",
  kind: "table",
  title: "Table",
  maxItems: TABLE_ROWS,
});
export type TableElement = null | boolean | number | bigint | string | Date | { readonly [column: string]: unknown };

/**
 * A list of an earlier step of a plan, by the digest of that step. Whoever runs the plan hands the rows over beside the
 * arguments, by columns.
 */
export const StepTable = closed(
  {
    digest: described(Type.String(), "digest of the step's answer"),
    path: described(withDefault(Type.String(), "rows"), "the list in it"),
    slice: described(
      withDefault(
        nullable(Type.Array(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })), { maxItems: 2 })),
        null,
      ),
      "offset and count of the rows that are handed over; null: all",
    ),
  },
  { kind: "step_table", title: "StepTable" },
);

/** Which properties are shown: none, all, or the named ones. */
export const Projection = Type.Union([Type.Literal("all"), setOf(Type.String(), { maxItems: 64 }), Type.Null()], {
  kind: "projection",
  title: "Projection",
});

const NameSet = setOf(Type.String(), { maxItems: 256 });
const PredRef = Type.Ref("Pred");
const InnerPreds = Type.Unsafe<Pred[]>(Type.Array(PredRef, { maxItems: 64 }));
/** Its predicates at every depth are counted together. */
const PredList = Type.Unsafe<Pred[]>(Type.Array(PredRef, { maxItems: 64, kind: "predicates" }));

export type Scalar = string | number | bigint | boolean;
export type Pred =
  | { readonly prop: string; readonly op: "is_null" | "not_null" }
  | { readonly prop: string; readonly op: ValueOp; readonly value: unknown }
  | { readonly any: readonly Pred[] }
  | { readonly not: Pred };
type ValueOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "in" | "between" | "contains" | "starts_with" | "ends_with";

const PREDICATE = { prop: described(Type.String(), "name of the property") };

/** One condition on a property, or a combination; referenced by name because it holds itself. */
export const PredSchema = Type.Union(
  [
    closed(
      {
        ...PREDICATE,
        op: described(Type.Enum(["is_null", "not_null"]), "the comparison"),
        value: described(Type.Optional(Type.Null()), "what the property is held against"),
      },
      { kind: "null_predicate", description: "whether it is missing or null" },
    ),
    closed(
      { ...PREDICATE, op: Type.Enum(["eq", "ne", "lt", "le", "gt", "ge", "contains"]), value: Json },
      { description: "a comparison; contains: a part of a text, or a member of an array" },
    ),
    closed(
      { ...PREDICATE, op: Type.Literal("in"), value: Type.Array(Json, { maxItems: 10_000 }) },
      { description: "one of several" },
    ),
    closed(
      { ...PREDICATE, op: Type.Literal("between"), value: Type.Array(Json, { minItems: 2, maxItems: 2 }) },
      { description: "not below the first nor above the second" },
    ),
    closed(
      { ...PREDICATE, op: Type.Enum(["starts_with", "ends_with"]), value: Type.String() },
      { description: "how a text begins or ends" },
    ),
    closed({ any: described(InnerPreds, "one of them holds") }, { description: "or" }),
    closed(
      { not: described(Type.Unsafe<Pred>(PredRef), "it does not hold") },
      { description: "also where a value is missing" },
    ),
  ],
  { title: "Pred" },
);

export const NodeFilter = closed(
  {
    uids: described(withDefault(nullable(setOf(Uid, { maxItems: 10_000 })), null), "the node is one of these"),
    labels: described(withDefault(NameSet, []), "it has all of these labels"),
    any_labels: described(withDefault(nullable(NameSet), null), "it has at least one of these labels"),
    props: described(withDefault(PredList, []), "conditions on its properties; all must hold"),
  },
  { title: "NodeFilter" },
);

export const Where = closed(
  {
    types: described(withDefault(nullable(NameSet), null), "types of edges that pass"),
    keys: described(withDefault(nullable(setOf(Type.String(), { maxItems: 10_000 })), null), "keys of edges that pass"),
    edge: described(withDefault(PredList, []), "conditions on properties of the edge; all must hold"),
    src: described(withDefault(nullable(NodeFilter), null), "what the tail of the edge must be"),
    dst: described(withDefault(nullable(NodeFilter), null), "what its head must be"),
    node: described(
      withDefault(nullable(NodeFilter), null),
      "what both ends must be, but for nodes that the call names as subject",
    ),
  },
  { title: "Where" },
);

export const NodeRef = closed({ uid: described(Uid, "a node") }, { title: "NodeRef" });
export const EdgeRef = closed(
  {
    src: described(Uid, "the tail of an edge"),
    type: described(Type.String(), "its type"),
    dst: described(Uid, "its head"),
    key: described(withDefault(Type.String(), ""), "its key among parallel edges"),
  },
  { title: "EdgeRef" },
);
export const Ref = Type.Union([NodeRef, EdgeRef], { title: "Ref" });
export const Orientation = choice({
  out: "edges are crossed from src to dst",
  in: "from dst to src",
  both: "either way",
});

/** When a walk can cross a fact. */
export const Arrival = choice({
  instant: "a fact is crossed at any one instant at which it holds",
  valid_end: "a fact is left at its beginning and arrives at its end, like a ride",
});
export const WalkTies = choice({
  allow: "a step may leave at the instant at which the one before arrived",
  strict: "it must leave later",
});

/** The arguments that every operator has. */
export const COMMON_ARGUMENTS = {
  as_of_tt: described(withDefault(nullable(Pin), null), "answer as it was believed then; null: by the latest commit"),
  limit: described(
    withDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), 100),
    "most rows of each list in one answer",
  ),
  cursor: described(
    withDefault(nullable(Type.String()), null),
    "the `cursor` of an earlier answer: the next page of that list",
  ),
};

export type WindowArgument = Static<typeof Window>;
export type NodeFilterArgument = Static<typeof NodeFilter>;
export type WhereArgument = Static<typeof Where>;
export type RefArgument = Static<typeof Ref>;
export type EdgeRefArgument = Static<typeof EdgeRef>;
export type ProjectionArgument = Static<typeof Projection>;
