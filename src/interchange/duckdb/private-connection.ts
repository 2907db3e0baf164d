// A DuckDB of our own for files: it reaches the named paths and nothing else, and takes no extension.
// Loaded when a file needs it.
import { availableParallelism, totalmem } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedText } from "./select-given.js";

export interface PrivateConnection {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Of the machine's memory, for buffers: what is read or written goes through in chunks. */
const MEMORY_SHARE = 8;

export async function privateConnection(
  paths: { readonly files: readonly string[]; readonly folders?: readonly string[] },
  settings: readonly string[] = [],
): Promise<PrivateConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(Math.min(4, availableParallelism())),
    memory_limit: `${Math.ceil(totalmem() / MEMORY_SHARE / 1024)}KiB`,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
  });
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  const list = (texts: readonly string[]): string => `[${texts.map(quotedText).join(", ")}]`;
  try {
    for (const setting of [
      "SET TimeZone = 'UTC'",
      ...settings,
      `SET allowed_paths = ${list(paths.files)}`,
      `SET allowed_directories = ${list(paths.folders ?? [])}`,
      "SET enable_external_access = false",
      "SET lock_configuration = true",
    ]) {
      await connection.run(setting);
    }
    return { connection, close };
  } catch (error) {
    close();
    throw error;
  }
}
