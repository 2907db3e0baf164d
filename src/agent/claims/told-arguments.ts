// The arguments of a call that say something: those that are not what they are when they are left out.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { lookUp } from "../../operators/registry.js";
import { isObject } from "./held-values.js";

/** What of a schema says what is left out: one form of an object, null beside it or not. */
interface Form {
  readonly default?: JsonValue;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly anyOf?: readonly Form[];
}

function membersOf({ properties, anyOf = [] }: Form): Form["properties"] {
  const forms = anyOf.filter((form) => form.properties !== undefined);
  return properties ?? (forms.length === 1 ? forms[0]!.properties : undefined);
}

/** The value without members that are defaults; undefined where nothing is left of one that may be left out. */
function told(value: JsonValue, form: Form): JsonValue | undefined {
  const canBeLeftOut = form.default !== undefined;
  if (canBeLeftOut && canonicalJson(value) === canonicalJson(form.default)) return undefined;
  const members = membersOf(form);
  if (members === undefined || !isObject(value)) return value;
  const left = Object.entries(value).flatMap(([name, member]) => {
    const rest = told(member, members[name] ?? {});
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return left.length === 0 && canBeLeftOut ? undefined : Object.fromEntries(left);
}

export const toldArguments = (op: string, args: JsonObject): JsonObject =>
  (told(args, lookUp(op).declaration.args as unknown as Form) ?? {}) as JsonObject;
