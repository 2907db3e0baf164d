// The text of one SELECT as a tree; what does not parse is an error with its place. Trees of late texts are kept.
import { parseSelect, type Query, type SyntaxProblem } from "../../grammar/index.js";
import { PalimpsestError } from "../contract/errors.js";
import { functionRule } from "./functions/table.js";
import { withinStack } from "./problems.js";

const KEPT_TEXTS = 128;
/** Longer texts are not worth their memory. */
const LONGEST_KEPT = 8192;

const kept = new Map<string, Query>();

function syntaxError({ code, kind, message, hint, position, found, expected, near }: SyntaxProblem): PalimpsestError {
  const { line, column, offset, length } = position;
  return new PalimpsestError(code, message, {
    details: { kind, line, column, offset, length, found, expected, near },
    hint,
  });
}

export function readQuery(text: string): Query {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const { query, problem } = withinStack(() => parseSelect(text));
  if (problem !== null) throw syntaxError(problem);
  if (text.length <= LONGEST_KEPT) {
    if (kept.size === KEPT_TEXTS) kept.delete(kept.keys().next().value!);
    kept.set(text, query);
  }
  return query;
}

type Node = Readonly<Record<string, unknown>>;

/** Whether a part of the tables would give other rows than a part of the answer. */
export function reducesRows(query: Query): boolean {
  return withinStack(() => hasReduction(query, false));
}

function hasReduction(value: unknown, isNegated: boolean): boolean {
  if (Array.isArray(value)) return value.some((each) => hasReduction(each, isNegated));
  if (typeof value !== "object" || value === null) return false;
  const node = value as Node;
  if (reduces(node, isNegated)) return true;
  const negates = (node.kind === "unary" && node.op === "not") || node.not === true;
  return Object.values(node).some((each) => hasReduction(each, isNegated || negates));
}

function reduces(node: Node, isNegated: boolean): boolean {
  switch (node.kind) {
    case "function": {
      const kind = functionRule((node.name as { text: string }).text)?.kind;
      return kind !== undefined && kind !== "scalar";
    }
    case "query":
      // The first ones of a part are not those of the whole.
      return isNegated || (node.limit !== null && (node.orderBy as unknown[]).length > 0);
    case "set":
      return node.op === "except";
    default:
      return ["anti", "left", "right", "full"].includes(node.how as string);
  }
}
