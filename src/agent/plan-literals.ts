// The literals of a plan: every value that no reference gives, those inside the text of a select, too.
import { parseSelect } from "../../grammar/index.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { PlanStep } from "../plan/index.js";

export interface PlanLiteral {
  /** JSON pointer from the arguments of its step on. */
  readonly path: string;
  readonly value: JsonValue;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);
const childrenOf = (node: unknown): readonly unknown[] =>
  Array.isArray(node) ? node : isTree(node) ? Object.values(node) : [];

/** Texts that are read as something else. */
const TIMES: ReadonlySet<unknown> = new Set(["instant", "duration", "interval"]);

function* literalsOfText(node: unknown, path: string): Generator<PlanLiteral> {
  if (!isTree(node)) {
    for (const child of childrenOf(node)) yield* literalsOfText(child, path);
    return;
  }
  const { kind, value, text } = node;
  if (TIMES.has(kind) && isTree(text)) yield { path, value: text.value as JsonValue };
  else if (kind === "string") yield { path, value: value as string };
  else if (kind === "integer" || kind === "number") yield { path, value: value as JsonValue };
  else for (const child of childrenOf(node)) yield* literalsOfText(child, path);
}

function* literalsOfJson(value: JsonValue | undefined, path: string): Generator<PlanLiteral> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield { path, value };
    return;
  }
  if (!Array.isArray(value) && Object.hasOwn(value, "$ref")) return;
  for (const [key, member] of Object.entries(value)) yield* literalsOfJson(member as JsonValue, `${path}/${key}`);
}

/** Every literal of a step. The text of a select stands for the literals in it. */
export function literalsOf({ op, args }: PlanStep): readonly PlanLiteral[] {
  const { query, ...rest } = (args ?? {}) as JsonObject;
  if (op !== "select" || typeof query !== "string") return [...literalsOfJson(args, "")];
  const parsed = parseSelect(query);
  const ofText = parsed.problem === null ? [...literalsOfText(parsed.query, "/query")] : [];
  return [...ofText, ...literalsOfJson(rest, "")];
}
