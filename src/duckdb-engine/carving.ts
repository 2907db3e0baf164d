// Carving in SQL: takes the intervals of incoming rows out of what is believed, and writes what they say.
// Each statement works on the rows of one round, which are of different identities.
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { NODES, type VersionTable } from "./tables.js";

export type EndedBy = "overwritten" | "retracted" | "corrected";

/** What becomes of the interval that was cut out. */
export type Filling = "nothing" | "incoming" | "patched";

const TIMES = ["valid_from_us", "valid_to_us"];
const ORIGIN = ["source", "provenance_ref", "reason"];

function statementsOf(table: VersionTable) {
  const { name, identity, content } = table;
  const target = [...identity, ...content, ...TIMES, "tx_from", ...ORIGIN].join(", ");
  const from = (alias: string, columns: readonly string[]) => columns.map((column) => `${alias}.${column}`).join(", ");
  const kept = from("h", [...identity, ...content]);
  const same = identity.map((column) => `h.${column} = i.${column}`).join(" AND ");
  const patchedLabels = `list_filter(list_sort(list_distinct(list_concat(h.labels, i.labels))),
    lambda label: NOT list_contains(i.removed_labels, label))`;
  // A null removes; a stored property is never null.
  const patchedProps = `map_from_entries(list_filter(map_entries(map_concat(h.props, i.props)),
    lambda entry: entry.value <> 'null'))`;
  const first = table === NODES ? patchedLabels : "h.seq";
  return {
    forget: `TRUNCATE hit_${name}`,
    find: `INSERT INTO hit_${name} SELECT h.rowid, h.*, i.valid_from_us, i.valid_to_us
      FROM ${name} h JOIN incoming_${name} i ON ${same}
      WHERE i.round = $1 AND h.tx_to IS NULL AND h.valid_from_us < i.valid_to_us AND i.valid_from_us < h.valid_to_us`,
    left: `INSERT INTO ${name} (${target}) SELECT ${kept}, h.valid_from_us, h.cut_from_us, $1, ${from("h", ORIGIN)}
      FROM hit_${name} h WHERE h.valid_from_us < h.cut_from_us`,
    right: `INSERT INTO ${name} (${target}) SELECT ${kept}, h.cut_to_us, h.valid_to_us, $1, ${from("h", ORIGIN)}
      FROM hit_${name} h WHERE h.cut_to_us < h.valid_to_us`,
    close: `UPDATE ${name} SET tx_to = $1, ended_by = $2, ended_reason = $3
      WHERE rowid IN (SELECT row_id FROM hit_${name} WHERE tx_from < $1)`,
    vanish: `DELETE FROM ${name} WHERE rowid IN (SELECT row_id FROM hit_${name} WHERE tx_from = $1)`,
    incoming: `INSERT INTO ${name} (${target}) SELECT ${from("i", [...identity, ...content, ...TIMES])}, $1,
      ${from("i", ORIGIN)} FROM incoming_${name} i WHERE i.round = $2`,
    patched: `INSERT INTO ${name} (${target}) SELECT ${from("h", identity)}, ${first}, ${patchedProps},
      greatest(h.valid_from_us, i.valid_from_us), least(h.valid_to_us, i.valid_to_us), $1, ${from("i", ORIGIN)}
      FROM hit_${name} h JOIN incoming_${name} i ON ${same}`,
    missing: `INSERT INTO ${name} (${target}) SELECT ${from("i", [...identity, ...content, ...TIMES])}, $1,
      ${from("i", ORIGIN)} FROM incoming_${name} i
      WHERE NOT EXISTS (SELECT 1 FROM ${name} h WHERE ${same} AND h.tx_to IS NULL)`,
  };
}

type StatementName = keyof ReturnType<typeof statementsOf>;
type Statements = Readonly<Record<StatementName, DuckDBPreparedStatement>>;

export interface Cut {
  readonly tx: number;
  readonly by: EndedBy;
  readonly reason: string | null;
  readonly filling: Filling;
}

export class Carver {
  private constructor(private readonly statements: Statements) {}

  static async prepare(connection: DuckDBConnection, table: VersionTable): Promise<Carver> {
    const prepared: [string, DuckDBPreparedStatement][] = [];
    for (const [name, sql] of Object.entries(statementsOf(table))) prepared.push([name, await connection.prepare(sql)]);
    return new Carver(Object.fromEntries(prepared) as Statements);
  }

  /** Carves the incoming rows of a round, and fills what was cut out. */
  async cut(round: number, { tx, by, reason, filling }: Cut): Promise<void> {
    await this.run("forget");
    const found = await this.run("find", round);
    if (found > 0) {
      // Fragments first: they are read off the versions that they are fragments of.
      await this.run("left", tx);
      await this.run("right", tx);
      await this.run("close", tx, by, reason);
      await this.run("vanish", tx);
    }
    if (filling === "incoming") await this.run("incoming", tx, round);
    if (filling === "patched" && found > 0) await this.run("patched", tx);
  }

  /** Writes the incoming rows of which nothing is believed. */
  async addMissing(tx: number): Promise<void> {
    await this.run("missing", tx);
  }

  /** Gives the number of rows that changed. */
  private async run(name: StatementName, ...values: (number | string | null)[]): Promise<number> {
    const statement = this.statements[name];
    for (const [i, value] of values.entries()) {
      if (value === null) statement.bindNull(i + 1);
      else if (typeof value === "number") statement.bindBigInt(i + 1, BigInt(value));
      else statement.bindVarchar(i + 1, value);
    }
    return (await statement.run()).rowsChanged;
  }
}
