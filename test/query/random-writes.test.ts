// Random writes after a MATCH against a plain model: what each entity is on each day, painted over by every write.
// The model knows no versions and no carving, so that it can only agree where both are right.
import { expect, test } from "vitest";
import { type Database, open } from "../../src/index.js";
import { SEEDS } from "../support/case-count.js";
import { Random } from "../support/random.js";

const DAYS = 12;
const WRITES = 14;
const UIDS = ["a", "b", "c"];

/** Properties on one day; null where there is no such node. */
type Day = { readonly v?: number; readonly w?: number } | null;
/** Every day, and last the time after them, without end. */
type Model = Map<string, Day[]>;

const dateOf = (day: number): string => `2025-01-${String(day + 1).padStart(2, "0")}`;
/** From a day on, to another or without an end. */
const timeOf = (from: number, to: number): string =>
  `FROM DATE '${dateOf(from)}'${to > DAYS ? "" : ` TO DATE '${dateOf(to)}'`}`;

interface Change {
  readonly text: (uid: string, time: string) => string;
  readonly paint: (day: Day) => Day;
}

function without(day: NonNullable<Day>, name: "v" | "w"): Day {
  const { [name]: _, ...others } = day;
  return others;
}

function randomChange(random: Random): Change {
  const k = random.below(9);
  const write = (words: string) => (uid: string, time: string) =>
    `MATCH (n:N {uid: '${uid}'}) ${words} FOR PORTION OF VALID_TIME ${time}`;
  const where = (change: (day: NonNullable<Day>) => Day) => (day: Day) => (day === null ? null : change(day));
  return random.pick<Change>([
    { text: (uid, time) => `INSERT (:N {uid: '${uid}', v: ${k}}) FOR VALID_TIME ${time}`, paint: () => ({ v: k }) },
    { text: write(`SET n.w = ${k}`), paint: where((day) => ({ ...day, w: k })) },
    {
      text: write(`SET n.v = n.v + ${k}`),
      paint: where((day) => (day.v === undefined ? day : { ...day, v: day.v + k })),
    },
    {
      text: write("SET n.v = n.w, n.w = n.v"),
      paint: where(({ v, w }) => ({ ...(w === undefined ? {} : { v: w }), ...(v === undefined ? {} : { w: v }) })),
    },
    { text: write(`SET n = {w: ${k}}`), paint: where(() => ({ w: k })) },
    { text: write("REMOVE n.v"), paint: where((day) => without(day, "v")) },
    { text: write("DELETE n"), paint: () => null },
  ]);
}

interface Row {
  readonly uid: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly "props.v": number | null;
  readonly "props.w": number | null;
}

/** The store as the model shows it; two versions that hold on one day are a mistake by themselves. */
async function modelOf(db: Database): Promise<Model> {
  const model: Model = new Map(UIDS.map((uid) => [uid, Array.from({ length: DAYS + 1 }, () => null)]));
  const columns = ["uid", "valid_from", "valid_to", "props.v", "props.w"];
  const { rows } = await db.call("scan", { of: "nodes", columns, limit: 1000 });
  for (const row of rows as unknown as Row[]) {
    const days = model.get(row.uid);
    if (days === undefined) continue;
    for (let day = 0; day <= DAYS; day += 1) {
      const begin = `${dateOf(day)}T00:00:00Z`;
      if (begin < row.valid_from || (row.valid_to !== null && begin >= row.valid_to)) continue;
      expect(days[day], `${row.uid} on ${begin}`).toBeNull();
      const { "props.v": v, "props.w": w } = row;
      days[day] = { ...(v === null ? {} : { v }), ...(w === null ? {} : { w }) };
    }
  }
  return model;
}

test("random writes leave on each day what painting the days leaves", { timeout: 60_000 }, async () => {
  let written = 0;
  for (const seed of SEEDS.slice(0, 12)) {
    const random = new Random(seed + 9_000);
    const db = await open(":memory:");
    const model: Model = new Map(UIDS.map((uid) => [uid, Array.from({ length: DAYS + 1 }, () => null)]));
    // A property that nobody has cannot be read by its name.
    await db.query("INSERT (:N {uid: 'keeper', v: 1, w: 1}) FOR VALID_TIME ALL");
    for (const uid of UIDS.slice(1)) {
      await db.query(`INSERT (:N {uid: '${uid}', v: 0}) FOR VALID_TIME ${timeOf(0, DAYS + 1)}`);
      model.set(
        uid,
        model.get(uid)!.map(() => ({ v: 0 })),
      );
    }
    for (let i = 0; i < WRITES; i += 1) {
      const uid = random.pick(UIDS);
      const from = random.below(DAYS);
      const to = from + 1 + random.below(DAYS + 1 - from);
      const { text, paint } = randomChange(random);
      const statement = text(uid, timeOf(from, to));
      const answer = await db.query(statement);
      if (answer.rows[0]!.tx !== null) written += 1;
      const days = model.get(uid)!;
      for (let day = from; day < to; day += 1) days[day] = paint(days[day]!);
      expect(await modelOf(db), `seed ${seed}, write ${i}: ${statement}`).toEqual(model);
    }
    await db.close();
  }
  if (SEEDS.length >= 12) expect(written).toBeGreaterThan(100);
});
