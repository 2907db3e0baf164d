// INSERT: chains of nodes and edges become assertions, once for each match, or once.
// A node with a label or a property is written; one with nothing but a uid is only an end.
import type { Chain, EdgePattern, Insert, Labels, Name, NodePattern } from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type Placed, refuse } from "../compile/problem.js";
import { periodFields, type WriteBatch } from "./batch.js";
import { constantValue, type Value } from "./columns.js";
import { type Entry, entriesOf, putEntries, type ValueReader } from "./edit.js";
import type { Stretch } from "./portion.js";
import type { Variable } from "./variables.js";

/** Gives an operation, and who it is about, from a row of what was matched. */
type InsertMaker = (row: JsonObject) => { readonly ref: JsonObject; readonly operation: JsonObject };

interface InsertTerms {
  readonly stretch: Stretch;
  readonly reason: JsonObject;
}

interface InsertSurroundings {
  /** Of a variable that the MATCH binds: its uid; undefined where it binds none of that name. */
  readonly matched: (name: Name) => { readonly variable: Variable; readonly uid: Value } | undefined;
  readonly read: ValueReader;
}

function noPart(what: string, node: Placed, hint: string): never {
  return refuse("E_SCHEMA", "insert_form", node, `INSERT takes no ${what}`, hint);
}

/** Labels that a thing that is written can have: plain ones, all of them. */
function plainLabels(labels: Labels | null): string[] {
  if (labels === null) return [];
  if (labels.kind === "label") return [labels.name.text];
  if (labels.kind === "and") return labels.of.flatMap(plainLabels);
  return refuse("E_SCHEMA", "insert_labels", labels, "what is written has plain labels", "write (n:A&B {uid: '…'})");
}

function textOf(value: JsonValue, what: string, node: Placed): string {
  if (typeof value === "string") return value;
  const found = value === null ? "NULL" : typeof value === "object" ? "no text" : `a ${typeof value}`;
  return refuse("E_SCHEMA", "insert_identity", node, `${what} is ${found}`, `${what} is a text: {${what}: '…'}`);
}

interface NodeParts {
  readonly uid: Value;
  readonly labels: readonly string[];
  readonly entries: readonly Entry[];
}

class InsertBuilder {
  readonly makers: InsertMaker[] = [];
  /** Variables that this INSERT names. */
  private readonly own = new Map<string, Value>();

  constructor(
    private readonly terms: InsertTerms,
    private readonly surroundings: InsertSurroundings,
  ) {}

  chain({ nodes, links }: Chain): void {
    const uids = nodes.map((node) => this.node(node));
    for (const [i, link] of links.entries()) {
      if (link.kind === "group") noPart("group", link, "write its edges out");
      else this.edge(link, uids[i]!, uids[i + 1]!);
    }
  }

  private node(node: NodePattern): Value {
    if (node.in !== null) noPart("IN", node.in, "MATCH (a IN …) first");
    if (node.where !== null) noPart("WHERE", node.where, "a condition belongs to the MATCH");
    const known = node.variable === null ? undefined : this.known(node.variable);
    if (known !== undefined) {
      if (node.labels === null && node.map === null) return known;
      return refuse(
        "E_SCHEMA",
        "bound_twice",
        node,
        `${node.variable!.text} is bound already, and INSERT does not change it`,
        "SET changes what is there; here write only the name",
      );
    }
    const { uid, labels, entries } = this.parts(node);
    if (node.variable !== null) this.own.set(node.variable.text, uid);
    if (labels.length > 0 || entries.length > 0) {
      this.makers.push((row) => {
        const ref = { uid: textOf(uid(row), "uid", node) };
        const props: JsonObject = {};
        putEntries(entries, row, props);
        const content = { labels: [...labels], props, ...periodFields(this.terms.stretch), ...this.terms.reason };
        return { ref, operation: { op: "assert_node", ...ref, ...content } };
      });
    }
    return uid;
  }

  private known(name: Name): Value | undefined {
    const own = this.own.get(name.text);
    if (own !== undefined) return own;
    const found = this.surroundings.matched(name);
    if (found === undefined) return undefined;
    if (found.variable.bound !== "edge") return found.uid;
    return refuse("E_SCHEMA", "insert_form", name, `${name.text} is an edge, and stands for no node`, "name a node");
  }

  private parts(node: NodePattern): NodeParts {
    const { map } = node;
    const uid = map?.entries.find(({ key }) => key.text === "uid");
    if (map === null || uid === undefined) {
      return refuse(
        "E_SCHEMA",
        "insert_identity",
        node,
        "a node that is written needs its uid",
        "write ({uid: '…'}), or a variable that the MATCH binds",
      );
    }
    const { read } = this.surroundings;
    const rest = { ...map, entries: map.entries.filter((entry) => entry !== uid) };
    return { uid: read(uid.value), labels: plainLabels(node.labels), entries: entriesOf(rest, "node", read) };
  }

  private edge(edge: EdgePattern, before: Value, after: Value): void {
    const { direction, map, quantifier } = edge;
    if (quantifier !== null) noPart("quantifier", quantifier, "write one edge for each step");
    if (edge.in !== null) noPart("IN", edge.in, "MATCH first");
    if (edge.where !== null) noPart("WHERE", edge.where, "a condition belongs to the MATCH");
    if (edge.cost !== null) noPart("COST", edge.cost, "leave it out");
    if (direction === "any") {
      refuse("E_SCHEMA", "insert_direction", edge, "an edge that is written has a direction", "(a)-[:T]->(b)");
    }
    const types = edge.labels?.kind === "label" ? [edge.labels.name.text] : [];
    const [type] = types;
    if (type === undefined) {
      refuse("E_SCHEMA", "insert_type", edge, "an edge that is written has exactly one type", "-[:T]->");
    }
    if (edge.variable !== null && this.known(edge.variable) !== undefined) {
      refuse("E_SCHEMA", "bound_twice", edge.variable, `${edge.variable.text} is bound already`, "take another name");
    }
    const { read } = this.surroundings;
    const keyEntry = map?.entries.find(({ key }) => key.text === "key");
    const key = keyEntry === undefined ? constantValue("") : read(keyEntry.value);
    const rest = map === null ? null : { ...map, entries: map.entries.filter((entry) => entry !== keyEntry) };
    const entries = rest === null ? [] : entriesOf(rest, "edge", read);
    const [tail, head] = direction === "out" ? [before, after] : [after, before];
    this.makers.push((row) => {
      const ref = {
        src: textOf(tail(row), "uid", edge),
        type,
        dst: textOf(head(row), "uid", edge),
        key: textOf(key(row), "key", edge),
      };
      const props: JsonObject = {};
      putEntries(entries, row, props);
      const content = { props, ...periodFields(this.terms.stretch), ...this.terms.reason };
      return { ref, operation: { op: "assert_edge", ...ref, ...content } };
    });
  }
}

export function insertMakers(insert: Insert, terms: InsertTerms, surroundings: InsertSurroundings): InsertMaker[] {
  const builder = new InsertBuilder(terms, surroundings);
  for (const chain of insert.chains) builder.chain(chain);
  if (builder.makers.length > 0) return builder.makers;
  return refuse(
    "E_SCHEMA",
    "insert_nothing",
    insert,
    "nothing is written: a node with nothing but a uid is an end of edges",
    "give it a label or a property",
  );
}

export function runInsert(makers: readonly InsertMaker[], row: JsonObject, batch: WriteBatch): void {
  for (const make of makers) {
    const { ref, operation } = make(row);
    batch.add(ref, operation);
  }
}
