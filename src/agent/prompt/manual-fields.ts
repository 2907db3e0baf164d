// Output fields of an operator in as few words as they can be read in: fields of one type stand together, what is inside an
// object or a list in braces.
import type { FieldEntry } from "../../manual/entry.js";
import type { Detail } from "./manual-arguments.js";

interface FieldNode {
  /** Of a leaf; of a node with an inside only whether it may be null. */
  type: string;
  readonly inside: Map<string, FieldNode>;
}

const LONGEST_TYPE = 60;
const OR_NULL = " or null";

const fresh = (): FieldNode => ({ type: "", inside: new Map() });

function treeOf(fields: readonly FieldEntry[]): FieldNode {
  const root = fresh();
  for (const { path, type } of fields) {
    let node = root;
    for (const name of path.split(".")) {
      const next = node.inside.get(name) ?? fresh();
      node.inside.set(name, next);
      node = next;
    }
    node.type = type;
  }
  return root;
}

/** A long list of words is a text. */
function leafType(type: string): string {
  if (type.length > LONGEST_TYPE) return "string";
  return type
    .replaceAll('"', "")
    .replaceAll(" | ", "|")
    .replace("instant, or null for ever", "instant?")
    .replace(OR_NULL, "?");
}

function insideText(node: FieldNode, detail: Detail): string {
  const groups: { readonly type: string | null; readonly texts: string[] }[] = [];
  for (const [name, member] of node.inside) {
    if (member.inside.size > 0) {
      const orNull = member.type.endsWith(OR_NULL) ? "?" : "";
      groups.push({ type: null, texts: [`${name} {${insideText(member, detail)}}${orNull}`] });
      continue;
    }
    const type = detail === "brief" ? "" : leafType(member.type);
    const last = groups.at(-1);
    if (last?.type === type) last.texts.push(name);
    else groups.push({ type, texts: [name] });
  }
  return groups
    .map(({ type, texts }) => {
      if (type === null) return texts[0]!;
      return type === "" ? texts.join(" ") : `${texts.join(" ")}: ${type}`;
    })
    .join("; ");
}

/** `rows[] {src dst: string; at: instant}; events: int` */
export const fieldsText = (fields: readonly FieldEntry[], detail: Detail): string => insideText(treeOf(fields), detail);
