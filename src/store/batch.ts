// A batch made ready to stage: every operation judged by itself, encoded for the core and written out for the log.
// Made before the batch waits for its turn, in slices when it is large; nothing here looks at the store.
import { internalError, PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { LIMITS } from "../contract/values.js";
import { OperationEncoder } from "../log/operations/encode.js";
import { operationText } from "../log/operations/operation-text.js";
import { readOperation } from "../log/operations/read-operation.js";
import type { Erasing, IngestEvents, Operation, RowOperation } from "../log/operations/types.js";
import type { NativeEventColumns, NativeEventsHeader } from "../native/store.js";
import { eventColumns } from "./json-events.js";
import { OperationTexts } from "./operation-texts.js";
import { Pace } from "./turns.js";

/** Operations that follow one another without a bulk operation between them, at most `OPERATIONS_AT_ONCE`. */
export interface OperationsPart {
  readonly kind: "operations";
  /** Position of the first in the batch. */
  readonly first: number;
  readonly buffer: Uint8Array;
  /** Canonical JSON of each, as the log holds it. */
  readonly texts: OperationTexts;
}
export interface EventsPart {
  readonly kind: "events";
  readonly text: string;
  readonly header: NativeEventsHeader;
  readonly columns: NativeEventColumns;
}
export type BatchPart = OperationsPart | EventsPart;

export interface PreparedBatch {
  readonly parts: readonly BatchPart[];
  readonly itemCount: number;
  /** About how many bytes the log and the memory will take. */
  readonly logBytes: number;
  readonly memoryBytes: number;
  /** The batch is this one operation, and has no parts. */
  readonly erasing?: Erasing;
}

// One buffer for a whole batch of the largest size would be copied for milliseconds whenever it grows.
export const OPERATIONS_AT_ONCE = 4096;

// Rough, and on the safe side for what they guard: columns, index entries and slots of one version.
const MEMORY_PER_OPERATION = 512;
const MEMORY_PER_EVENT = 160;
const LOG_PER_EVENT = 48;

export function eventsHeader({ nodeLabels, by }: Pick<IngestEvents, "nodeLabels" | "by">): NativeEventsHeader {
  return {
    nodeLabels,
    source: by.source ?? null,
    provenanceRef: by.provenanceRef ?? null,
    reason: by.reason ?? null,
  };
}

/** Bytes of text in native columns, for the estimates. */
function columnBytes(columns: NativeEventColumns): number {
  const props = columns.props.reduce(
    (sum, { values }) => sum + ("bytes" in values ? values.bytes.length : values.byteLength),
    0,
  );
  return props + columns.src.bytes.length + columns.dst.bytes.length + (columns.key?.bytes.length ?? 0);
}

/** One bulk operation over columns that are native already. */
export function eventsBatch(
  operation: Pick<IngestEvents, "nodeLabels" | "by">,
  columns: NativeEventColumns,
): PreparedBatch {
  const text = operationText({ ...operation, kind: "events" } as IngestEvents);
  const bytes = columnBytes(columns);
  return {
    parts: [{ kind: "events", text, header: eventsHeader(operation), columns }],
    itemCount: 1 + Math.ceil(columns.rowCount / 1024),
    logBytes: text.length * 3 + bytes + columns.rowCount * LOG_PER_EVENT,
    memoryBytes: bytes + columns.rowCount * MEMORY_PER_EVENT,
  };
}

class BatchBuilder {
  private readonly parts: BatchPart[] = [];
  private encoder = new OperationEncoder();
  private texts = new OperationTexts();
  private first = 0;
  private itemCount = 0;
  private logBytes = 0;
  private memoryBytes = 0;
  private erasing: Erasing | undefined;

  constructor(private readonly mostBytes: number) {}

  add(operation: Operation, position: number): void | Promise<void> {
    if (operation.kind === "erase") this.erasing = operation;
    else if (operation.kind === "events") return this.addEvents(operation, position);
    else this.addRow(operation, position);
  }

  private addRow(operation: RowOperation, position: number): void {
    this.encoder.add(operation);
    const byteCount = this.texts.add(operationText(operation));
    this.itemCount += 1;
    this.logBytes += byteCount;
    this.memoryBytes += MEMORY_PER_OPERATION + byteCount;
    if (this.texts.count === OPERATIONS_AT_ONCE) this.closePart(position + 1);
    if (this.logBytes <= this.mostBytes) return;
    throw new PalimpsestError("E_LIMIT", "the batch is more than 64 MiB of canonical JSON", {
      hint: "write it as several batches, or as bulk events",
    });
  }

  private async addEvents(operation: IngestEvents, position: number): Promise<void> {
    this.closePart(position + 1);
    const { parts, itemCount, logBytes, memoryBytes } = eventsBatch(operation, await eventColumns(operation));
    this.parts.push(...parts);
    this.itemCount += itemCount;
    this.logBytes += logBytes;
    this.memoryBytes += memoryBytes;
  }

  private closePart(next: number): void {
    if (this.texts.count > 0) {
      this.parts.push({ kind: "operations", first: this.first, buffer: this.encoder.take(), texts: this.texts });
      this.encoder = new OperationEncoder();
      this.texts = new OperationTexts();
    }
    this.first = next;
  }

  finish(operationCount: number): PreparedBatch {
    this.closePart(operationCount);
    const { parts, itemCount, logBytes, memoryBytes, erasing } = this;
    return { parts, itemCount, logBytes, memoryBytes, ...(erasing === undefined ? {} : { erasing }) };
  }
}

/** Says which operation of the batch an error is about. */
function atOperation(error: unknown, operation: number): PalimpsestError {
  if (!(error instanceof PalimpsestError)) return internalError(error);
  return new PalimpsestError(error.code, `${error.message} (operation ${operation})`, {
    details: { ...error.details, operation },
    hint: error.hint ?? "",
    cause: error,
  });
}

/** A revoked proxy is no array either. */
function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** What a getter or a proxy of the caller's throws makes the operation unreadable. */
function read(given: unknown, position: number, isAlone: boolean): Operation {
  const path = `/${position}`;
  return readGiven(path, `${path}: the operation`, () => readOperation(given, path, isAlone));
}

/** Judges and encodes a batch; the first operation with an error decides. */
export async function prepareBatch(ops: unknown): Promise<PreparedBatch> {
  if (!isArray(ops)) {
    throw new PalimpsestError("E_SCHEMA", "a batch is an array of operations", {
      details: { path: "" },
      hint: 'give [{op: "assert_node", uid: "ana", valid_from: "2024-01-01"}]',
    });
  }
  const operationCount = readGiven("", "the batch", () => ops.length);
  if (operationCount === 0)
    throw new PalimpsestError("E_INVALID_ARG", "the batch is empty", { hint: "give an operation" });
  if (operationCount > LIMITS.batchOperations) {
    throw new PalimpsestError(
      "E_LIMIT",
      `${operationCount} operations are more than ${LIMITS.batchOperations} in a batch`,
      {
        details: { operations: operationCount, limit: LIMITS.batchOperations },
        hint: "write them as several batches, or as bulk events",
      },
    );
  }
  const builder = new BatchBuilder(LIMITS.batchBytes);
  const pace = new Pace();
  const isAlone = operationCount === 1;
  for (let i = 0; i < operationCount; i += 1) {
    try {
      const added = builder.add(
        read(
          readGiven("", "the batch", () => ops[i]),
          i,
          isAlone,
        ),
        i,
      );
      if (added instanceof Promise) await added;
    } catch (error) {
      throw atOperation(error, i);
    }
    if ((i & 63) === 0 && pace.isDue) await pace.rest();
  }
  return builder.finish(operationCount);
}

/** Judges one operation by itself. */
export function checkOperation(given: unknown): void {
  read(given, 0, false);
}

/**
 * The same from operations that are made one by one, for a commit of any size: an export has whole bulk commits as rows,
 * and the limits of a JSON batch are those of what a caller holds as one array.
 */
export async function prepareRows(operations: Iterable<unknown>): Promise<PreparedBatch> {
  const builder = new BatchBuilder(Number.POSITIVE_INFINITY);
  const pace = new Pace();
  let count = 0;
  for (const given of operations) {
    const operation = read(given, count, false);
    if (operation.kind === "events") throw internalError(new Error("bulk events are no rows"));
    const added = builder.add(operation, count);
    if (added instanceof Promise) await added;
    count += 1;
    if ((count & 63) === 0 && pace.isDue) await pace.rest();
  }
  return builder.finish(count);
}
