// Every function of the addon with good arguments, of which one at a time, or several, are replaced by hostile ones.
// All that may happen is an answer or an Error; a crash or a hang is seen by the parent. Prints the seed of its choices.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addon } from "../../../src/native/addon.js";
import type { NativeCore, NativeEventColumns, NativeView } from "../../../src/native/store.js";
import { encodeQuestion } from "../../../src/operators/native/aggregate-question.js";
import { encodeColumns } from "../../../src/operators/native/columns.js";
import { encodeWhere } from "../../../src/operators/native/filter-buffer.js";

type Call = (...args: unknown[]) => unknown;
type Values = readonly unknown[];

const seed = Number(process.argv[2]);
let state = seed;
function below(limit: number): number {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % limit;
}

// --- a store with something in it ---

const text = (values: readonly string[], codes?: number[]) => {
  const parts = values.map((value) => Buffer.from(value));
  let end = 0;
  const ends = Uint32Array.from(parts, (part) => (end += part.length));
  return { bytes: new Uint8Array(Buffer.concat(parts)), ends, ...(codes && { codes: Uint32Array.from(codes) }) };
};
const columns = (): NativeEventColumns => ({
  rowCount: 4,
  src: text(["a", "b"], [0, 1, 0, 1]),
  dst: text(["b", "c", "d", "a"]),
  type: text(["M"], [0, 0, 0, 0]),
  key: null,
  time: BigInt64Array.of(1n, 2n, 3n, 4n),
  validTo: BigInt64Array.of(2n, 9n, 2n ** 62n, 6n),
  props: [
    { name: "w", kind: 1, values: Float64Array.of(1, 2.5, 3, 4) },
    { name: "s", kind: 3, values: text(["x", "y", "z", "x"]), present: Uint8Array.of(1, 0, 1, 1) },
  ],
});
const header = { nodeLabels: ["P"], source: null, provenanceRef: null, reason: null };
const blocks = await (async () => {
  const scratch = addon.openCore(null);
  scratch.acquireWriter();
  const { bytes } = await scratch.stageEvents(header, columns());
  return bytes;
})();

function makeCore(): NativeCore {
  const core = addon.openCore(null);
  assert.equal(core.acquireWriter(), true);
  core.stageEvents(header, columns());
  core.seal(100n);
  core.publish(new Uint8Array(32));
  core.filterOut(["a"]);
  return core;
}
const core = makeCore();
const view = core.view(null);
const stop = addon.createStop(null, null, null);
const where = encodeWhere({});
const shown = encodeColumns([]);
const folder = mkdtempSync(join(tmpdir(), "palimpsest-fuzz-"));
// Some of the hostile paths are relative names: what they make belongs in no checkout.
process.chdir(folder);
const file = join(folder, "file");
const descriptor = addon.files.open(file, 2);

// --- what is called, with good arguments ---

const page = { ordinal: 0, limit: 10, columns: shown, filter: where, names: where, from: null, to: null, clamp: false };
const history = {
  ...page,
  nodes: true,
  edges: true,
  ref: null,
  txFrom: null,
  txTo: null,
  current: true,
  superseded: true,
  endedByMask: 0,
};
const question = {
  ...{ subjects: ["a"], targets: null, from: null, to: null, isBackward: false, orientation: 1, isRide: false },
  ...{ isStrict: false, maxWait: null, maxHops: 0, countsHops: false },
};
const pairs = {
  ...{ isOneSelection: false, relations: 8191, keyKind: 3, srcEquals: 1, dstEquals: 2, minGap: null, maxGap: 9n },
  ...{ from: null, to: 5n, isUnordered: false },
};

const motif = { letters: Uint8Array.of(0, 1, 1, 2), filters: null, delta: 5n, from: null, to: null, ties: 0 };
const pattern = { ...motif, filters: [where, where] };
const pathsQuestion = {
  ...{ src: "a", dst: "c", srcFilter: where, dstFilter: null, criterion: 1, k: 3, minHops: 1, maxHops: 4 },
  ...{ from: null, to: null, orientation: 1, isRide: false, isStrict: false, maxWait: 5n },
};
const freshness = {
  ...{ src: "a", types: ["M"], at: 9n, halfLife: 3.5, halfLives: [["M", null]], functional: ["M"] },
  ...{ confirmedProp: "s", hasExactAges: true, include: 31 },
};
const boundaries = BigInt64Array.of(0n, 2n, 3n, 10n);
const burstRules = {
  ...{ isRatio: true, up: true, down: true, history: 2, minHistory: 1, threshold: 2, minChange: 1n },
  ...{ isFirstPartial: true, isLastPartial: false },
};
const evolution = {
  ...{ uid: "a", orientation: 0, first: 1n, last: 9n, stride: 2n, lookback: 3n },
  ...{ gained: true, kept: true, lost: true },
};
const chainQuestion = { from: null, to: 9n, isStrict: true, maxWait: 5n, within: 3n, start: "a", end: null };

