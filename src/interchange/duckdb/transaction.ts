// A transaction of a connection of DuckDB: our own, or the one that its user has begun.
// One piece of work at a time on a connection: two of them would end each other's transaction.
import type { DuckDBConnection } from "@duckdb/node-api";

const busy = new WeakMap<DuckDBConnection, Promise<unknown>>();

/** A transaction has one number; outside of one every statement gets a new one. BEGIN would end one that there is. */
async function isWithin(connection: DuckDBConnection): Promise<boolean> {
  const number = async () => (await (await connection.run("SELECT txid_current()")).getRows())[0]![0];
  const first = await number();
  return first === (await number());
}

async function alone<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  if (await isWithin(connection)) return work();
  await connection.run("BEGIN TRANSACTION");
  try {
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Runs when what was asked of the connection before has ended, in a transaction of its own or in that of the user. */
export function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  const before = busy.get(connection) ?? Promise.resolve();
  const run = before.then(() => alone(connection, work));
  busy.set(
    connection,
    run.catch(() => undefined),
  );
  return run;
}
