// Bytes on disk per edge of a bulk load, everything of the store counted: in order of time, and with the rows shuffled.

import { join } from "node:path";
import { events } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { shuffledOrder } from "../data/shuffle.js";
import { atMost, type Figure } from "../runner/figures.js";
import type { Workload } from "../runner/workload.js";
import { bytesUnder, open } from "../stores/database.js";
import { intervalColumns, type TextCodes } from "../stores/interval-store.js";
import { powerLawColumns } from "../stores/power-law-store.js";

const SEED = 47;
const IN_ORDER_GATE = 25;
const SHUFFLED_GATE = 30;

interface Columns {
  readonly src: TextCodes;
  readonly dst: TextCodes;
  readonly time: BigInt64Array;
  readonly type?: TextCodes;
  readonly valid_to?: BigInt64Array;
}

function reordered(columns: Columns, order: Uint32Array): Columns {
  const codes = ({ values, codes: from }: TextCodes): TextCodes => ({
    values,
    codes: order.map((row) => from[row] as number),
  });
  const instants = (from: BigInt64Array) => BigInt64Array.from(order, (row) => from[row] as bigint);
  return {
    src: codes(columns.src),
    dst: codes(columns.dst),
    time: instants(columns.time),
    ...(columns.type && { type: codes(columns.type) }),
    ...(columns.valid_to && { valid_to: instants(columns.valid_to) }),
  };
}

export const workload: Workload = {
  summary: "bytes of log per edge, in order of time and shuffled",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const { nodes, seed } = powerLawShape(scale);
    const order = shuffledOrder(scale, SEED);
    const families: { readonly [family: string]: Columns } = {
      "interval edges": intervalColumns(scale, events(scale)),
      "power-law events": powerLawColumns(powerLaw(scale, nodes, seed)),
    };
    const figures: Figure[] = [];
    for (const [family, inOrder] of Object.entries(families)) {
      for (const arrangement of ["in order", "shuffled"] as const) {
        const columns = arrangement === "in order" ? inOrder : reordered(inOrder, order);
        const path = join(folder, `${family}-${arrangement}`.replaceAll(" ", "-"));
        const db = await open(path);
        await db.ingest(columns, { type: "R", nodeLabels: ["Node"] });
        await db.close();
        progress(`${family}, ${arrangement}`);
        figures.push({
          name: `log per edge, ${family}, ${arrangement}`,
          unit: "bytes",
          value: bytesUnder(path) / scale,
          gate: atMost(arrangement === "in order" ? IN_ORDER_GATE : SHUFFLED_GATE),
        });
      }
    }
    return figures;
  },
};
