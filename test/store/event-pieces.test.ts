// Bulk events in pieces: one commit of many pieces holds the rows that one piece of all rows would hold.
import { describe, expect, it } from "vitest";
import { type Database, type EventInput, open, type PropertyInput } from "../../src/index.js";
import { Random } from "../support/random.js";

interface Row {
  readonly src: string;
  readonly dst: string;
  readonly us: bigint;
  readonly toUs: bigint | null;
  readonly key: string | null;
  readonly p: bigint | number | string | boolean | undefined;
}

const OPEN_END = 1n << 62n;
const VALUES = [7n, -1n, 2.5, 1e300, "", "日本", true, false, undefined];

function randomRow(random: Random, rank: number): Row {
  const us = BigInt(random.below(20));
  return {
    src: `u${random.below(5)}`,
    dst: `v${random.below(5)}é`,
    us,
    toUs: random.pick([null, us + 1n, us + 5n]),
    key: random.pick([null, `k${rank}`]),
    p: random.pick(VALUES),
  };
}

/** The rows as columns; what no row has is left out when `sparse`, so that pieces differ in their columns. */
function columnsOf(rows: readonly Row[], options: { sparse: boolean; codes: boolean }): EventInput {
  const kinds = [
    ["int64", "bigint"],
    ["double", "number"],
    ["string", "string"],
    ["bool", "boolean"],
  ] as const;
  const props = kinds.flatMap(([kind, type]): PropertyInput[] => {
    const present = Uint8Array.from(rows, (row) => (typeof row.p === type ? 1 : 0));
    if (options.sparse && !present.includes(1)) return [];
    const of = <T>(empty: T) => rows.map((row) => (typeof row.p === type ? (row.p as T) : empty));
    if (kind === "int64") return [{ name: "p", kind, present, values: BigInt64Array.from(of(0n)) }];
    if (kind === "double") return [{ name: "p", kind, present, values: Float64Array.from(of(0)) }];
    if (kind === "string") return [{ name: "p", kind, present, values: of("") }];
    return [{ name: "p", kind, present, values: Uint8Array.from(of(false), Number) }];
  });
  const isInstant = rows.every((row) => row.toUs === row.us + 1n);
  const hasKeys = rows.some((row) => row.key !== null);
  const uids = [...new Set(rows.map((row) => row.src))];
  const present = Uint8Array.from(rows, (row) => (row.key === null ? 0 : 1));
  const keys = rows.map((row) => row.key ?? "");
  return {
    src: options.codes
      ? { values: uids, codes: Uint32Array.from(rows, (row) => uids.indexOf(row.src)) }
      : rows.map((row) => row.src),
    dst: rows.map((row) => row.dst),
    time: BigInt64Array.from(rows, (row) => row.us),
    ...(options.sparse && isInstant ? {} : { valid_to: BigInt64Array.from(rows, (row) => row.toUs ?? OPEN_END) }),
    ...(options.sparse && !hasKeys ? {} : { key: { values: keys, codes: Uint32Array.from(rows.keys()), present } }),
    props,
  };
}

async function edges(db: Database): Promise<unknown> {
  const columns = ["src", "dst", "key", "seq", "valid_from", "valid_to", "tx", "props.p"];
  const { rows, rows_total } = await db.call("scan", { of: "edges", columns, limit: 10_000 });
  return { rows, rows_total };
}

describe("bulk events in pieces", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("hold what one piece holds (seed %i)", async (seed) => {
    const random = new Random(seed);
    const rows = Array.from({ length: 1 + random.below(60) }, (_, rank) => randomRow(random, rank));
    const whole = await open(":memory:");
    const pieced = await open(":memory:");
    try {
      await whole.ingest(columnsOf(rows, { sparse: false, codes: false }), { type: "T", nodeLabels: ["N"] });
      const pieces: EventInput[] = [];
      for (let from = 0; from < rows.length; ) {
        const to = Math.min(rows.length, from + 1 + random.below(9));
        pieces.push(columnsOf(rows.slice(from, to), { sparse: true, codes: random.chance(1, 2) }));
        from = to;
      }
      const options = { type: "T", nodeLabels: ["N"], rowsPerCommit: Number.POSITIVE_INFINITY };
      expect(await pieced.ingest(pieces, options)).toMatchObject({ tx: 1, rows: rows.length });
      expect(await edges(pieced)).toEqual(await edges(whole));
      const nodes = { of: "nodes", columns: ["uid", "labels", "valid_from"], limit: 100 } as const;
      expect((await pieced.call("scan", nodes)).rows).toEqual((await whole.call("scan", nodes)).rows);
    } finally {
      await whole.close();
      await pieced.close();
    }
  });
});
