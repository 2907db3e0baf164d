// A folder of CSV as LDBC's generator and the importer of Neo4j write it: one file for each kind of node and of edge, with
// headers that say which column is an id, an end, a label, and of which type the others are.
// Ids are unique in their kind alone, so a uid has its kind in front: `Person:933`.
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { PalimpsestError } from "../../contract/errors.js";
import { OPEN_END_US } from "../../contract/instant.js";
import { INT64_MAX, INT64_MIN, type JsonValue } from "../../contract/values.js";
import { FieldKind, type Fields } from "../fields.js";
import { cellValue } from "../property-column.js";
import { type RecordSink, RecordSource } from "../record-source.js";
import { asRefusal, RefusedValue, refusal } from "../refusal.js";
import {
  type Attributes,
  type ElementOptions,
  type Graph,
  type GraphNode,
  GraphParts,
  labelsIn,
  nodesByUid,
} from "./elements.js";

export interface LdbcOptions extends ElementOptions {
  readonly onRead?: (bytes: number) => void;
}

const FILE = /\.csv(?:\.gz)?$/i;
const TYPED = /^([^:]*):([A-Za-z_]+)(\[\])?(?:\(([^()]*)\))?$/;
/** Ends as the generator itself names them: `Person.id`. */
const PLAIN_END = /^([A-Za-z]+)\.id$/;
const WHOLE = /^[+-]?\d+$/;

type Role =
  | { readonly role: "id" | "start" | "end"; readonly space: string; readonly name: string }
  | { readonly role: "label" | "type" }
  | { readonly role: "property"; readonly name: string; readonly type: string | null; readonly isList: boolean };

interface HeaderColumn {
  readonly slot: number;
  readonly is: Role;
}