const aggregates = encodeQuestion(
  {
    group_by: [
      { dim: "bucket", stride: "PT0.000003S", zone: "UTC" },
      { dim: "node", role: "either" },
      { dim: "calendar", unit: "date", zone: "Europe/London" },
      { dim: "prop", of: "edge", prop: "s" },
    ],
    aggregates: [
      { fn: "count_distinct", of: "other", as: "a" },
      { fn: "mean", prop: "w", as: "b" },
      { fn: "percentile", of: "duration", p: 50, as: "c" },
      { fn: "max_in_span", of: "distinct_dst", span: "PT1S", as: "d" },
    ],
    pairs: "reciprocal",
    having: [{ column: "a", op: "in", value: [0, 1, "x"] }],
    order_by: [{ column: "b", desc: true, nulls: "last" }],
  },
  [BigInt64Array.of(0n, 3n, 6n, 9n)],
);
const names = { query: "a", names: ["s"], labels: ["P"], at: 3n, minTier: 4, maxDistance: 2 };

const GOOD: Record<string, Record<string, Values>> = {
  "": {
    createStop: [1000, 1000, 1e9],
    preferThreads: [1],
    cpuLevel: [],
    openCore: [null],
    snapshotSubgraph: [view, stop, where, ["a"], 2n, 2, 0, false, [0, 5], [0, 5]],
    diffSnapshots: [view, stop, where, [1, 1n], [1, 5n], [["a"], 1, 0], true, 63, [0, 9]],
    aggregateEvents: [view, stop, where, aggregates, 0n, 9n, 0, 10],
    temporalReachability: [view, stop, where, question, 0, 10],
    resolveEntities: [view, stop, names, 0, 10],
    knownNames: [view, stop, ["s"], ["a", "x"]],
    factFreshness: [view, stop, where, freshness, [0, 5], [0, 5]],
    metricSeries: [view, stop, where, ["a", 2], boundaries, Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)],
    burstSeries: [view, stop, where, null, boundaries, burstRules, 0, 10],
    eventExtent: [view, stop, where, ["a", 0]],
    neighborhoodEvolution: [view, stop, where, evolution, [0, 10], [0, 10]],
    coActive: [view, stop, { src: "a", dst: null, where }, { src: null, dst: "b", where }, pairs, 0, 10],
    countMotifs: [view, stop, where, pattern],
    findMotifs: [view, stop, where, motif, 0, 10],
    longestChain: [view, stop, where, chainQuestion, 0, 10],
    temporalPaths: [view, stop, where, pathsQuestion, shown, 0, 10],
  },
  statistics: {
    nodesTouching: [view, 0n, 5n],
    edgesTouching: [view, 0n, 5n],
    edgesBeginning: [view, 0n, 5n],
    validChanges: [view, 0n, 5n],
    txChanges: [view, 0, 1],
    degree: [view, "a", 0n, 5n],
    rowsOfNode: [view, "a", 0n, 5n],
    rowsOfEdge: [view, "a", "M", "b", "#1", 0n, 5n],
    knowsNode: [view, "a"],
    knowsEdge: [view, "a", "M", "b", "#1"],
    meanDegree: [view],
    typeShares: [view],
    extent: [view, true],
    nearestUids: [view, "x"],
    names: [view, "labels"],
  },
  tables: {
    fetchRows: [view, 1, Uint32Array.of(0, 1), shown],
    fetchUids: [view, Uint32Array.of(0, 1)],
    fetchEdgeIds: [view, Uint32Array.of(1, 2)],
    formatInstants: [BigInt64Array.of(0n, 2n ** 62n)],
    entityHistory: [view, ["a"], null, 5n, shown, 0, 10],
    incidentEdges: [view, "a", null, null, where, shown, 0, 10, stop],
    versionHistory: [view, history, stop],
    scanVersions: [view, { ...page, kind: 1, txAt: null, txFrom: null, txTo: null }, stop],
    scanTable: [view, { ...page, table: 1 }, stop],
    scanVersionsColumns: [view, { ...page, kind: 1, txAt: null, txFrom: null, txTo: null }, stop],
    scanTableColumns: [view, { ...page, table: 1 }, stop],
    surveyVersions: [view, 1, 1, stop],
    versionPieces: [view, 1, 1, shown, new Uint32Array(0)],
    propertyClasses: [view, 1, 0, where, ["w"], stop],
    propertiesInUse: [view, 1, 0, where],
    digestLines: [view],
    sortColumns: [
      3,
      [
        [0, new BigInt64Array([3n, 1n, 2n]), new Uint8Array([7]), null, null],
        [3, new Int32Array([1, -1, 0]), null, new Uint8Array([97, 98]), new Int32Array([0, 1, 2])],
      ],
      new Uint32Array([1, 0, 1, 0, 1, 0]),
      2,
      stop,
    ],
  },
  // `close` and `reserve` of a good descriptor would change what the others meet: only bad ones are given.
  files: {
    open: [file, 2],
    close: [-1],
    length: [descriptor],
    identity: [descriptor],
    read: [descriptor, new Uint8Array(16), 0],
    write: [descriptor, [new Uint8Array(4)], 0, false],
    sync: [descriptor],
    syncFolder: [folder],
    cut: [descriptor, 100],
    reserve: [-1, 0, 100],
    lock: [descriptor, true],
    unlock: [descriptor],
    mapHeader: [descriptor, true],
    readHeader: [null],
    setDurableFrame: [null, 1],
    unmapHeader: [null],
    crc32c: [new Uint8Array(9), 0],
  },
  core: {
    close: [],
    acquireWriter: [],
    announceWriter: [],
    releaseWriter: [],
    stageOps: [new Uint8Array(4), 0],
    checkEvents: [columns()],
    stageEvents: [header, columns()],
    stageBlocks: [header, [blocks]],
    stageErased: [2, ["q", null]],
    replayOps: [new Uint8Array(4), 0],
    stageErasure: [1, [7]],
    filterOut: [["a"]],
    numberErased: [["a", "M", "z", ""]],
    nameUid: ["b"],
    isNamedUid: ["b"],
    stageFiltered: [header, [blocks]],
    withoutUnnamed: [blocks, 0],
    spentKeys: [],
    adopt: [makeCore()],
    seal: [1000n],
    abort: [],
    publish: [new Uint8Array(32)],
    raiseClockFloor: [5n],
    announceCommit: [50n],
    poison: [],
    maintain: [],
    view: [1],
    stagedView: [1],
    subscribe: [null],
  },
  view: { release: [], commit: [1], txAt: [100n], at: [1], headTx: [], erasures: [] },
  stop: { cancel: [] },
};

