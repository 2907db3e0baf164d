// A store of 220 days with a note of each, and what a question that names all of them is given of these.
import { join } from "node:path";
import { notesOf } from "../../src/agent/index.js";
import { Memory } from "../../src/agent/memory/memory.js";
import type { Mention } from "../../src/agent/types.js";
import { Database } from "../../src/database.js";
import { open } from "./database.js";

export const NOTED_DAYS = 220;
const EVENTS_A_DAY = 100;
const NODES = 60;
const DAY_US = 86_400_000_000n;
const START_US = 1_577_836_800_000_000n;
const NEVER = new AbortController().signal;

const textOf = (us: bigint): string => new Date(Number(us / 1_000n)).toISOString().replace(".000", "");
const ALL_DAYS: Mention = {
  id: "q1",
  kind: "window",
  text: "",
  span: [0, 0],
  value: { from: textOf(START_US), to: textOf(START_US + BigInt(NOTED_DAYS) * DAY_US) },
};

export class NotedStore {
  private constructor(private readonly db: Database) {}

  static async build(folder: string): Promise<NotedStore> {
    const db = await open(join(folder, "noted"));
    const count = NOTED_DAYS * EVENTS_A_DAY;
    // By two steps that share no factor with the nodes, so that a day has most of them, and its pairs are not those of the next.
    const node = (i: number): string => `n${i % NODES}`;
    await db.ingest(
      {
        src: Array.from({ length: count }, (_, i) => node(7 * i)),
        dst: Array.from({ length: count }, (_, i) => node(11 * i + Math.floor(i / EVENTS_A_DAY))),
        time: BigInt64Array.from({ length: count }, (_, i) => START_US + (BigInt(i) * DAY_US) / BigInt(EVENTS_A_DAY)),
      },
      { type: "SENT" },
    );
    const { built } = await notesOf(db).build({ stride: "P1D" });
    if (built !== NOTED_DAYS) throw new Error(`${built} notes of ${NOTED_DAYS} days`);
    return new NotedStore(db);
  }

  /** How many notes a question of all days is given. */
  asked(): Promise<number> {
    return Database.reading(this.db, async (state) => {
      const { digests } = await Memory.of(this.db).forQuestion(state, state.engine.headTx(), [ALL_DAYS], NEVER);
      return digests.length;
    });
  }

  /** One event more of a node with itself, which has been before, so many days after the first. */
  async wrote(days: number, key: number): Promise<void> {
    const valid_from = textOf(START_US + BigInt(days) * DAY_US);
    const valid_to = valid_from.replace("Z", ".000001Z");
    await this.db.write([
      { op: "assert_edge", src: "n0", type: "SENT", dst: "n0", key: `w${key}`, valid_from, valid_to },
    ]);
  }

  close(): Promise<void> {
    return this.db.close();
  }
}