/** `Person_knows_Person.csv` is [Person, knows, Person]; parts of a run, as `_0_0`, say nothing. */
function namesOf(file: string): string[] {
  const stem = basename(file)
    .replace(FILE, "")
    .replace(/(?:_\d+)+$/, "");
  return stem.split("_");
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function typedRole(header: string, [, name = "", type = "", list, space]: readonly (string | undefined)[]): Role {
  const isList = list !== undefined;
  switch (type.toUpperCase()) {
    case "ID":
      return { role: "id", space: space ?? "", name };
    case "START_ID":
      return { role: "start", space: space ?? "", name };
    case "END_ID":
      return { role: "end", space: space ?? "", name };
    case "LABEL":
      return { role: "label" };
    case "TYPE":
      return { role: "type" };
    default:
      if (name === "") throw new RefusedValue(`the column ${JSON.stringify(header)} has no name`);
      return { role: "property", name, type: type.toUpperCase(), isList };
  }
}

/** Which column is what. Without types in the header, `id` and `Person.id` are what the generator means by them. */
function rolesOf(header: readonly string[], file: string): Role[] {
  const names = namesOf(file);
  let ends = 0;
  return header.map((column, i) => {
    const typed = TYPED.exec(column);
    if (typed !== null) return typedRole(column, typed);
    const end = PLAIN_END.exec(column);
    if (end !== null) {
      ends += 1;
      return { role: ends === 1 ? "start" : "end", space: capital(end[1]!), name: "" };
    }
    if (i === 0 && column === "id") return { role: "id", space: capital(names[0] ?? ""), name: "" };
    return { role: "property", name: column, type: null, isList: false };
  });
}

function typedValue(text: string, type: string): JsonValue {
  switch (type) {
    case "INT":
    case "LONG":
    case "SHORT":
    case "BYTE": {
      if (!WHOLE.test(text)) throw new RefusedValue(`${JSON.stringify(text)} is no ${type}`);
      const value = BigInt(text);
      if (value < INT64_MIN || value > INT64_MAX) throw new RefusedValue(`${text} is out of the range of int64`);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    case "FLOAT":
    case "DOUBLE": {
      const value = Number(text);
      if (text.trim() === "" || !Number.isFinite(value))
        throw new RefusedValue(`${JSON.stringify(text)} is no ${type}`);
      return value;
    }
    case "BOOLEAN":
      if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
      throw new RefusedValue(`${JSON.stringify(text)} is neither true nor false`);
    default:
      return text;
  }
}

class FileRows implements RecordSink {
  readonly isFull = false;
  private readonly columns: readonly HeaderColumn[];
  readonly isNodes: boolean;
  private readonly edgeType: string;

  constructor(
    private readonly file: string,
    header: readonly string[],
    private readonly options: LdbcOptions,
    private readonly graph: GraphParts,
    private readonly spaces: Map<string, string>,
  ) {
    const roles = rolesOf(header, file);
    this.columns = roles.map((is, slot) => ({ slot, is }));
    const count = (role: string): number => roles.filter((is) => is.role === role).length;
    this.isNodes = count("id") === 1 && count("start") === 0;
    if (!this.isNodes && (count("start") !== 1 || count("end") !== 1 || count("id") > 1)) {
      throw refusal({ file, line: 1 }, "the header names neither an id nor two ends", {
        hint: "a file of nodes has id:ID(Person), one of edges :START_ID(Person) and :END_ID(Person)",
      });
    }
    const names = namesOf(file);
    this.edgeType = options.type ?? names[1] ?? names[0] ?? "EDGE";
  }

  add(fields: Fields): void {
    try {
      if (this.isNodes) this.addNode(fields);
      else this.addEdge(fields);
    } catch (error) {
      throw asRefusal(error, { file: this.file, line: fields.line });
    }
  }

  private uid(fields: Fields, role: "id" | "start" | "end"): string {
    const { slot, is } = this.columns.find((column) => column.is.role === role)!;
    const { space } = is as Role & { role: "id" };
    const id = fields.text(slot);
    if (id === "") throw new RefusedValue("an id is empty");
    const uid = space === "" ? id : `${space}:${id}`;
    if (!this.spaces.has(uid)) this.spaces.set(uid, space);
    return uid;
  }

  private attributes(fields: Fields): Attributes {
    const found = new Map<string, { value: JsonValue; text: string }>();
    for (const { slot, is } of this.columns) {
      if ((is.role === "id" || is.role === "start" || is.role === "end") && is.name !== "") {
        found.set(is.name, { value: cellValue(fields, slot, is.name) ?? fields.text(slot), text: fields.text(slot) });
      }
      if (is.role !== "property") continue;
      const text = fields.text(slot);
      // An empty cell is no value; in quotes it is the empty text.
      if (text === "" && fields.kind[slot] !== FieldKind.Quoted) continue;
      found.set(is.name, { value: this.value(fields, slot, is), text });
    }
    return found;
  }

  private value(fields: Fields, slot: number, is: Role & { role: "property" }): JsonValue {
    const text = fields.text(slot);
    try {
      if (is.type === null) return cellValue(fields, slot, is.name) ?? text;
      const { type } = is;
      return is.isList ? text.split(";").map((each) => typedValue(each, type)) : typedValue(text, type);
    } catch (error) {
      throw asRefusal(error, { file: this.file, line: fields.line, column: is.name });
    }
  }

  private textsOf(fields: Fields, role: "label" | "type"): string[] {
    return this.columns.filter(({ is }) => is.role === role).map(({ slot }) => fields.text(slot));
  }

  private addNode(fields: Fields): void {
    const uid = this.uid(fields, "id");
    const attributes = this.attributes(fields);
    const labels = [this.spaces.get(uid)!, ...this.textsOf(fields, "label").flatMap(labelsIn), ...this.options.labels];
    const named = {
      place: { file: this.file, line: fields.line },
      uid,
      labels: labels.filter((label) => label !== ""),
    };
    this.graph.addNode(named, attributes);
  }

  private addEdge(fields: Fields): void {
    const attributes = this.attributes(fields);
    const [type = ""] = this.textsOf(fields, "type");
    const named = {
      place: { file: this.file, line: fields.line },
      src: this.uid(fields, "start"),
      type: type === "" ? this.edgeType : type,
      dst: this.uid(fields, "end"),
      key: null,
    };
    this.graph.addEdge(named, attributes);
  }
}

/** The CSV files of a folder, or the one file. */
export async function ldbcFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => FILE.test(name)).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new PalimpsestError("E_INVALID_ARG", `${path}: the folder has no file of CSV`, {
    details: { file: path },
    hint: "name the folder that has files such as Person.csv and Person_knows_Person.csv",
  });
}

/**
 * Reads all files; nodes and edges may come in any order. Ends that no file of nodes has become nodes of their kind, from
 * their earliest edge on.
 */
export async function readLdbc(path: string, options: LdbcOptions): Promise<Graph> {
  const graph = new GraphParts(options);
  const spaces = new Map<string, string>();
  let readBefore = 0;
  for (const file of await ldbcFiles(path)) {
    let readHere = 0;
    const onRead = (bytes: number): void => {
      readHere = bytes;
      options.onRead?.(readBefore + bytes);
    };
    const given = { format: "csv", delimiter: "|", hasHeader: true, onError: "stop", nullWords: [], onRead } as const;
    const { source, columns } = await RecordSource.open(file, given);
    try {
      const rows = new FileRows(file, columns.header!, options, graph, spaces);
      for await (const _ of source.fill(rows));
    } catch (error) {
      await source.close();
      throw asRefusal(error, { file, line: 1 });
    }
    readBefore += readHere;
  }
  const known = nodesByUid(graph.nodes);
  const missing = new Map<string, GraphNode>();
  for (const { place, src, dst, fromUs } of graph.edges) {
    for (const uid of [src, dst]) {
      const found = missing.get(uid);
      if (known.has(uid) || (found !== undefined && found.fromUs <= fromUs)) continue;
      const space = spaces.get(uid)!;
      missing.set(uid, { place, uid, labels: space === "" ? [] : [space], props: {}, fromUs, toUs: OPEN_END_US });
    }
  }
  return { nodes: [...graph.nodes, ...missing.values()], edges: graph.edges };
}
