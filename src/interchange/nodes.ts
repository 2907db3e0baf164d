// A file of nodes as operations: one `assert_node` a record, in batches for `write`.
// Properties are values here, not columns: nodes come by the thousand, not by the million.
import { BEGINNING_US } from "../contract/instant.js";
import { type JsonObject, LIMITS, setOwn } from "../contract/values.js";
import { Cells } from "./cells.js";
import type { Column, ColumnsSeen } from "./columns-seen.js";
import type { PropertyRequest } from "./events.js";
import type { Fields } from "./fields.js";
import type { InstantFormat } from "./instants.js";
import { cellValue } from "./property-column.js";
import { type RecordSink, RecordSource, type SourceOptions } from "./record-source.js";
import { RefusedValue } from "./refusal.js";

export interface NodeColumnNames {
  readonly uid: string;
  /** null: every node holds from the beginning of the calendar on. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly props: readonly PropertyRequest[];
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

class NodeRows implements RecordSink {
  private operations: AssertNode[] = [];
  private readonly uid: Column;
  private readonly validFrom: Column | null;
  private readonly validTo: Column | null;
  private readonly props: readonly { column: Column; name: string }[];

  constructor(
    seen: ColumnsSeen,
    private readonly options: NodeOptions,
    private readonly cells: Cells,
  ) {
    const { columns } = options;
    this.uid = seen.find(columns.uid);
    this.validFrom = columns.validFrom === null ? null : seen.find(columns.validFrom);
    this.validTo = columns.validTo === null ? null : seen.find(columns.validTo);
    this.props = columns.props.map((request) => {
      const column = seen.find(request.column);
      return { column, name: request.name ?? column.name };
    });
  }

  get isFull(): boolean {
    return this.operations.length >= this.options.operationsPerBatch;
  }

  add(fields: Fields): void {
    try {
      this.operations.push(this.operation(fields));
    } catch (error) {
      throw this.cells.explain(error, fields);
    }
  }

  private operation(fields: Fields): AssertNode {
    const { cells, options } = this;
    const uid = fields.text(cells.text(fields, this.uid, LIMITS.uidBytes, { mayBeEmpty: false }));
    const valid_from =
      this.validFrom === null ? BEGINNING_US : BigInt(cells.instant(fields, this.validFrom, { isEnd: false }));
    const valid_to = this.validTo === null ? null : this.end(fields, this.validTo, valid_from);
    const props: JsonObject = {};
    for (const { column, name } of this.props) {
      const value = cellValue(fields, cells.at(column), name);
      if (value !== undefined) setOwn(props, name, value);
    }
    const source = options.source === undefined ? {} : { source: options.source };
    return { op: "assert_node", uid, labels: options.labels, props, valid_from, valid_to, ...source };
  }

  private end(fields: Fields, column: Column, validFrom: bigint): bigint | null {
    const slot = this.cells.at(column);
    if (!fields.has(slot) || fields.from[slot] === fields.to[slot]) return null;
    const end = BigInt(this.cells.instant(fields, column, { isEnd: true }));
    if (end > validFrom) return end;
    throw new RefusedValue("is not after the beginning", "E_PERIOD_ORDER", "swap them, or leave the end empty");
  }

  take(): AssertNode[] {
    const taken = this.operations;
    this.operations = [];
    return taken;
  }
}

/** Reads a file of nodes in batches of operations. Refusals end it, or are handed to `onRefusal` and skipped. */
export async function* readNodes(file: string, options: NodeOptions): AsyncGenerator<AssertNode[]> {
  const { source, columns } = await RecordSource.open(file, options);
  const cells = new Cells(file, options.instants, () => source.keysOfRecord());
  const rows = new NodeRows(columns, options, cells);
  for await (const _ of source.fill(rows)) {
    const operations = rows.take();
    if (operations.length > 0) yield operations;
  }
}
