// How the types of arguments and answers read: one line per type, its bounds, and the named types that it uses.
// Reads schemas as data; knows no operator.
import { canonicalJson } from "../contract/canonical.js";

export type SchemaNode = Readonly<Record<string, unknown>>;

/** Types that are texts, and how they are written. */
export const TEXT_TYPES: Readonly<Record<string, string>> = {
  Uid: "A text of 1 to 1024 bytes of UTF-8: what a node is called.",
  Instant:
    'RFC 3339 with a zone, such as `"2004-04-15T08:02:41Z"`, or a date, or `{"us": n}` for microseconds since 1970. From ' +
    "JavaScript also a `Date`, a `bigint` of microseconds or a `Temporal.Instant`. Answers give UTC.",
  Pin: 'What was believed when: an Instant of the transaction axis, or `"tx:12"` for a commit.',
  Duration:
    'An exact length in ISO 8601, such as `"PT6H"` or `"PT0.5S"`. `"P1D"` is 24 hours; months have no exact length.',
  Stride: 'A Duration, or whole calendar units: `"P1D"`, `"P2W"`, `"P1M"`, `"P1Y"`.',
  OpenEnd: "An Instant, or null: for ever.",
  Table:
    "Rows: `rows` of an earlier answer, objects of your own, or scalars, which are rows with the one column `value`.",
  Zone: 'The IANA name of a time zone, such as `"Europe/Paris"`.',
};

/** What is to know of a named type beside its members. */
const TYPE_NOTES: Readonly<Record<string, string>> = {
  Window: "A half-open stretch of valid time; null is unbounded.",
  PinWindow: "A half-open stretch of transaction time; null is unbounded.",
  Projection: "Which properties are shown: all, the named ones, or none.",
  Where:
    "A filter on edges and their ends. `types` and `keys` name what passes; `edge` are conditions on properties; `src` and " +
    "`dst` judge the ends, `node` both of them. An empty list lets nothing pass, null everything.",
  NodeFilter: "`labels` must all be there, of `any_labels` at least one.",
  Pred: "A condition on a property. A value that is missing or of another class makes it false; `not` turns that.",
  Metric: "A name of the table of metrics.",
  Relation: "A name of the table of relations.",
  Interval: "A half-open stretch of time.",
  ColumnExpression: "A value, a column, or a function of such expressions.",
  Ref: "A node or an edge.",
  Selection: "The facts of one side: those that pass, from a node or to one where it is named.",
  Dim: "What events are grouped by. `zone` is that of local time; nodes are judged at the event.",
  Agg: "What is measured of each group. `as` names its column.",
  Having: "A condition on an output column. Instants and durations are compared as time.",
  Ordering: "An output column to order by. `nulls` says where nulls stand, whatever `desc` says.",
};

const quoted = (value: unknown): string => canonicalJson(value as never);
const isObject = (node: SchemaNode): boolean => node.type === "object" && node.properties !== undefined;

export function membersOf(node: SchemaNode): readonly SchemaNode[] {
  return (node.anyOf as readonly SchemaNode[] | undefined) ?? [node];
}

export const isNull = (node: SchemaNode): boolean => node.type === "null";

function patternType(node: SchemaNode): string | undefined {
  const patterns = node.patternProperties as Readonly<Record<string, SchemaNode>> | undefined;
  const [member] = Object.values(patterns ?? {});
  return member === undefined ? undefined : `{<name>: ${typeText(member)}}`;
}

function objectText(node: SchemaNode): string {
  const required = (node.required as readonly string[] | undefined) ?? [];
  const members = Object.entries(node.properties as Readonly<Record<string, SchemaNode>>).map(([name, member]) => {
    const isLeftOut = !required.includes(name);
    const fallback = "default" in member ? ` = ${quoted(member.default)}` : "";
    const { minimum, maximum } = member as { minimum?: number; maximum?: number };
    const range = minimum === undefined || maximum === undefined ? "" : ` ${minimum}..${maximum}`;
    return `${name}${isLeftOut ? "?" : ""}: ${typeText(member)}${range}${fallback}`;
  });
  return `{${members.join(", ")}}`;
}

