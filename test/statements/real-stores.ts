// Real data twice: as a store, through the ways that users have, and as tables of DuckDB read from the same files.
// What SQL says of the tables is what TQL must say of the store.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { leaderCommits, readLeaderRecords } from "../../src/demo-data/world-leaders.js";
import { type Database, type EventInput, open } from "../../src/index.js";

const ROOT = resolve(import.meta.dirname, "../..");
const DATA = join(ROOT, "../shared/data");
const LEADERS = join(ROOT, "examples/data/world-leaders.events.jsonl");
const file = (path: string): string => join(DATA, path);

interface Source {
  /** A file that must be there. */
  readonly needs: string;
  load(db: Database): Promise<void>;
  /** Statements that make the tables. */
  readonly tables: string;
}

/** Seconds since 1970 as text, to the microsecond. */
function micros(text: string): bigint {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole!) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

interface Event {
  readonly src: string;
  readonly dst: string;
  readonly us: bigint;
  readonly type?: string;
}

function columnsOf(events: readonly Event[], props: EventInput["props"] = []): EventInput {
  const types = events[0]!.type === undefined ? {} : { type: events.map(({ type }) => type!) };
  return {
    src: events.map(({ src }) => src),
    dst: events.map(({ dst }) => dst),
    time: BigInt64Array.from(events, ({ us }) => us),
    props,
    ...types,
  };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** Names by number; blanks where the file has underscores. */
function icewsNames(name: string): Map<string, string> {
  const lines = linesOf(readFileSync(file(`icews14/${name}`), "utf8"));
  return new Map(lines.map((line) => line.split("\t")).map(([text, id]) => [id!, text!.replaceAll("_", " ")]));
}

export const SOURCES: Readonly<Record<string, Source>> = {
  "bitcoin-otc": {
    needs: file("bitcoin-otc/soc-sign-bitcoinotc.csv"),
    async load(db) {
      const cells = linesOf(readFileSync(this.needs, "utf8")).map((line) => line.split(","));
      const events = cells.map(([src, dst, , time]) => ({ src: src!, dst: dst!, us: micros(time!) }));
      const values = BigInt64Array.from(cells, (row) => BigInt(row[2]!));
      await db.ingest(columnsOf(events, [{ name: "rating", kind: "int64", values }]), { type: "RATED" });
    },
    tables: `CREATE TABLE ratings AS SELECT src, dst, rating, CAST(time * 1000000 AS BIGINT) AS us, make_timestamp(CAST(time * 1000000 AS BIGINT)) AS ts
      FROM read_csv('${file("bitcoin-otc/soc-sign-bitcoinotc.csv")}', header = false, columns = {'src': 'VARCHAR', 'dst': 'VARCHAR', 'rating': 'BIGINT', 'time': 'DECIMAL(38,6)'})`,
  },
  primaryschool: {
    needs: file("contacts-primaryschool/primaryschool.csv"),
    async load(db) {
      const cells = linesOf(readFileSync(this.needs, "utf8"))
        .slice(1)
        .map((line) => line.trimEnd().split("\t"));
      const events = cells.map(([time, src, dst]) => ({ src: src!, dst: dst!, us: micros(time!) }));
      const text = (name: string, i: number) => ({
        name,
        kind: "string" as const,
        values: cells.map((row) => row[i]!),
      });
      await db.ingest(columnsOf(events, [text("c1", 3), text("c2", 4)]), { type: "MET" });
    },
    tables: `CREATE TABLE contacts AS SELECT id1 AS src, id2 AS dst, c1, c2, Time * 1000000 AS us, make_timestamp(Time * 1000000) AS ts
      FROM read_csv('${file("contacts-primaryschool/primaryschool.csv")}', delim = '\\t', header = true, columns = {'Time': 'BIGINT', 'id1': 'VARCHAR', 'id2': 'VARCHAR', 'c1': 'VARCHAR', 'c2': 'VARCHAR'})`,
  },
  icews14: {
    needs: file("icews14/train.txt"),
    async load(db) {
      const entities = icewsNames("entity2id.txt");
      const relations = icewsNames("relation2id.txt");
      const events = ["train.txt", "valid.txt", "test.txt"].flatMap((name) =>
        linesOf(readFileSync(file(`icews14/${name}`), "utf8")).map((line): Event => {
          const [src, type, dst, hours] = line.split("\t");
          const us = BigInt(hours!) * 3_600_000_000n + 1_388_534_400_000_000n;
          return { src: entities.get(src!)!, dst: entities.get(dst!)!, type: relations.get(type!)!, us };
        }),
      );
      await db.ingest(columnsOf(events));
    },
    tables: `CREATE TABLE politics AS
      WITH entity AS (SELECT replace(name, '_', ' ') AS name, id FROM read_csv('${file("icews14/entity2id.txt")}', delim = '\\t', header = false, quote = '', columns = {'name': 'VARCHAR', 'id': 'BIGINT'})),
      relation AS (SELECT replace(name, '_', ' ') AS name, id FROM read_csv('${file("icews14/relation2id.txt")}', delim = '\\t', header = false, quote = '', columns = {'name': 'VARCHAR', 'id': 'BIGINT'}))
      SELECT s.name AS src, r.name AS type, d.name AS dst, TIMESTAMP '2014-01-01' + to_hours(q.hours) AS ts, epoch_us(TIMESTAMP '2014-01-01') + q.hours * 3600000000 AS us
      FROM read_csv(['${file("icews14/train.txt")}', '${file("icews14/valid.txt")}', '${file("icews14/test.txt")}'], delim = '\\t', header = false,
        columns = {'s': 'BIGINT', 'r': 'BIGINT', 'd': 'BIGINT', 'hours': 'BIGINT', 'x': 'BIGINT'}) q
      JOIN entity s ON s.id = q.s JOIN relation r ON r.id = q.r JOIN entity d ON d.id = q.d`,
  },
  mathoverflow: {
    needs: file("mathoverflow/sx-mathoverflow.txt.gz"),
    async load(db) {
      const cells = linesOf(gunzipSync(readFileSync(this.needs)).toString("utf8")).map((line) => line.split(" "));
      const events = cells.map(([src, dst, time]) => ({ src: src!, dst: dst!, us: micros(time!) }));
      await db.ingest(columnsOf(events), { type: "REPLIED" });
    },
    tables: `CREATE TABLE posts AS SELECT src, dst, time * 1000000 AS us, make_timestamp(time * 1000000) AS ts
      FROM read_csv('${file("mathoverflow/sx-mathoverflow.txt.gz")}', delim = ' ', header = false, columns = {'src': 'VARCHAR', 'dst': 'VARCHAR', 'time': 'BIGINT'})`,
  },
  "world-leaders": {
    needs: LEADERS,
    async load(db) {
      const commits = leaderCommits(readLeaderRecords(readFileSync(LEADERS, "utf8")));
      for (const { txTime, operations } of commits) await db.write(operations, { txTime });
    },
    // The list on a date: everything that was put in until then, less everything that was taken out.
    tables: `CREATE TABLE records AS SELECT tx, CAST(tt AS TIMESTAMP) AS tt, op, before, after FROM read_json('${LEADERS}', format = 'newline_delimited',
        columns = {'tx': 'BIGINT', 'tt': 'VARCHAR', 'op': 'VARCHAR',
          'before': 'STRUCT(countryid VARCHAR, country VARCHAR, "position" VARCHAR, positionLabel VARCHAR, officeholder VARCHAR, officeholderLabel VARCHAR, start_year VARCHAR, end_year VARCHAR)',
          'after': 'STRUCT(countryid VARCHAR, country VARCHAR, "position" VARCHAR, positionLabel VARCHAR, officeholder VARCHAR, officeholderLabel VARCHAR, start_year VARCHAR, end_year VARCHAR)'});
      CREATE MACRO believed(seen) AS TABLE
        SELECT r.countryid, r.country, r.position, r.positionLabel, r.officeholder, r.officeholderLabel, CAST(r.start_year AS BIGINT) AS start_year, CAST(nullif(r.end_year, '') AS BIGINT) AS end_year
        FROM (SELECT after AS r FROM records WHERE after IS NOT NULL AND tt <= seen EXCEPT ALL SELECT before FROM records WHERE before IS NOT NULL AND tt <= seen)`,
  },
};

export const isThere = (name: string): boolean => existsSync(SOURCES[name]!.needs);

export interface RealStore {
  readonly db: Database;
  readonly sql: DuckDBConnection;
  close(): Promise<void>;
}

export async function realStore(name: string): Promise<RealStore> {
  const { load, tables } = SOURCES[name]!;
  const db = await open(":memory:");
  await load.call(SOURCES[name]!, db);
  const instance = await DuckDBInstance.create(":memory:");
  const sql = await instance.connect();
  await sql.run(tables);
  return {
    db,
    sql,
    async close() {
      sql.closeSync();
      instance.closeSync();
      await db.close();
    },
  };
}