const OBJECTS: Record<string, () => object> = {
  "": () => addon,
  statistics: () => addon.statistics,
  tables: () => (addon as unknown as { tables: object }).tables,
  files: () => addon.files,
  core: makeCore,
  view: () => core.view(null),
  stop: () => addon.createStop(null, null, null),
};

function functionsOf(object: object): string[] {
  const names = [...Object.getOwnPropertyNames(object), ...Object.getOwnPropertyNames(Object.getPrototypeOf(object))];
  const isCallable = (name: string) => {
    const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), name) ?? {};
    return get === undefined && typeof (object as Record<string, unknown>)[name] === "function";
  };
  return [...new Set(names)].filter((name) => !(name in Object.prototype) && isCallable(name));
}

// --- hostile values ---

const detached = new Uint8Array(64);
structuredClone(detached, { transfer: [detached.buffer] });
const released = core.view(null);
released.release();
const closed = addon.openCore(null);
closed.close();
const throwing = new Proxy({}, { get: () => assert.fail("a getter throws"), has: () => true });
/** A view, and what looks like a request and releases the view while it is read. */
const treacherous = (): [NativeView, object] => {
  const victim: NativeView = core.view(null);
  const get = (target: object, name: string | symbol) => {
    victim.release();
    return Reflect.get(target, name);
  };
  return [victim, new Proxy(history, { get })];
};

