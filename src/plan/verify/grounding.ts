// Grounding: every literal that names an entity must be one that the caller named; all others come by reference.
// Names are found by the schema of their place; other texts are names where the store knows them as uids.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { isUidColumn } from "../../operators/uid-columns.js";
import { pointer } from "../references.js";
import type { VerifyStore } from "./context.js";
import { isJson, isTable, type Place, visitLiterals } from "./places.js";
import type { JudgedStep } from "./step.js";
import type { Violations } from "./violations.js";

interface Literal {
  readonly place: Place;
  readonly text: string;
  /** Whether it names an entity by its place; else it does where a uid is written like it. */
  readonly isName: boolean;
}

const isField = (value: JsonValue | undefined, key: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  typeof value[key] === "string" &&
  isUidColumn(value[key]);

/** Whether a value is held against a column of uids: in `having`, or beside a field in an expression. */
function isHeldAgainstUids(args: JsonObject, place: Place): boolean {
  const at = place.lastIndexOf("value");
  if (at < 0) return false;
  let holder: JsonValue = args;
  let around: JsonValue = args;
  for (const key of place.slice(0, at)) {
    around = holder;
    holder = (holder as Record<string | number, JsonValue>)[key]!;
  }
  if (isField(holder, "column")) return true;
  return Array.isArray(around) && around.some((sibling) => isField(sibling, "field"));
}

function literalsOf({ operator, step, args }: JudgedStep): Literal[] {
  const found: Literal[] = [];
  visitLiterals(operator.declaration.args, step.args, (text, place, nodes) => {
    if (nodes.some(({ kind }) => kind === "uid")) found.push({ place: [...place], text, isName: true });
    else if (nodes.some((node) => isJson(node) || isTable(node))) {
      found.push({ place: [...place], text, isName: isHeldAgainstUids(step.args, place) });
    }
  });
  // Texts inside a language, such as the query of select.
  if (args !== null) {
    for (const { path, text, isEntity } of operator.declaration.literals?.(args as never) ?? []) {
      found.push({ place: [path], text, isName: isEntity });
    }
  }
  return found;
}

/** Those of the texts that the store knows as uids. */
function knownUids(texts: readonly string[], store: VerifyStore | null): ReadonlySet<string> {
  if (store === null || texts.length === 0) return new Set();
  const unknown = new Set(store.at(store.headTx).unknownUids(texts));
  return new Set(texts.filter((text) => !unknown.has(text)));
}

export function checkGrounding(
  steps: readonly JudgedStep[],
  identifiers: ReadonlySet<string>,
  store: VerifyStore | null,
  violations: Violations,
): void {
  const all = steps.flatMap((judged) => literalsOf(judged).map((literal) => ({ ...literal, step: judged.step })));
  const foreign = all.filter(({ text }) => !identifiers.has(text));
  const maybe = [...new Set(foreign.filter(({ isName }) => !isName).map(({ text }) => text))];
  const uids = knownUids(maybe, store);
  for (const { step, place, text, isName } of foreign) {
    if (!isName && !uids.has(text)) continue;
    violations.add(
      { position: step.position, step: step.id, path: `/steps/${step.position}/args${pointer(place)}` },
      {
        code: "E_GROUNDING",
        kind: "ungrounded_uid",
        message: `nobody named ${JSON.stringify(text.slice(0, 200))}`,
        hint: 'name what the question names, or take it from an earlier step: {"$ref": "s1.rows[0].uid"}',
      },
    );
  }
}
