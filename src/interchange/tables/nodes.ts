// A table of nodes as operations, in batches for `write`: the twin of the reader of text files.
import { BEGINNING_US, OPEN_END_US } from "../../contract/instant.js";
import { type JsonObject, LIMITS, setOwn } from "../../contract/values.js";
import type { InstantFormat } from "../instants.js";
import { labelsOfText } from "../labels.js";
import type { AssertNode, NodeBatch, NodeColumnNames } from "../nodes.js";
import { asRefusal, RefusedValue } from "../refusal.js";
import { noClock, propertyColumns } from "./events.js";
import { type PieceColumns, piecesOf } from "./piece-columns.js";
import { valuesOf } from "./properties.js";
import type { RefusalRules } from "./rows.js";
import { columnOf, type TableReader } from "./table-reader.js";
import { namesOf, textOf } from "./texts.js";

export interface TableNodeOptions extends RefusalRules {
  readonly columns: NodeColumnNames;
  readonly instants: InstantFormat;
  readonly labels: readonly string[];
  readonly source?: string;
  readonly operationsPerBatch: number;
}

interface Places {
  readonly uid: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly labels: string | null;
  readonly txTime: string | null;
  readonly props: readonly { readonly column: string; readonly name: string }[];
}

function placesIn(reader: TableReader, names: NodeColumnNames): Places {
  noClock(names.clock);
  const optional = (name: string | null) => (name === null ? null : columnOf(reader, name));
  const own = {
    uid: columnOf(reader, names.uid),
    validFrom: optional(names.validFrom),
    validTo: optional(names.validTo),
    labels: optional(names.labels),
    txTime: optional(names.txTime),
  };
  return { ...own, props: propertyColumns(reader, names, Object.values(own)) };
}

const UID = { mostBytes: LIMITS.uidBytes, mayBeEmpty: false, mayBeMissing: false };

interface Made {
  readonly operations: AssertNode[];
  readonly txTimesUs: bigint[];
}

const partOf = ({ operations, txTimesUs }: Made, from: number, to?: number): Made => ({
  operations: operations.slice(from, to),
  txTimesUs: txTimesUs.slice(from, to),
});

class NodeMaker {
  constructor(
    private readonly given: PieceColumns,
    private readonly at: Places,
    private readonly options: TableNodeOptions,
  ) {}

  /** Labels of each row: a list of texts, or a text with `;` between them. */
  private labels(name: string): (row: number) => readonly string[] {
    const { rows } = this.given;
    const column = this.given.column(name);
    const common = this.options.labels;
    if (column.form === "none") return () => common;
    const { codes, texts } =
      column.form === "json"
        ? column
        : namesOf(name, column, { mostBytes: LIMITS.versionBytes, mayBeEmpty: true, mayBeMissing: true }, rows);
    const found = new Map<number, readonly string[]>();
    for (const [row, code] of codes.entries()) {
      if (code < 0 || found.has(code)) continue;
      const text = textOf(texts, code);
      try {
        found.set(code, [...new Set([...common, ...labelsOfText(text, { isJson: column.form === "json" })])]);
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error;
        rows.refuse({ row, column: name, value: text, reason: error.reason, hint: error.hint });
      }
    }
    return (row) => found.get(codes[row]!) ?? common;
  }

  make(): Made {
    const { given, at, options } = this;
    const { rows } = given;
    const uid = namesOf(at.uid, given.column(at.uid), UID, rows);
    const from = at.validFrom === null ? null : given.times(at.validFrom, false);
    const to = at.validTo === null ? null : given.times(at.validTo, true);
    const txTime = at.txTime === null ? null : given.times(at.txTime, false);
    const labels = at.labels === null ? () => options.labels : this.labels(at.labels);
    const props = at.props.map(({ column, name }) => {
      return { name, value: valuesOf({ name, from: column, column: given.column(column) }, rows) };
    });
    for (const [row, end] of to?.entries() ?? []) {
      if (!rows.has(row) || end > (from?.[row] ?? BEGINNING_US)) continue;
      const hint = "swap them, or leave the end null";
      rows.refuse({
        row,
        column: at.validTo!,
        value: `${end} us`,
        reason: "is not after the beginning",
        code: "E_PERIOD_ORDER",
        hint,
      });
    }
    rows.settle(options);
    const operations: AssertNode[] = [];
    const txTimesUs: bigint[] = [];
    const source = options.source === undefined ? {} : { source: options.source };
    for (let row = 0; row < rows.rowCount; row += 1) {
      if (!rows.has(row)) continue;
      const own: JsonObject = {};
      for (const { name, value } of props) {
        const found = value(row);
        if (found !== null) setOwn(own, name, found);
      }
      const end = to?.[row] ?? OPEN_END_US;
      operations.push({
        op: "assert_node",
        uid: textOf(uid.texts, uid.codes[row]!),
        labels: labels(row),
        props: own,
        valid_from: from?.[row] ?? BEGINNING_US,
        valid_to: end === OPEN_END_US ? null : end,
        ...source,
      });
      if (txTime !== null) txTimesUs.push(txTime[row]!);
    }
    return { operations, txTimesUs };
  }
}

/** Reads a table of nodes in batches of operations. Refusals end it, or are handed to `onRefusal` and left out. */
export async function* readTableNodes(
  reader: TableReader,
  options: TableNodeOptions,
): AsyncGenerator<NodeBatch, void, undefined> {
  try {
    const places = placesIn(reader, options.columns);
    const { props, ...own } = places;
    const wanted = [...Object.values(own).filter((name) => name !== null), ...props.map(({ column }) => column)];
    let waiting: Made = { operations: [], txTimesUs: [] };
    const batch = ({ operations, txTimesUs }: Made): NodeBatch => ({
      operations,
      txTimesUs: places.txTime === null ? null : txTimesUs,
    });
    for await (const piece of piecesOf(reader, wanted, options.instants)) {
      const { operations, txTimesUs } = new NodeMaker(piece, places, options).make();
      for (const operation of operations) waiting.operations.push(operation);
      for (const us of txTimesUs) waiting.txTimesUs.push(us);
      const count = options.operationsPerBatch;
      let from = 0;
      for (; waiting.operations.length - from >= count; from += count) yield batch(partOf(waiting, from, from + count));
      if (from > 0) waiting = partOf(waiting, from);
    }
    if (waiting.operations.length > 0) yield batch(waiting);
  } catch (error) {
    throw asRefusal(error, { file: reader.name, line: 0 });
  } finally {
    await reader.close();
  }
}