const HOSTILE: (() => unknown)[] = [
  ...[undefined, null, true, 0, -1, 1, 1.5, 3, Number.NaN, Number.POSITIVE_INFINITY, -1e300, 1e300],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -0],
  ...["", "a", "b\0c", "\ud800", "x".repeat(100_000)],
  ...[0n, -1n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, -(2n ** 200n)],
  ...[{}, [], [1], ["a", 1], [null], ["a", "M", "b"], [[]], [-1, 5], [5, 2 ** 60], Symbol("s"), () => 1],
  ...[new Uint8Array(0), new Uint8Array(7), new Uint8Array(64).fill(255), Buffer.from("any bytes at all")],
  ...[Uint32Array.of(0), Uint32Array.of(0xffff_ffff), Uint32Array.of(4, 5, 1 << 31), new Uint16Array(3)],
  ...[BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n)), new Float64Array(3), new DataView(new ArrayBuffer(8))],
  ...[new ArrayBuffer(16), new Uint8Array(new SharedArrayBuffer(16)), detached, new Date(), new Error("e"), throwing],
  ...[makeCore(), view, stop, released, closed, addon, Object.create(view), Object.setPrototypeOf({}, stop)],
].map((value) => () => value);
HOSTILE.push(() => Object.setPrototypeOf(addon.createStop(null, null, null), Object.getPrototypeOf(view)));

/** A copy in which something deep inside is hostile. */
function damaged(value: unknown): unknown {
  if (value === null || typeof value !== "object" || below(4) === 0) return HOSTILE[below(HOSTILE.length)]!();
  if (ArrayBuffer.isView(value)) {
    const copy = (value as Uint8Array).slice();
    if (copy instanceof Uint8Array || (copy as unknown) instanceof Uint32Array) {
      for (let i = below(3); i >= 0 && copy.length > 0; i -= 1) copy[below(copy.length)] = below(2) ? 0xff : below(300);
    }
    return below(4) === 0 ? copy.subarray(0, below(copy.length + 1)) : copy;
  }
  if (value === core || value === view || value === stop) return HOSTILE[below(HOSTILE.length)]!();
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const keys = Object.keys(copy);
  if (keys.length === 0) return HOSTILE[below(HOSTILE.length)]!();
  const key = keys[below(keys.length)]!;
  if (below(8) === 0) delete copy[key];
  else copy[key] = damaged(copy[key]);
  return copy;
}

// --- the calls ---

let answers = 0;
let refusals = 0;
async function call(object: object, name: string, args: Values): Promise<void> {
  try {
    const answer = (object as Record<string, Call>)[name]!(...args);
    if (answer instanceof Promise) await answer;
    answers += 1;
  } catch (error) {
    assert.ok(error instanceof Error, `${name} threw ${String(error)}`);
    refusals += 1;
  }
}

for (const [family, good] of Object.entries(GOOD)) {
  const object = OBJECTS[family]!();
  const known = Object.keys(good).sort();
  const found = functionsOf(object).sort();
  assert.deepEqual(found, known, `the table of ${family || "the addon"} is not complete`);
  for (const [name, args] of Object.entries(good)) {
    const on = () => OBJECTS[family]!();
    await call(on(), name, args);
    for (let count = 0; count < args.length; count += 1) await call(on(), name, args.slice(0, count));
    for (const [position] of args.entries()) {
      for (const hostile of HOSTILE) await call(on(), name, args.with(position, hostile()));
    }
    for (let round = 0; round < 60 * args.length; round += 1) {
      await call(
        on(),
        name,
        args.map((arg) => (below(2) === 0 ? arg : damaged(arg))),
      );
    }
    await call(on(), name, [...args, throwing, throwing]);
    // A method on a receiver of another kind.
    for (const receiver of [addon, makeCore(), core.view(null), stop, {}, null]) {
      await call({ [name]: () => Reflect.apply((on() as Record<string, Call>)[name]!, receiver, [...args]) }, name, []);
    }
  }
}

const { tables } = addon as unknown as { tables: object };
for (const name of ["versionHistory", "scanVersions", "scanTable"]) await call(tables, name, treacherous());

// Stray calls in any order on one core: whatever it says, it must go on.
const strays = Object.entries(GOOD.core!).filter(([name]) => name !== "close");
const stray = makeCore();
for (let i = 0; i < 3000; i += 1) {
  const [name, args] = strays[below(strays.length)]!;
  const settled = call(stray, name, below(3) === 0 ? args.map(damaged) : args);
  if (below(2) === 0) await settled;
}
stray.acquireWriter();
await new Promise((resolve) => setImmediate(resolve));
assert.ok(stray.view(null).commit(1).nodes > 0);

assert.equal(view.commit(1).edges, 4);
rmSync(folder, { recursive: true });
console.log(`${answers} answers, ${refusals} refusals`);
