// Answers of every registered operator with the threads and loops that PALIMPSEST_THREADS and PALIMPSEST_CPU choose: one
// line of JSON, [operator, what was asked, digest or code of the error] each. See test/property/threads.test.ts.
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { addon } from "../../src/native/addon.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { Store } from "../../src/store/store.js";
import { LawStore, lawBatches } from "./law-store.js";
import { Random } from "./random.js";
import { callsOfEach } from "./random-calls.js";

const BEGIN_US = 1_577_836_800_000_000;
const SPAN_US = 120_000_000;
const EVENTS = 60_000;
/** Kernels stop at the same step whatever the threads, so that a refusal is an answer too. */
const CEILINGS = { rows: 2_000_000_000, steps: 20_000_000 };

/** The nodes and instants that the declarations' examples name, with many more events around them. */
async function largeStore(): Promise<Store> {
  const random = new Random(22);
  const store = await Store.open(":memory:", {});
  const nodes = ["a", "b", "c", "d", ...Array.from({ length: 196 }, (_, i) => `n${i}`)];
  for (const [i, type] of ["M", "R", "S"].entries()) {
    const time = BigInt64Array.from({ length: EVENTS / 3 }, () => BigInt(BEGIN_US + random.below(SPAN_US)));
    await store.ingest(
      {
        src: Array.from(time, () => random.pick(nodes)),
        dst: Array.from(time, () => random.pick(nodes)),
        time,
        valid_to: time.map((at) => at + BigInt(1 + random.below(2_000_000))),
      },
      { type, nodeLabels: ["P"], txTime: `2021-01-01T00:00:0${i}Z` },
    );
  }
  // The edges that examples refer to by name.
  const operations = DECLARATIONS.flatMap(({ examples }) =>
    examples.flatMap((example) => example.store.batches),
  ).flatMap(({ ops }) =>
    ops.filter(({ op }) => op === "assert_node" || op === "assert_edge" || op === "ingest_events"),
  );
  await store.write(operations, { txTime: "2021-01-02" });
  return store;
}

const found: (readonly [string, string, string])[] = [];

async function ask(op: string, args: unknown, call: () => Promise<{ readonly result_digest: string }>): Promise<void> {
  try {
    found.push([op, canonicalJson(args as never), (await call()).result_digest]);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    found.push([op, canonicalJson(args as never), error.code]);
  }
}

const large = await largeStore();
const engine = new NativeEngine(large);
for (const { name, examples } of DECLARATIONS) {
  for (const { args, store } of examples) {
    const small = await Store.open(":memory:", {});
    for (const { ops, txTime } of store.batches) await small.write(ops, { txTime });
    await ask(name, args, () => callOperator(new NativeEngine(small), name, args));
    await small.close();
    // The examples' pins are of small stores.
    const { as_of_tt: _, ...asked } = args;
    await ask(name, asked, () => callOperator(engine, name, asked, { ceilings: CEILINGS }));
  }
}
await large.close();

for (let seed = 1; seed <= 3; seed += 1) {
  const random = new Random(seed);
  const store = await LawStore.of(lawBatches(random));
  for (const { op, args } of callsOfEach(random, store.head, [])) {
    await ask(op, args, () => store.call(op, args) as Promise<{ result_digest: string } & Record<string, unknown>>);
  }
  await store.close();
}
process.stdout.write(`${JSON.stringify({ level: addon.cpuLevel(), found })}\n`);
