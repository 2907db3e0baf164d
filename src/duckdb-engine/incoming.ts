// Rows on their way into DuckDB: what one operation writes, in a temporary table, by columns.
// Properties go as names and the canonical JSON of their values, so that no number is read and written again.
import {
  BIGINT,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  MAP,
  mapValue,
  VARCHAR,
} from "@duckdb/node-api";
import { canonicalJson } from "../contract/canonical.js";
import { normaliseValue } from "../contract/values.js";
import { nextTurn } from "../event-loop/pace.js";
import type { EdgeIdentity } from "./edge-numbers.js";
import { EDGES, NODES, type VersionTable } from "./tables.js";

export interface Origin {
  readonly source: string | null;
  readonly provenance_ref: string | null;
  readonly reason: string | null;
}

interface Row {
  /** Rows of one round are of different identities, so that they are carved together. */
  readonly round: number;
  readonly props: Readonly<Record<string, unknown>>;
  readonly fromUs: bigint;
  readonly toUs: bigint;
}
export interface NodeRow extends Row {
  readonly uid: string;
  readonly labels: readonly string[];
  readonly removedLabels: readonly string[];
}
export interface EdgeRow extends Row, EdgeIdentity {
  /** null where the edges that are changed keep theirs. */
  readonly seq: number | null;
}

const CHUNK_ROWS = 2048;
const TEXTS = LIST(VARCHAR);
const PROPS = MAP(VARCHAR, VARCHAR);
const TAIL = [PROPS, BIGINT, BIGINT, VARCHAR, VARCHAR, VARCHAR];
const NODE_TYPES = [INTEGER, VARCHAR, TEXTS, TEXTS, ...TAIL];
const EDGE_TYPES = [INTEGER, VARCHAR, VARCHAR, VARCHAR, VARCHAR, BIGINT, ...TAIL];

/** Null stays here: in a correction it removes the property, elsewhere callers leave it out. */
function propsValue(props: Row["props"]): DuckDBValue {
  return mapValue(
    Object.entries(props).map(([key, value]) => ({ key, value: canonicalJson(normaliseValue(value, key)) })),
  );
}

type Column = (row: number) => DuckDBValue;

/** Making an appender takes as long as some twenty rows that are bound to a statement. */
const FEW_ROWS = 16;

/** One of the tables: how rows get there, few or many. */
class Way {
  private constructor(
    readonly name: string,
    readonly types: readonly DuckDBType[],
    readonly clear: DuckDBPreparedStatement,
    readonly insert: DuckDBPreparedStatement,
  ) {}

  static async prepare(connection: DuckDBConnection, table: VersionTable, types: readonly DuckDBType[]): Promise<Way> {
    const name = `incoming_${table.name}`;
    const places = types.map((_, i) => `$${i + 1}`).join(", ");
    const clear = await connection.prepare(`TRUNCATE ${name}`);
    return new Way(name, types, clear, await connection.prepare(`INSERT INTO ${name} VALUES (${places})`));
  }
}

export class Incoming {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly nodeWay: Way,
    private readonly edgeWay: Way,
  ) {}

  static async prepare(connection: DuckDBConnection): Promise<Incoming> {
    const nodes = await Way.prepare(connection, NODES, NODE_TYPES);
    return new Incoming(connection, nodes, await Way.prepare(connection, EDGES, EDGE_TYPES));
  }

  async nodes(rows: readonly NodeRow[], origin: Origin): Promise<void> {
    const columns: Column[] = [
      (i) => rows[i]!.uid,
      (i) => listValue(rows[i]!.labels),
      (i) => listValue(rows[i]!.removedLabels),
    ];
    await this.put(this.nodeWay, rows, columns, origin);
  }

  async edges(rows: readonly EdgeRow[], origin: Origin): Promise<void> {
    const columns: Column[] = [
      (i) => rows[i]!.src,
      (i) => rows[i]!.type,
      (i) => rows[i]!.dst,
      (i) => rows[i]!.key,
      (i) => (rows[i]!.seq === null ? null : BigInt(rows[i]!.seq!)),
    ];
    await this.put(this.edgeWay, rows, columns, origin);
  }

  private async put(
    way: Way,
    rows: readonly Row[],
    columns: readonly Column[],
    { source, provenance_ref, reason }: Origin,
  ): Promise<void> {
    const all: Column[] = [
      (i) => rows[i]!.round,
      ...columns,
      (i) => propsValue(rows[i]!.props),
      (i) => rows[i]!.fromUs,
      (i) => rows[i]!.toUs,
      () => source,
      () => provenance_ref,
      () => reason,
    ];
    await way.clear.run();
    if (rows.length <= FEW_ROWS) await bindRows(way, rows.length, all);
    else await this.append(way, rows.length, all);
  }

  private async append({ name, types }: Way, rowCount: number, columns: readonly Column[]): Promise<void> {
    const appender = await this.connection.createAppender(name);
    for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, rowCount - from);
      const chunk = DuckDBDataChunk.create(types, count);
      for (const [column, cellOf] of columns.entries()) {
        chunk.setColumnValues(
          column,
          Array.from({ length: count }, (_, i) => cellOf(from + i)),
        );
      }
      appender.appendDataChunk(chunk);
      await nextTurn();
    }
    appender.closeSync();
  }
}

async function bindRows({ types, insert }: Way, rowCount: number, columns: readonly Column[]): Promise<void> {
  for (let row = 0; row < rowCount; row += 1) {
    for (const [i, cellOf] of columns.entries()) {
      const cell = cellOf(row);
      if (cell === null) insert.bindNull(i + 1);
      else insert.bindValue(i + 1, cell, types[i]!);
    }
    await insert.run();
  }
}
