// A file of nodes as operations: one `assert_node` a record, in batches for `write`.
// Properties are values here, not columns: nodes come by the thousand, not by the million.
import { BEGINNING_US } from "../contract/instant.js";
import { type JsonObject, LIMITS, setOwn } from "../contract/values.js";
import { Cells } from "./cells.js";
import type { Column, ColumnsSeen } from "./columns-seen.js";
import type { PropertyRequest } from "./events.js";
import { FieldKind, type Fields } from "./fields.js";
import type { InstantFormat } from "./instants.js";
import { labelsOfText } from "./labels.js";
import { cellValue } from "./property-column.js";
import { type RecordSink, RecordSource, type SourceOptions } from "./record-source.js";
import { RefusedValue } from "./refusal.js";

export interface NodeColumnNames {
  readonly uid: string;
  /** null: every node holds from the beginning of the calendar on. */
  readonly validFrom: string | null;
  readonly clock: string | null;
  readonly validTo: string | null;
  /** Labels of the row: a text with `;` between them, or a list in JSON. */
  readonly labels: string | null;
  /** When the row came to be believed: the time of its commit. */
  readonly txTime: string | null;
  readonly props: readonly PropertyRequest[];
  /** Whether every column that is nothing else is a property. */
  readonly allProps: boolean;
}

export interface NodeOptions extends SourceOptions {
  readonly columns: NodeColumnNames;
  readonly instants: InstantFormat;
  readonly labels: readonly string[];
  readonly source?: string;
  readonly operationsPerBatch: number;
}

/** An operation as `write` takes it. */
export interface AssertNode {
  readonly op: "assert_node";
  readonly uid: string;
  readonly labels: readonly string[];
  readonly props: JsonObject;
  readonly valid_from: bigint;
  readonly valid_to: bigint | null;
  readonly source?: string;
}

export interface NodeBatch {
  readonly operations: readonly AssertNode[];
  /** The time of its commit for each, where the file has them. */
  readonly txTimesUs: readonly bigint[] | null;
}

class NodeRows implements RecordSink {
  private operations: AssertNode[] = [];
  private txTimesUs: bigint[] = [];
  private readonly uid: Column;
  private readonly validFrom: Column | null;
  private readonly validTo: Column | null;
  private readonly clock: Column | null;
  private readonly labels: Column | null;
  private readonly txTime: Column | null;
  private readonly props: { column: Column; name: string }[];

  constructor(
    private readonly seen: ColumnsSeen,
    private readonly options: NodeOptions,
    private readonly cells: Cells,
  ) {
    const { columns } = options;
    this.uid = seen.find(columns.uid);
    const optional = (name: string | null) => (name === null ? null : seen.find(name));
    this.validFrom = optional(columns.validFrom);
    this.clock = optional(columns.clock);
    this.validTo = optional(columns.validTo);
    this.labels = optional(columns.labels);
    this.txTime = optional(columns.txTime);
    this.props = columns.props.map((request) => {
      const column = seen.find(request.column);
      return { column, name: request.name ?? column.name };
    });
    if (columns.allProps) this.props.push(...seen.others().map((column) => ({ column, name: column.name })));
  }

  get isFull(): boolean {
    return this.operations.length >= this.options.operationsPerBatch;
  }

  add(fields: Fields): void {
    try {
      const operation = this.operation(fields);
      if (this.txTime !== null) this.txTimesUs.push(BigInt(this.cells.pastInstant(fields, this.txTime)));
      this.operations.push(operation);
    } catch (error) {
      throw this.cells.explain(error, fields);
    }
  }

  private operation(fields: Fields): AssertNode {
    const { cells, options } = this;
    const uid = fields.text(cells.text(fields, this.uid, LIMITS.uidBytes, { mayBeEmpty: false }));
    const valid_from =
      this.validFrom === null
        ? BEGINNING_US
        : BigInt(cells.instant(fields, this.validFrom, { isEnd: false, clock: this.clock }));
    const valid_to = this.validTo === null ? null : this.end(fields, this.validTo, valid_from);
    const labels = this.labels === null ? options.labels : this.labelsOf(fields, this.labels);
    for (const column of this.seen.discovered()) this.props.push({ column, name: column.name });
    const props: JsonObject = {};
    for (const { column, name } of this.props) {
      const value = cellValue(fields, cells.at(column), name);
      if (value !== undefined) setOwn(props, name, value);
    }
    const source = options.source === undefined ? {} : { source: options.source };
    return { op: "assert_node", uid, labels, props, valid_from, valid_to, ...source };
  }

  private end(fields: Fields, column: Column, validFrom: bigint): bigint | null {
    const slot = this.cells.at(column);
    if (!fields.has(slot) || fields.from[slot] === fields.to[slot]) return null;
    const end = BigInt(this.cells.instant(fields, column, { isEnd: true }));
    if (end > validFrom) return end;
    throw new RefusedValue("is not after the beginning", "E_PERIOD_ORDER", "swap them, or leave the end empty");
  }

  private labelsOf(fields: Fields, column: Column): readonly string[] {
    const slot = this.cells.at(column);
    const { labels } = this.options;
    if (!fields.has(slot)) return labels;
    const own = labelsOfText(fields.text(slot), { isJson: fields.kind[slot] === FieldKind.Nested });
    return [...new Set([...labels, ...own])];
  }

  take(): NodeBatch {
    const taken = { operations: this.operations, txTimesUs: this.txTime === null ? null : this.txTimesUs };
    this.operations = [];
    this.txTimesUs = [];
    return taken;
  }
}

/** Reads a file of nodes in batches of operations. Refusals end it, or are handed to `onRefusal` and skipped. */
export async function* readNodes(file: string, options: NodeOptions): AsyncGenerator<NodeBatch> {
  const { source, columns } = await RecordSource.open(file, options);
  const cells = new Cells(file, options.instants, () => source.keysOfRecord());
  const rows = new NodeRows(columns, options, cells);
  for await (const _ of source.fill(rows)) {
    const batch = rows.take();
    if (batch.operations.length > 0) yield batch;
  }
}
