// Stage A4: the uids and edges that a call names must be known at the pin, or, where a plan says so, match nothing.
// Knows which arguments name subjects from the declaration alone.
import type { TSchema } from "typebox";
import { PalimpsestError } from "../contract/errors.js";
import type { EdgeRefArgument } from "../contract/schemas.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { OperatorDeclaration } from "./declaration.js";
import type { PinnedEngine, RunAnswer } from "./engine.js";
import { valueAt, withValueAt } from "./paths.js";

/** A uid, or the path of an argument and the edge there. */
export type UnknownSubject = string | { readonly path: string; readonly edge: JsonObject };

/** The subjects of a call that are not known at the pin, in the order of the arguments. */
export function unknownSubjects(
  { subjects }: OperatorDeclaration,
  args: JsonObject,
  pinned: PinnedEngine,
): readonly UnknownSubject[] {
  const uids: string[] = [];
  const edges: UnknownSubject[] = [];
  for (const path of subjects.paths) {
    const subject = valueAt(args, path);
    if (typeof subject === "string") uids.push(subject);
    else if (Array.isArray(subject)) uids.push(...(subject as string[]));
    else if (typeof subject === "object" && subject !== null) {
      if ("uid" in subject) uids.push(subject.uid as string);
      else if (!pinned.knowsEdge(subject as unknown as EdgeRefArgument)) edges.push({ path, edge: subject });
    }
  }
  return uids.length === 0 ? edges : [...edges, ...pinned.unknownUids(uids)];
}

const NOTHING_LIKE_IT =
  "no known uid looks like it: resolve_entities finds names, SELECT n.uid FROM NODES() AS n gives the uids";

export function notKnown(unknown: readonly UnknownSubject[], pinned: PinnedEngine, tx: number): PalimpsestError {
  const [first] = unknown;
  if (typeof first === "object") {
    return new PalimpsestError("E_NOT_FOUND", `no version at or before tx:${tx} names this edge`, {
      details: { path: `/${first.path}`, unknown: [first.edge] },
      hint: "look at the key and the direction, or ask at a later pin",
    });
  }
  const uids = unknown as readonly string[];
  const nearest = Object.fromEntries(uids.slice(0, 10).map((uid) => [uid, pinned.nearestUids(uid)]));
  const near = Object.values(nearest).flat().slice(0, 3);
  return new PalimpsestError("E_NOT_FOUND", `not known at tx:${tx}: ${uids.slice(0, 10).join(", ")}`, {
    details: { unknown: uids, nearest },
    hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : NOTHING_LIKE_IT,
  });
}

/** The arguments with the known members of each list of subjects; null where a subject is left without any. */
export function withoutUnknown(
  { subjects }: OperatorDeclaration,
  args: JsonObject,
  unknown: readonly UnknownSubject[],
): JsonObject | null {
  const uids = new Set(unknown.filter((subject) => typeof subject === "string"));
  let known = args;
  for (const path of subjects.paths) {
    const subject = valueAt(args, path);
    if (Array.isArray(subject)) {
      const left = (subject as string[]).filter((uid) => !uids.has(uid));
      if (left.length === 0 && subject.length > 0) return null;
      if (left.length < subject.length) known = withValueAt(known, path, left);
    } else if (typeof subject === "string") {
      if (uids.has(subject)) return null;
    } else if (typeof subject === "object" && subject !== null) {
      const isEdge = !("uid" in subject);
      const isUnknown = isEdge
        ? unknown.some((other) => typeof other === "object" && other.path === path)
        : uids.has(subject.uid as string);
      if (isUnknown) return null;
    }
  }
  return known;
}

type Node = Record<string, unknown>;

/** Nothing, in the form of a field: an empty list, a zero, a null where it may be. */
function nothing(node: Node): JsonValue {
  const members = node.anyOf as Node[] | undefined;
  if (members !== undefined) return members.some(({ type }) => type === "null") ? null : nothing(members[0]!);
  if (node.type === "array") return [];
  if (node.type === "integer" || node.type === "number") return 0;
  if (node.type === "boolean") return false;
  if (Array.isArray(node.enum)) return node.enum[0] as JsonValue;
  if (node.type !== "object" || node.properties === undefined) return node.type === "string" ? "" : {};
  const fields = Object.entries(node.properties as Record<string, Node>);
  return Object.fromEntries(fields.map(([name, field]) => [name, nothing(field)]));
}

/** The answer of a call whose subjects match nothing. */
export function emptyAnswer({ lists, output, fieldsOfNothing }: OperatorDeclaration, args: JsonObject): RunAnswer {
  const listed = new Set(lists.map(({ field }) => field));
  const fields = Object.entries(output.properties as Readonly<Record<string, TSchema>>)
    .filter(([name]) => !listed.has(name))
    .map(([name, schema]) => [name, nothing(schema as unknown as Node)] as const);
  return {
    lists: lists.map(() => ({ rows: [], total: 0 })),
    fields: { ...Object.fromEntries(fields), ...fieldsOfNothing?.(args) },
  };
}