/** The type in one line; named types by their name. */
export function typeText(node: SchemaNode): string {
  if (typeof node.$ref === "string") return node.$ref;
  if (typeof node.title === "string") return node.title;
  return shapeText(node);
}

function shapeText(node: SchemaNode): string {
  if (Array.isArray(node.enum)) return node.enum.map(quoted).join(" | ");
  if (node.const !== undefined) return quoted(node.const);
  if (node.anyOf !== undefined) return [...new Set(membersOf(node).map(typeText))].join(" or ");
  if (node.type === "array") {
    const member = typeText(node.items as SchemaNode);
    return member.includes(" ") && !member.startsWith("{") ? `(${member})[]` : `${member}[]`;
  }
  const pattern = patternType(node);
  if (pattern !== undefined) return pattern;
  if (isObject(node)) return objectText(node);
  return typeof node.type === "string" ? node.type : "any JSON";
}

function ownBounds(node: SchemaNode): string[] {
  const bounds: string[] = [];
  const { minimum, maximum, exclusiveMinimum, minItems, maxItems, maxProperties } = node as Record<string, number>;
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${minimum} to ${maximum}`);
  if (exclusiveMinimum !== undefined) bounds.push(`above ${exclusiveMinimum}`);
  if (maxItems !== undefined) {
    const members = node.set === true ? "distinct members" : "members";
    if (minItems === undefined) bounds.push(`at most ${maxItems} ${members}`);
    else bounds.push(minItems === maxItems ? `${minItems} ${members}` : `${minItems} to ${maxItems} ${members}`);
  }
  if (maxProperties !== undefined) bounds.push(`at most ${maxProperties} names`);
  return bounds;
}

/** What a legal value keeps to, beside its type. */
export function boundsText(node: SchemaNode): string {
  const bounds = membersOf(node).flatMap((member) => (typeof member.title === "string" ? [] : ownBounds(member)));
  return [...new Set([...ownBounds(node), ...bounds])].join("; ");
}

export interface NamedType {
  readonly name: string;
  readonly note: string;
  /** The forms that a value may have, and what each is for; none for a text. */
  readonly forms: readonly { readonly type: string; readonly meaning: string }[];
  readonly schema: SchemaNode;
}

function namedType(node: SchemaNode): NamedType {
  const name = node.title as string;
  const text = TEXT_TYPES[name];
  if (text !== undefined) return { name, note: text, forms: [], schema: {} };
  const forms =
    node.anyOf === undefined
      ? [{ type: shapeText(node), meaning: "" }]
      : membersOf(node).map((member) => ({
          type: typeText(member),
          meaning: typeof member.title === "string" ? "" : ((member.description as string | undefined) ?? ""),
        }));
  return { name, note: TYPE_NOTES[name] ?? "", forms, schema: node };
}

/** The named types below a schema, each after what uses it; `named` gives those that stand only by reference. */
export function namedTypes(node: SchemaNode, named: ReadonlyMap<string, SchemaNode>): readonly NamedType[] {
  const found = new Map<string, NamedType>();
  const visit = (each: SchemaNode): void => {
    if (typeof each.$ref === "string") {
      const target = named.get(each.$ref);
      if (target !== undefined) visit(target);
      return;
    }
    if (typeof each.title === "string") {
      if (found.has(each.title)) return;
      found.set(each.title, namedType(each));
      if (TEXT_TYPES[each.title] !== undefined) return;
    }
    for (const member of (each.anyOf as readonly SchemaNode[] | undefined) ?? []) visit(member);
    for (const member of Object.values((each.properties as Record<string, SchemaNode> | undefined) ?? {}))
      visit(member);
    for (const member of Object.values((each.patternProperties as Record<string, SchemaNode> | undefined) ?? {}))
      visit(member);
    if (each.items !== undefined) visit(each.items as SchemaNode);
  };
  visit(node);
  return [...found.values()];
}
