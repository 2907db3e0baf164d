// The argument types that operators share, as typebox schemas with marks.
// A schema types the *resolved* argument; `default` says what may be left out, `kind` how text becomes canonical.
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "typebox";

/** How a text or value becomes canonical; read by the pipeline, the verifier and TQL. */
export type ArgumentKind =
  | "uid"
  | "instant"
  | "instant_open"
  | "table"
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
export const Window = closed({ from: nullable(Instant), to: nullable(Instant) }, { kind: "window", title: "Window" });
/** A stretch of transaction time; `tx:N` is echoed as its time. */
export const PinWindow = closed({ from: nullable(Pin), to: nullable(Pin) }, { kind: "pin_window", title: "PinWindow" });
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

/** One condition on a property, or a combination; referenced by name because it holds itself. */
export const PredSchema = Type.Union(
  [
    closed(
      { prop: Type.String(), op: Type.Enum(["is_null", "not_null"]), value: Type.Optional(Type.Null()) },
      { kind: "null_predicate" },
    ),
    closed({ prop: Type.String(), op: Type.Enum(["eq", "ne", "lt", "le", "gt", "ge", "contains"]), value: Json }),
    closed({ prop: Type.String(), op: Type.Literal("in"), value: Type.Array(Json, { maxItems: 10_000 }) }),
    closed({ prop: Type.String(), op: Type.Literal("between"), value: Type.Array(Json, { minItems: 2, maxItems: 2 }) }),
    closed({ prop: Type.String(), op: Type.Enum(["starts_with", "ends_with"]), value: Type.String() }),
    closed({ any: InnerPreds }),
    closed({ not: Type.Unsafe<Pred>(PredRef) }),
  ],
  { title: "Pred" },
);

export const NodeFilter = closed(
  {
    uids: withDefault(nullable(setOf(Uid, { maxItems: 10_000 })), null),
    labels: withDefault(NameSet, []),
    any_labels: withDefault(nullable(NameSet), null),
    props: withDefault(PredList, []),
  },
  { title: "NodeFilter" },
);

export const Where = closed(
  {
    types: withDefault(nullable(NameSet), null),
    keys: withDefault(nullable(setOf(Type.String(), { maxItems: 10_000 })), null),
    edge: withDefault(PredList, []),
    src: withDefault(nullable(NodeFilter), null),
    dst: withDefault(nullable(NodeFilter), null),
    node: withDefault(nullable(NodeFilter), null),
  },
  { title: "Where" },
);

export const NodeRef = closed({ uid: Uid }, { title: "NodeRef" });
export const EdgeRef = closed(
  { src: Uid, type: Type.String(), dst: Uid, key: withDefault(Type.String(), "") },
  { title: "EdgeRef" },
);
export const Ref = Type.Union([NodeRef, EdgeRef], { title: "Ref" });
export const Orientation = Type.Enum(["out", "in", "both"]);

/** The arguments that every operator has. */
export const COMMON_ARGUMENTS = {
  as_of_tt: withDefault(nullable(Pin), null),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), 100),
  cursor: withDefault(nullable(Type.String()), null),
};

export type WindowArgument = Static<typeof Window>;
export type NodeFilterArgument = Static<typeof NodeFilter>;
export type WhereArgument = Static<typeof Where>;
export type RefArgument = Static<typeof Ref>;
export type EdgeRefArgument = Static<typeof EdgeRef>;
export type ProjectionArgument = Static<typeof Projection>;
