// The texts in a query of select: whoever verifies a plan asks who named them.
// Walks the tree as it is; knows from a column's name whether it holds uids.
import type { Query } from "../../grammar/index.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { TextLiteral } from "./declaration.js";
import { isUidColumn } from "./uid-columns.js";

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** Tests that hold something against something else. */
const COMPARISONS = new Set(["binary", "in", "between", "is", "like", "case", "function"]);
/** Texts that are read as something else, or name no value. */
const OTHER_TEXTS = new Set(["instant", "duration", "interval"]);

function* partsOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* partsOf(each);
  else if (isNode(value)) {
    if (typeof value.kind === "string") yield value;
    else for (const each of Object.values(value)) yield* partsOf(each);
  }
}

const childrenOf = (node: Node): Node[] => Object.values(node).flatMap((value) => [...partsOf(value)]);

function namesUids(node: Node): boolean {
  if (node.kind === "name" || node.kind === "member") return isUidColumn((node.name as { text: string }).text);
  return node.kind !== "query" && childrenOf(node).some(namesUids);
}

/** Every text of the query, and of its parameters where they are held against a column of uids. */
export function literalsOf(query: Query, params: JsonObject): TextLiteral[] {
  const found: TextLiteral[] = [];
  const parameter = (value: JsonValue | undefined): void => {
    if (typeof value === "string") found.push({ path: "params", text: value, isEntity: true });
    else if (Array.isArray(value)) for (const member of value) parameter(member);
  };
  const visit = (node: Node, isHeld: boolean): void => {
    if (OTHER_TEXTS.has(node.kind as string)) return;
    if (node.kind === "string") found.push({ path: "query", text: node.value as string, isEntity: isHeld });
    if (node.kind === "parameter" && isHeld) parameter(params[node.name as string]);
    const holds = node.kind !== "query" && (isHeld || (COMPARISONS.has(node.kind as string) && namesUids(node)));
    for (const child of childrenOf(node)) visit(child, holds);
  };
  visit(query as unknown as Node, false);
  return found;
}
