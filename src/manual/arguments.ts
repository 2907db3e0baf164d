// The arguments of a schema and what is inside them: name, type, default, bounds and meaning of each.
// Reads schemas as data; knows no operator.
import { boundsText, isNull, membersOf, type SchemaNode, typeText } from "./types.js";

export interface ArgumentEntry {
  /** `scope.seeds`, `group_by[].dim`: the path in the arguments. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Canonical JSON of the default; undefined where there is none. */
  readonly fallback: unknown;
  readonly bounds: string;
  readonly meaning: string;
  /** What each legal name means, where the schema says so. */
  readonly choices: Readonly<Record<string, string>>;
}

type Properties = Readonly<Record<string, SchemaNode>>;

function choicesOf(node: SchemaNode): Readonly<Record<string, string>> {
  if (node.choices !== undefined) return node.choices as Readonly<Record<string, string>>;
  if (typeof node.title === "string") return {};
  const inside = [
    ...((node.anyOf as readonly SchemaNode[] | undefined) ?? []),
    ...(isNode(node.items) ? [node.items] : []),
  ];
  return Object.assign({}, ...inside.map(choicesOf));
}

const isNode = (value: unknown): value is SchemaNode => typeof value === "object" && value !== null;

const joined = (texts: readonly string[], between: string): string =>
  [...new Set(texts.filter((text) => text !== ""))].join(between);

/** The type in outline, where entries for the inside follow. */
function outlineText(node: SchemaNode): string {
  if (typeof node.title === "string" || typeof node.$ref === "string") return typeText(node);
  if (node.anyOf !== undefined) return joined(membersOf(node).map(outlineText), " or ");
  if (node.type === "array" && isNode(node.items)) return `${outlineText(node.items)}[]`;
  return node.properties === undefined ? typeText(node) : "object";
}

function argumentEntry(name: string, node: SchemaNode, isNamed: boolean, hasInside: boolean): ArgumentEntry {
  return {
    name,
    type: hasInside ? outlineText(node) : typeText(node),
    isRequired: isNamed && !("default" in node),
    fallback: node.default,
    bounds: boundsText(node),
    meaning: (node.description as string | undefined) ?? "",
    choices: choicesOf(node),
  };
}

/** Of the forms of a union: each member once, required where every form requires it. */
function merged(forms: readonly (readonly ArgumentEntry[])[]): ArgumentEntry[] {
  const names = [...new Set(forms.flatMap((entries) => entries.map(({ name }) => name)))];
  return names.map((name) => {
    const all = forms.flatMap((entries) => entries.filter((entry) => entry.name === name));
    return {
      ...all[0]!,
      type: joined(
        all.map(({ type }) => type),
        " | ",
      ),
      isRequired: all.length === forms.length && all.every(({ isRequired }) => isRequired),
      bounds: all.every(({ bounds }) => bounds === all[0]!.bounds) ? all[0]!.bounds : "",
      meaning: joined(
        all.map(({ meaning }) => meaning),
        "; ",
      ),
      choices: Object.assign({}, ...all.map(({ choices }) => choices)),
    };
  });
}

/** Whatever is in a value but what a named type explains. */
function insideOf(node: SchemaNode, path: string): ArgumentEntry[] {
  if (typeof node.title === "string") return [];
  if (isNode(node.items)) return insideOf(node.items, `${path}[]`);
  const forms = membersOf(node).filter((member) => !isNull(member));
  if (node.anyOf !== undefined) {
    const inside = forms.map((member) => insideOf(member, path)).filter((entries) => entries.length > 0);
    return inside.length === 1 ? inside[0]! : merged(inside);
  }
  return node.properties === undefined ? [] : entriesOf(node, `${path}.`);
}

/** The members of an object, each followed by what is inside it; not those that are there only to be refused. */
export function entriesOf(schema: SchemaNode, prefix = ""): ArgumentEntry[] {
  const required = (schema.required as readonly string[] | undefined) ?? [];
  return Object.entries(schema.properties as Properties)
    .filter(([, node]) => node.refused !== true)
    .flatMap(([name, node]) => {
      const path = `${prefix}${name}`;
      const inside = insideOf(node, path);
      return [argumentEntry(path, node, required.includes(name), inside.length > 0), ...inside];
    });
}

/** The members of a named type; none of one that is a text. */
export function membersOfType(node: SchemaNode): ArgumentEntry[] {
  if (node.properties !== undefined) return entriesOf(node);
  return merged(
    membersOf(node)
      .filter((member) => member.properties !== undefined && typeof member.title !== "string")
      .map((member) => entriesOf(member)),
  );
}
