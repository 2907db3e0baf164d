// SET and REMOVE: the change that a write makes to one version, and the operation that writes it.
// A new belief holds the whole changed content; a correction holds the change.
import type { Assignment, MapLiteral, Name, RemoveWrite, SetWrite } from "../../../grammar/ast.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { type Placed, refuse } from "../compile/problem.js";
import { periodFields, type WriteBatch } from "./batch.js";
import type { Value } from "./columns.js";
import type { Stretch } from "./portion.js";
import { common } from "./portion.js";
import { checkProperty, type Variable } from "./variables.js";
import type { Version } from "./versions.js";

/** A property, or all members of an object for the key `props`. */
export interface Entry {
  readonly name: string;
  readonly value: Value;
  readonly isObject: boolean;
}

export interface Edit {
  readonly variable: Variable;
  /** The whole content, where it is given. */
  content: readonly Entry[] | null;
  /** Null removes. */
  readonly properties: Entry[];
  readonly addedLabels: Set<string>;
  readonly removedLabels: Set<string>;
}

export type ValueReader = (expr: MapLiteral["entries"][number]["value"]) => Value;

const newEdit = (variable: Variable): Edit => ({
  variable,
  content: null,
  properties: [],
  addedLabels: new Set(),
  removedLabels: new Set(),
});

/** The entries of a map that holds properties. */
export function entriesOf(map: MapLiteral, kind: "node" | "edge", read: ValueReader): Entry[] {
  const seen = new Set<string>();
  return map.entries.map(({ key, value }) => {
    if (seen.has(key.text)) refuse("E_SCHEMA", "key_twice", key, `${key.text} is given twice`, "leave one out");
    seen.add(key.text);
    const isObject = key.text === "props";
    if (!isObject) checkProperty(key, kind);
    return { name: key.text, value: read(value), isObject };
  });
}

export function putEntries(entries: readonly Entry[], row: JsonObject, into: JsonObject): void {
  for (const { name, value, isObject } of entries) {
    const given = value(row);
    if (!isObject) setOwn(into, name, given);
    else if (typeof given === "object" && given !== null && !Array.isArray(given)) {
      for (const [key, member] of Object.entries(given)) setOwn(into, key, member);
    } else if (given !== null) {
      refuse("E_SCHEMA", "props", {}, "props is an object of properties", "write {props: {key: value}}");
    }
  }
}

const withoutNulls = (props: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== null));

function checkLabel(variable: Variable, node: Placed, label: string): void {
  if (variable.bound !== "edge") return;
  refuse(
    "E_SCHEMA",
    "edge_label",
    node,
    `${variable.name.text} is an edge, and its type ${JSON.stringify(label)} is part of what it is`,
    "DELETE the edge and INSERT one of the other type",
  );
}

const kindOf = ({ bound }: Variable): "node" | "edge" => (bound === "edge" ? "edge" : "node");

class Edits {
  private readonly byVariable = new Map<string, Edit>();

  of(name: Name, find: (name: Name) => Variable): Edit {
    let edit = this.byVariable.get(name.text);
    if (edit === undefined) {
      edit = newEdit(find(name));
      this.byVariable.set(name.text, edit);
    }
    return edit;
  }
  all(): Edit[] {
    return [...this.byVariable.values()];
  }
}

type FindVariable = (name: Name) => Variable;

function assign(edit: Edit, assignment: Assignment, read: (variable: Variable) => ValueReader): void {
  const { variable } = edit;
  const kind = kindOf(variable);
  switch (assignment.kind) {
    case "property":
      checkProperty(assignment.property, kind);
      edit.properties.push({
        name: assignment.property.text,
        value: read(variable)(assignment.value),
        isObject: false,
      });
      return;
    case "content":
      if (edit.content !== null) {
        refuse("E_SCHEMA", "content_twice", assignment, `${variable.name.text} is set twice`, "give one map");
      }
      edit.content = entriesOf(assignment.map, kind, read(variable));
      return;
    case "label":
      checkLabel(variable, assignment.label, assignment.label.text);
      edit.addedLabels.add(assignment.label.text);
      edit.removedLabels.delete(assignment.label.text);
  }
}

export function editsOfSet(
  write: SetWrite,
  find: FindVariable,
  read: (variable: Variable) => ValueReader,
): readonly Edit[] {
  const edits = new Edits();
  for (const assignment of write.assignments) assign(edits.of(assignment.variable, find), assignment, read);
  return edits.all();
}

export function editsOfRemove(write: RemoveWrite, find: FindVariable): readonly Edit[] {
  const edits = new Edits();
  for (const { variable, what, name } of write.removals) {
    const edit = edits.of(variable, find);
    if (what === "label") {
      checkLabel(edit.variable, name, name.text);
      edit.removedLabels.add(name.text);
    } else {
      checkProperty(name, kindOf(edit.variable));
      edit.properties.push({ name: name.text, value: (): JsonValue => null, isObject: false });
    }
  }
  return edits.all();
}

interface EditTerms {
  readonly stretch: Stretch;
  readonly isCorrection: boolean;
  readonly reason: JsonObject;
}

/** Writes what the version becomes over what it shares with the stretch; nothing where they share nothing. */
export function writeEdit(edit: Edit, version: Version, row: JsonObject, terms: EditTerms, batch: WriteBatch): void {
  const shared = common(terms.stretch, version.held);
  if (shared === null) return;
  const pieces = batch.pieces.within(version, shared);
  if (pieces.length === 0) return;
  const changed: JsonObject = {};
  putEntries(edit.content ?? [], row, changed);
  putEntries(edit.properties, row, changed);
  const { ref } = version;
  const isNode = version.kind === "node";
  const isPatch = terms.isCorrection && edit.content === null;
  if (isPatch) {
    const labels = isNode ? { add_labels: [...edit.addedLabels], remove_labels: [...edit.removedLabels] } : {};
    const operation = { op: "correct", ref, mode: "patch", props: changed, ...labels };
    batch.add(ref, { ...operation, ...periodFields(shared), ...terms.reason });
  }
  for (const { stretch, content } of pieces) {
    const labels = [...new Set([...content.labels, ...edit.addedLabels])].filter(
      (label) => !edit.removedLabels.has(label),
    );
    const props = withoutNulls(edit.content === null ? { ...content.props, ...changed } : changed);
    batch.pieces.put(ref, stretch, { props, labels });
    if (isPatch) continue;
    const whole = { props, ...(isNode ? { labels } : {}), ...periodFields(stretch), ...terms.reason };
    if (terms.isCorrection) batch.add(ref, { op: "correct", ref, mode: "replace", ...whole });
    else batch.add(ref, { op: isNode ? "assert_node" : "assert_edge", ...ref, ...whole });
  }
}
