// The world-leaders list as batches: one commit for each date on which the list was seen, with that date as its time.
// Pure: records in, operations out. Knows nothing of files or of a store.
import type { OperationInput } from "../index.js";

export interface LeaderRow {
  readonly countryid: string;
  readonly country: string;
  readonly position: string;
  readonly positionLabel: string;
  readonly officeholder: string;
  readonly officeholderLabel: string;
  readonly start_year: string;
  /** "" when open. */
  readonly end_year: string;
}

/** One difference between two dates. */
export interface LeaderRecord {
  readonly tx: number;
  readonly tt: string;
  readonly op: "add" | "update" | "remove";
  readonly before?: LeaderRow;
  readonly after?: LeaderRow;
}

export interface EdgeRef {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly key: string;
}

/** An operation as `write` takes it. */
export type LeaderOperation = OperationInput;

export interface LeaderCommit {
  readonly txTime: string;
  readonly operations: LeaderOperation[];
}

const SOURCE = "wikidata";
/** Names and offices belong to no date in this list: they hold at all times. */
const ALWAYS = "-9999-01-01T00:00:00Z";

const padded = (year: string): string => year.padStart(4, "0");
const startOf = (row: LeaderRow): string => `${padded(row.start_year)}-01-01T00:00:00Z`;
/** An end in a year is the end of that year: the list knows no more. */
const endOf = (row: LeaderRow): string | null =>
  row.end_year === "" ? null : `${padded(String(Number(row.end_year) + 1))}-01-01T00:00:00Z`;

export function readLeaderRecords(text: string): LeaderRecord[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LeaderRecord);
}

/** Turns records, in order, into the operations that write them. */
class LeaderWriter {
  private readonly nameOf = new Map<string, string>();
  private readonly officesOfCountries = new Set<string>();
  /** The edge of each row that the list has now; two rows may differ in their end alone. */
  private readonly edgeOfRow = new Map<string, EdgeRef>();
  private readonly takenKeys = new Set<string>();

  operationsOf(record: LeaderRecord): LeaderOperation[] {
    const { before, after } = record;
    if (after === undefined) return [this.remove(before!)];
    const names = this.names(after);
    return before === undefined ? [...names, ...this.add(after)] : [...names, ...this.update(before, after)];
  }

  private names(row: LeaderRow): LeaderOperation[] {
    return [
      ...this.name(row.officeholder, "Person", row.officeholderLabel),
      ...this.name(row.position, "Position", row.positionLabel),
      ...this.name(row.countryid, "Country", row.country),
    ];
  }

  private name(uid: string, label: string, name: string): LeaderOperation[] {
    const known = this.nameOf.get(uid);
    if (known === name) return [];
    this.nameOf.set(uid, name);
    const props = { name };
    if (known === undefined) {
      return [{ op: "assert_node", uid, labels: [label], props, valid_from: ALWAYS, source: SOURCE }];
    }
    const reason = `its label in Wikidata is now ${name}`;
    return [{ op: "correct", mode: "patch", ref: { uid }, props, valid_from: ALWAYS, source: SOURCE, reason }];
  }

  private add(row: LeaderRow): LeaderOperation[] {
    const operations: LeaderOperation[] = [];
    const { position, countryid } = row;
    if (!this.officesOfCountries.has(`${position} ${countryid}`)) {
      this.officesOfCountries.add(`${position} ${countryid}`);
      const office = { src: position, type: "OFFICE_OF", dst: countryid };
      operations.push({ op: "assert_edge", ...office, valid_from: ALWAYS, source: SOURCE });
    }
    const ref = this.takeRef(row);
    this.edgeOfRow.set(JSON.stringify(row), ref);
    operations.push({ op: "assert_edge", ...ref, valid_from: startOf(row), valid_to: endOf(row), source: SOURCE });
    return operations;
  }

  private takeRef(row: LeaderRow): EdgeRef {
    const ref = termRef(row);
    for (let n = 1; ; n += 1) {
      const key = n === 1 ? ref.key : `${ref.key} ${n}`;
      const name = JSON.stringify({ ...ref, key });
      if (this.takenKeys.has(name)) continue;
      this.takenKeys.add(name);
      return { ...ref, key };
    }
  }

  private update(before: LeaderRow, after: LeaderRow): LeaderOperation[] {
    const ref = this.edgeOfRow.get(JSON.stringify(before))!;
    this.edgeOfRow.delete(JSON.stringify(before));
    this.edgeOfRow.set(JSON.stringify(after), ref);
    if (before.end_year === after.end_year) return [];
    const end = endOf(after);
    if (end !== null && (before.end_year === "" || Number(after.end_year) < Number(before.end_year))) {
      const reason = `Wikidata gives ${after.end_year} as the end`;
      return [{ op: "retract", ref, valid_from: end, source: SOURCE, reason }];
    }
    const reason = `Wikidata no longer gives ${before.end_year} as the end`;
    return [{ op: "correct", ref, valid_from: startOf(after), valid_to: end, source: SOURCE, reason }];
  }

  private remove(row: LeaderRow): LeaderOperation {
    const ref = this.edgeOfRow.get(JSON.stringify(row))!;
    this.edgeOfRow.delete(JSON.stringify(row));
    this.takenKeys.delete(JSON.stringify(ref));
    return { op: "retract", ref, valid_from: startOf(row), source: SOURCE, reason: "no longer in the list" };
  }
}

/** The edge that says who holds an office: `key` tells the terms of one person in one office apart. */
export function termRef(row: Pick<LeaderRow, "officeholder" | "position" | "countryid" | "start_year">): EdgeRef {
  return { src: row.officeholder, type: "HOLDS", dst: row.position, key: `${row.countryid} ${row.start_year}` };
}

/** One commit a date, in order. */
export function leaderCommits(records: readonly LeaderRecord[]): LeaderCommit[] {
  const writer = new LeaderWriter();
  const commits = new Map<number, LeaderCommit>();
  for (const record of records) {
    const commit = commits.get(record.tx) ?? { txTime: record.tt, operations: [] };
    commits.set(record.tx, commit);
    commit.operations.push(...writer.operationsOf(record));
  }
  return [...commits.values()];
}

/** The term that the demo asks about: Magdalena Andersson, prime minister of Sweden from 2021. */
export const ANDERSSON_TERM = termRef({
  officeholder: "Q4935873",
  position: "Q687075",
  countryid: "Q34",
  start_year: "2021",
});
