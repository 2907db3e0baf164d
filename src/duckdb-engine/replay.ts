// A log, already read and checked, into a file of DuckDB: time and outcome are the log's, carving is done in SQL.
// The file gets its name when all of the log is in it.
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { PalimpsestError } from "../contract/errors.js";
import { chainText } from "../log/chain.js";
import { ioError } from "../log/file-layer.js";
import { fileError } from "../log/native-file-layer.js";
import type { LogCommit } from "../log/reader.js";
import { LogOperations } from "../reference/index.js";
import { Applier } from "./apply.js";
import { digestOfTables } from "./digest.js";
import { SCHEMA } from "./tables.js";

/** Commits of the log in one transaction of DuckDB: each of those is a sync. */
const COMMITS_AT_ONCE = 500;

export class DuckReplay {
  private readonly log = new LogOperations();
  private waiting = 0;
  private tx = 0;

  private constructor(
    private readonly path: string,
    private readonly partial: string,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
    private readonly applier: Applier,
  ) {}

  /** E_STATE when `path` is there. */
  static async create(path: string): Promise<DuckReplay> {
    if (existsSync(path)) {
      throw new PalimpsestError("E_STATE", `${path} is there already`, {
        details: { path },
        hint: "replay makes a new file: name one that is not there",
      });
    }
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const partial = `${path}.partial-${randomBytes(6).toString("hex")}`;
    const instance = await duck(path, () => DuckDBInstance.create(partial));
    try {
      const connection = await instance.connect();
      for (const statement of SCHEMA) await connection.run(statement);
      await connection.run("BEGIN");
      return new DuckReplay(path, partial, instance, connection, await Applier.create(connection));
    } catch (error) {
      instance.closeSync();
      remove(partial);
      throw error;
    }
  }

  /** Rejected batches changed nothing. */
  async apply(commit: LogCommit): Promise<void> {
    if (commit.tx === 0) return;
    this.tx += 1;
    if (commit.tx !== this.tx) {
      throw new PalimpsestError("E_LOG_CORRUPT", `commit ${commit.tx} stands in the place of ${this.tx}`);
    }
    const { operations, erasure } = this.log.batchOf(commit);
    await duck(this.path, async () => {
      for (const operation of operations) await this.applier.apply(operation, commit.tx);
      await this.connection.run("INSERT INTO commits VALUES ($1, $2, $3, $4)", [
        BigInt(commit.tx),
        commit.txTimeUs,
        chainText(commit.chain),
        erasure !== undefined,
      ]);
      this.waiting += 1;
      if (this.waiting === COMMITS_AT_ONCE) await this.settle("COMMIT", "BEGIN");
    });
    if (erasure !== undefined) this.applier.numbers.spend(erasure.spentKeys);
  }

  digest(): Promise<string> {
    return duck(this.path, () => digestOfTables(this.connection));
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    await duck(this.path, () => this.settle("COMMIT", "CHECKPOINT"));
    this.close();
    try {
      renameSync(this.partial, this.path);
    } catch (error) {
      remove(this.partial);
      throw ioError(fileError(error, this.path));
    }
  }

  /** Leaves nothing. */
  abandon(): void {
    this.close();
    remove(this.partial);
  }

  private close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }

  private async settle(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.connection.run(statement);
    this.waiting = 0;
  }
}

function remove(partial: string): void {
  rmSync(partial, { force: true });
  rmSync(`${partial}.wal`, { force: true });
}

/** What DuckDB says of its file is the operating system's: it judges nothing of the log. */
async function duck<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PalimpsestError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    const code = /^(IO|Out of Memory|Permission)\b/.test(said) ? "E_IO" : "E_INTERNAL";
    throw new PalimpsestError(code, `${path}: ${said}`, { details: { file: path }, cause: error });
  }
}
