// How near estimates come to what kernels take: the questions of the benchmark and variants of them, on both families of data.
// Goes below the public surface, which tells no steps. A figure is the median over an operator's calls of steps / estimate.

import { join } from "node:path";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { Store } from "../../src/store/store.js";
import { events, nodeCount, nodeName } from "../data/corrected-intervals.js";
import { powerLaw as powerLawData, powerLawShape } from "../data/power-law.js";
import { type Call, callOf } from "../registry/calls.js";
import { instantOf, type Json } from "../registry/normal-forms.js";
import { intervalQuestions, powerLawQuestions } from "../registry/questions.js";
import type { Figure } from "../runner/figures.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

/** Shares of the whole time at which windows of variants begin, and their lengths. */
const WINDOWS = [0, 0.3, 0.9].flatMap((from) => [0.001, 0.02, 0.1].map((length) => ({ from, length })));
const NODES = [0, 3, 17, 50, 101];
/** A call within these is far from every gate, and answers in time. */
const CEILINGS = { rows: 5_000_000_000, steps: 5_000_000_000 };

interface Taken {
  readonly op: string;
  readonly estimate: number;
  readonly steps: number;
}

type Args = Call["args"];

/** Tables read over the same stretches: no question of the benchmark reads them. */
function tableCalls(wholeUs: number): Call[] {
  const at = (share: number): string => instantOf(Math.floor(wholeUs * share));
  return ["nodes", "edges", "events", "endpoints"].flatMap((of) =>
    WINDOWS.map(({ from, length }) => ({
      op: "scan",
      args: { of, valid: { window: { from: at(from), to: at(from + length) } } },
    })),
  );
}

/** The arguments of a call with other nodes and other stretches of time. */
function variants({ op, args }: Call, wholeUs: number, uid: (node: number) => string): Call[] {
  const at = (share: number): string => instantOf(Math.floor(wholeUs * share));
  const windows: Args[] = WINDOWS.map(({ from, length }) => ({ window: { from: at(from), to: at(from + length) } }));
  const corners: Args[] = WINDOWS.map(({ from, length }) => ({
    left: { at: at(from) },
    right: { at: at(from + length) },
  }));
  const instants: Args[] = [0.01, 0.2, 0.5, 0.9].map((share) => ({ at: at(share) }));
  const times =
    "left" in args ? corners : "at" in args ? instants : "window" in args || op.includes("reach") ? windows : [{}];
  const names = ["uid", "src"].filter((name) => typeof args[name] === "string");
  const nodes: Args[] = NODES.map((node) => ({
    ...Object.fromEntries(names.map((name): [string, Json] => [name, uid(node)])),
    ...("seeds" in args ? { seeds: [uid(node)] } : {}),
  }));
  const isOfNodes = names.length > 0 || "seeds" in args;
  return [{}, ...times].flatMap((time) =>
    (isOfNodes ? nodes : [{}]).map((node) => ({ op, args: { ...args, ...time, ...node } })),
  );
}

async function takenBy(engine: NativeEngine, calls: readonly Call[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const { op, args } of calls) {
    await callOperator(engine, op, args, {
      ceilings: CEILINGS,
      observe: ({ estimate, steps }) => taken.push({ op, estimate: estimate.steps, steps }),
    });
  }
  return taken;
}

async function ofStore(path: string, calls: readonly Call[]): Promise<Taken[]> {
  const store = await Store.open(path, { readOnly: true });
  const known = new Set(DECLARATIONS.map(({ name }) => name));
  const taken = await takenBy(
    new NativeEngine(store),
    calls.filter(({ op }) => known.has(op)),
  );
  await store.close();
  return taken;
}

function figuresOf(taken: readonly Taken[]): Figure[] {
  return DECLARATIONS.map(({ name }) => {
    // An operator whose cost is its rows alone estimates no steps.
    const calls = taken.filter(({ op, estimate }) => op === name && estimate > 0);
    const ratios = calls.map(({ estimate, steps }) => steps / estimate).sort((a, b) => a - b);
    const at = (share: number): number => ratios[Math.floor((ratios.length - 1) * share)] ?? 0;
    return {
      name: `${name}: steps / estimate`,
      unit: "x",
      value: at(0.5),
      repetitions: ratios.length,
      notes: { least: at(0), quarter: at(0.25), three_quarters: at(0.75), greatest: at(1) },
    };
  });
}

export const workload: Workload = {
  summary: "steps that kernels take against their estimates, per operator",
  defaultScale: 100_000,
  async run({ scale, folder, progress }) {
    const intervals = join(folder, "intervals");
    const powerLaw = join(folder, "power-law");
    let db = await open(intervals);
    await buildIntervalStore(db, scale, events(scale));
    await db.close();
    db = await open(powerLaw);
    const { nodes, seed } = powerLawShape(scale);
    await loadPowerLaw(db, powerLawData(scale, nodes, seed));
    await db.close();
    progress("stores built");
    const count = nodeCount(scale);
    const taken = [
      ...(await ofStore(intervals, tableCalls(scale))),
      ...(await ofStore(
        intervals,
        intervalQuestions(scale).flatMap((question) =>
          variants(callOf(question), scale, (node) => nodeName(node % count)),
        ),
      )),
      ...(await ofStore(
        powerLaw,
        powerLawQuestions().map((question) => callOf(question)),
      )),
    ];
    for (const figure of figuresOf(taken)) {
      const { least, quarter, three_quarters, greatest } = figure.notes as Record<string, number>;
      const shown = [least, quarter, figure.value, three_quarters, greatest].map((ratio) =>
        (ratio ?? 0).toPrecision(2),
      );
      progress(`${figure.name}: ${shown.join(" ≤ ")} over ${figure.repetitions} calls`);
    }
    return figuresOf(taken);
  },
};
