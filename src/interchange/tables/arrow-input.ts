// Whether what was handed to `ingest` is Arrow: told without loading the library.
// Tables and batches are known by their form, so that those of another copy of the library are taken, too.
import type { RecordBatch, Schema, Table } from "apache-arrow";

export type ArrowInput = Table | RecordBatch | Uint8Array | Iterable<RecordBatch> | AsyncIterable<RecordBatch>;

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null;
const isSchema = (given: unknown): given is Schema =>
  isObject(given) && Array.isArray((given as { fields?: unknown }).fields);

export const isArrowTable = (given: unknown): given is Table =>
  isObject(given) && "schema" in given && isSchema(given.schema) && "batches" in given && Array.isArray(given.batches);

export const isRecordBatch = (given: unknown): given is RecordBatch =>
  isObject(given) &&
  "schema" in given &&
  isSchema(given.schema) &&
  "data" in given &&
  isObject(given.data) &&
  "numRows" in given;

/** A table, a batch or IPC data; an iterable of batches is one that begins with a batch. */
export const isArrow = (given: unknown): given is Table | RecordBatch | Uint8Array =>
  given instanceof Uint8Array || isArrowTable(given) || isRecordBatch(given);

type Items = Iterable<unknown> | AsyncIterable<unknown>;

export const isItems = (given: unknown): given is Items =>
  isObject(given) && (Symbol.iterator in given || Symbol.asyncIterator in given);

/** An iterable with its first item taken out and put back. */
export async function peeked(items: Items): Promise<{ readonly first: unknown; readonly all: AsyncIterable<unknown> }> {
  const iterator: AsyncIterator<unknown> | Iterator<unknown> =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const begun = await iterator.next();
  async function* all(): AsyncGenerator<unknown> {
    try {
      for (let next = begun; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first: begun.done === true ? undefined : begun.value, all: all() };
}
