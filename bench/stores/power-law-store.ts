// Family 2 as columns of the public surface: a node is called by its number, an event falls on its whole second.

import { type PowerLaw, powerLawShape } from "../data/power-law.js";
import type { Database } from "./database.js";
import { type TextCodes, writeInCommits } from "./interval-store.js";

const MICROSECONDS_PER_SECOND = 1_000_000;
const TWO_32 = 0x1_0000_0000;

export interface PowerLawColumns {
  readonly src: TextCodes;
  readonly dst: TextCodes;
  readonly time: BigInt64Array;
}

export function powerLawColumns({ count, src, dst, second }: PowerLaw): PowerLawColumns {
  const names = Array.from({ length: powerLawShape(count).nodes }, (_, node) => String(node));
  const time = new BigInt64Array(count);
  // Written as two halves: exact below 2^53, and without ten million BigInts.
  const halves = new Uint32Array(time.buffer);
  for (let row = 0; row < count; row++) {
    const microseconds = (second[row] as number) * MICROSECONDS_PER_SECOND;
    halves[2 * row] = microseconds % TWO_32;
    halves[2 * row + 1] = Math.floor(microseconds / TWO_32);
  }
  return { src: { values: names, codes: src }, dst: { values: names, codes: dst }, time };
}

const TYPE = "E";

export async function loadPowerLaw(db: Database, list: PowerLaw): Promise<void> {
  await db.ingest(powerLawColumns(list), { type: TYPE, nodeLabels: ["Node"] });
}

/** The variant: every fifth event gets other properties, at the instant at which it is. */
export async function correctPowerLawVariant(db: Database, { count, src, dst, second }: PowerLaw): Promise<void> {
  function* corrections() {
    for (let event = 3; event < count; event += 5) {
      const at = BigInt(second[event] as number) * BigInt(MICROSECONDS_PER_SECOND);
      const ref = { src: String(src[event]), type: TYPE, dst: String(dst[event]), key: `#${event + 1}` };
      yield { op: "correct" as const, ref, valid_from: at, valid_to: at + 1n, props: { weight: 4 } };
    }
  }
  await writeInCommits(corrections(), (batch) => db.write(batch));
}
