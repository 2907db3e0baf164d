// What a connection of DuckDB selects, as a table to read: its columns by DESCRIBE, its rows in pieces as they stream.
import type { DuckDBConnection } from "@duckdb/node-api";
import type { GivenPiece } from "../../columns/given.js";
import { PalimpsestError } from "../../contract/errors.js";
import { Pace } from "../../event-loop/pace.js";
import type { TableReader } from "../tables/table-reader.js";
import type { LocalZone } from "../zones.js";
import { PieceGatherer } from "./chunks.js";
import { type GivenSelect, selectOf } from "./select-given.js";

const CHUNK_ROWS = 2048;

export interface QueryReaderOptions {
  /** How messages name the table. */
  readonly name: string;
  readonly zone: LocalZone | null;
  /** A multiple of 2048 is best. */
  readonly rowsPerPiece: number;
  /** How many rows there are, where that is known before. */
  readonly rowCount?: number;
  /** Why what is selected cannot be read. */
  readonly failed: (error: unknown) => PalimpsestError;
  readonly close: () => Promise<void>;
}

interface DescribedColumn {
  readonly name: string;
  readonly type: string;
}

class QueryReader implements TableReader {
  readonly rowCount: number | null;
  readonly columns: readonly string[];

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly from: string,
    private readonly described: readonly DescribedColumn[],
    private readonly options: QueryReaderOptions,
  ) {
    this.columns = described.map(({ name }) => name);
    this.rowCount = options.rowCount ?? null;
  }

  get name(): string {
    return this.options.name;
  }

  private selects(wanted: readonly string[]): GivenSelect[] {
    return wanted.map((name) => {
      const select = selectOf(name, this.described.find((column) => column.name === name)!.type);
      if (select.form !== "local" || this.options.zone !== null) return select;
      throw new PalimpsestError("E_ZONE_MISSING", `column ${JSON.stringify(name)}: its times have no zone`, {
        details: { column: name },
        hint: "give a zone: UTC, an offset such as +02:00, or a name",
      });
    });
  }

  async *pieces(wanted: readonly string[]): AsyncGenerator<GivenPiece, void, undefined> {
    const { zone, rowsPerPiece, failed } = this.options;
    const selects = this.selects(wanted);
    const list = selects.flatMap(({ value, unfit }) => (unfit === null ? [value] : [value, unfit]));
    const capacity = Math.max(CHUNK_ROWS, rowsPerPiece);
    const pace = new Pace();
    let rowCount = 0;
    try {
      const result = await this.connection.stream(`SELECT ${list.join(", ")} FROM ${this.from}`);
      let gathered = new PieceGatherer(selects, capacity, zone);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
        rowCount += chunk.rowCount;
        gathered.take(chunk.chunk);
        if (gathered.rowCount + CHUNK_ROWS > capacity) {
          yield gathered.piece();
          gathered = new PieceGatherer(selects, capacity, zone);
        }
        if (pace.isDue) await pace.rest();
      }
      await this.checkWhole(rowCount);
      if (gathered.rowCount > 0) yield gathered.piece();
    } catch (error) {
      throw error instanceof PalimpsestError ? error : failed(error);
    }
  }

  /** A stream that fails ends like one that is whole, but no transaction outlives it. */
  private async checkWhole(rowCount: number): Promise<void> {
    await this.connection.run("SELECT 1").catch((cause: unknown) => {
      throw new Error(`the rows end with an error behind row ${rowCount}`, { cause });
    });
  }

  close(): Promise<void> {
    return this.options.close();
  }
}

/** `from` is SQL that may stand behind FROM; the connection is in a transaction until all is read. */
export async function queryReader(
  connection: DuckDBConnection,
  from: string,
  options: QueryReaderOptions,
): Promise<TableReader> {
  try {
    const rows = await (await connection.run(`DESCRIBE SELECT * FROM ${from}`)).getRows();
    const described = rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
    return new QueryReader(connection, from, described, options);
  } catch (error) {
    await options.close();
    throw error instanceof PalimpsestError ? error : options.failed(error);
  }
}
