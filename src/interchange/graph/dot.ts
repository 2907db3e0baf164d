// A snapshot as DOT, the language of Graphviz. Properties are attributes of names that Graphviz leaves alone.
// Every text is quoted, so that no word of a store is a word of the language.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject } from "../../contract/values.js";
import type { Snapshot, SnapshotEdge, SnapshotNode } from "./snapshot.js";

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\0": "\\0" };

/** Backslashes are doubled, so that two texts never become one, and `\N` in a label is no order to Graphviz. */
const quoted = (text: string): string => `"${text.replace(/["\\\n\r\0]/g, (sign) => ESCAPES[sign]!)}"`;

const propsOf = (props: JsonObject): [string, string][] =>
  Object.keys(props).map((name) => {
    const value = props[name]!;
    return [`props.${name}`, typeof value === "string" ? value : canonicalJson(value)];
  });

function attributes(pairs: readonly (readonly [string, string | null])[]): string {
  const given = pairs.filter(([, text]) => text !== null && text !== "");
  return `[${given.map(([name, text]) => `${quoted(name)}=${quoted(text!)}`).join(", ")}]`;
}

function nodeLine({ uid, version }: SnapshotNode): string {
  if (version === null) return `  ${quoted(uid)} ${attributes([["style", "dashed"]])};\n`;
  const { labels, valid_from, valid_to, props } = version;
  const label = labels.length === 0 ? uid : `${uid}\n${labels.join(", ")}`;
  const times = [
    ["valid_from", valid_from],
    ["valid_to", valid_to],
  ] as const;
  return `  ${quoted(uid)} ${attributes([["label", label], ...times, ...propsOf(props)])};\n`;
}

function edgeLine({ src, type, dst, key, valid_from, valid_to, props }: SnapshotEdge): string {
  const own = [
    ["label", type],
    ["edge_key", key],
    ["valid_from", valid_from],
    ["valid_to", valid_to],
  ] as const;
  return `  ${quoted(src)} -> ${quoted(dst)} ${attributes([...own, ...propsOf(props)])};\n`;
}

/** `digraph`, not `strict`: parallel edges stay apart. */
export function* dotOf({ head, nodes, edges }: Snapshot): Generator<string> {
  yield `digraph ${quoted(`at ${head.at}, believed at tx:${head.tx}`)} {\n`;
  for (const node of nodes) yield nodeLine(node);
  for (const edge of edges) yield edgeLine(edge);
  yield "}\n";
}
