// The four data sets of the oracle plans, as their files have them, and as stores. What a plan must answer is computed
// from the events here, never from the store.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LeaderRow, leaderCommits, readLeaderRecords } from "../../../src/demo-data/world-leaders.js";
import { type AskedStore, askedStore } from "../asked.js";

export type StoreName = "collegemsg" | "bitcoin-otc" | "primaryschool" | "world-leaders";

export interface FileEvent {
  readonly src: string;
  readonly dst: string;
  readonly us: bigint;
  readonly rating: number;
  /** Classes of both ends. */
  readonly classes: readonly [string, string];
}

const ROOT = resolve(import.meta.dirname, "../../..");
const FILES: Readonly<Record<StoreName, string>> = {
  collegemsg: join(ROOT, "../shared/data/collegemsg/CollegeMsg.txt"),
  "bitcoin-otc": join(ROOT, "../shared/data/bitcoin-otc/soc-sign-bitcoinotc.csv"),
  primaryschool: join(ROOT, "../shared/data/contacts-primaryschool/primaryschool.csv"),
  "world-leaders": join(ROOT, "examples/data/world-leaders.events.jsonl"),
};
const TYPES = { collegemsg: "MESSAGED", "bitcoin-otc": "RATED", primaryschool: "MET" } as const;

export const isThere = (name: StoreName): boolean => existsSync(FILES[name]);

function micros(text: string): bigint {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole!) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

const READ: Readonly<Record<keyof typeof TYPES, (line: string) => FileEvent>> = {
  collegemsg(line) {
    const [src, dst, time] = line.split(" ");
    return { src: src!, dst: dst!, us: micros(time!), rating: 0, classes: ["", ""] };
  },
  "bitcoin-otc"(line) {
    const [src, dst, rating, time] = line.split(",");
    return { src: src!, dst: dst!, us: micros(time!), rating: Number(rating), classes: ["", ""] };
  },
  primaryschool(line) {
    const [time, src, dst, c1, c2] = line.trimEnd().split("\t");
    return { src: src!, dst: dst!, us: micros(time!), rating: 0, classes: [c1!, c2!] };
  },
};

const linesOf = (name: StoreName): string[] => {
  const lines = readFileSync(FILES[name], "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return name === "primaryschool" ? lines.slice(1) : lines;
};

const read = new Map<StoreName, readonly FileEvent[]>();

/** The events of a file in its order, which is that of time. */
export function eventsOf(name: keyof typeof TYPES): readonly FileEvent[] {
  let events = read.get(name);
  if (events === undefined) {
    events = linesOf(name).map(READ[name]);
    read.set(name, events);
  }
  return events;
}

/** The rows of the list of leaders as it stood at a commit: put in until then, less taken out. */
export function leadersAt(tx: number): readonly LeaderRow[] {
  const rows: LeaderRow[] = [];
  for (const record of readLeaderRecords(readFileSync(FILES["world-leaders"], "utf8"))) {
    if (record.tx > tx) break;
    if (record.before !== undefined) {
      const text = JSON.stringify(record.before);
      rows.splice(
        rows.findIndex((row) => JSON.stringify(row) === text),
        1,
      );
    }
    if (record.after !== undefined) rows.push(record.after);
  }
  return rows;
}

export async function openStore(name: StoreName): Promise<AskedStore> {
  const asked = await askedStore();
  if (name === "world-leaders") {
    const commits = leaderCommits(readLeaderRecords(readFileSync(FILES[name], "utf8")));
    for (const { txTime, operations } of commits) await asked.store.write(operations, { txTime });
    return asked;
  }
  const events = eventsOf(name);
  const text = (prop: string, values: readonly string[]) => ({ name: prop, kind: "string" as const, values });
  const props = {
    collegemsg: [],
    "bitcoin-otc": [
      { name: "rating", kind: "int64" as const, values: BigInt64Array.from(events, ({ rating }) => BigInt(rating)) },
    ],
    primaryschool: [0, 1].map((end) =>
      text(
        `c${end + 1}`,
        events.map(({ classes }) => classes[end]!),
      ),
    ),
  };
  await asked.store.ingest(
    {
      src: events.map(({ src }) => src),
      dst: events.map(({ dst }) => dst),
      time: BigInt64Array.from(events, ({ us }) => us),
      props: props[name],
    },
    { type: TYPES[name] },
  );
  return asked;
}
