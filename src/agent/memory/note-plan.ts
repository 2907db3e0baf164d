// The one plan that a note is made of, for any window, and which of its cells are facts. Pure: window and stride decide all.
import type { JsonObject } from "../../contract/values.js";
import type { Plan } from "../../plan/index.js";
import type { Claim } from "../claims/claim.js";

export interface NoteWindow {
  readonly from: string;
  readonly to: string;
}

/** A cell of the plan, by an id that says which of the places below it is. */
export interface Fact {
  readonly cell: string;
  readonly value: number | string;
  readonly unit: string | null;
}
export type Facts = Readonly<Record<string, Fact>>;

const MOST_ENDS = 3;
const PARTS = 28n;
/** Lengths of the parts of a window in which its peak and its bursts are looked for. */
const PART_STRIDES = [
  ["PT1M", 60n],
  ["PT10M", 600n],
  ["PT1H", 3_600n],
  ["PT6H", 21_600n],
  ["P1D", 86_400n],
  ["P7D", 604_800n],
] as const;
const US = 1_000_000n;

/** The longest part of which a window has 28 or more. */
export function partStride(widthUs: bigint): string {
  return PART_STRIDES.findLast(([, seconds]) => seconds * US * PARTS <= widthUs)?.[0] ?? PART_STRIDES[0][0];
}

const NEWNESS = ["new_node_count", "new_pair_count"];
/** Where the plan counts what is new. */
export const NEW_NODES = "s2.rows[1].value";
export const NEW_PAIRS = "s2.rows[2].value";
const COUNT = { fn: "count", as: "events" };
const MOST_FIRST = { column: "events", desc: true };

/** What is computed of a window. */
export function notePlan(window: NoteWindow, stride: string, part: string): Plan {
  const step = (id: string, op: string, args: object) => ({ id, op, args: { window: { ...window }, ...args } });
  const most = (id: string, dim: object, limit: number) =>
    step(id, "aggregate_events", { group_by: [dim], aggregates: [COUNT], order_by: [MOST_FIRST], limit });
  const steps = [
    step("s1", "aggregate_events", { aggregates: [COUNT] }),
    step("s2", "graph_metric_timeseries", { metric: ["active_node_count", ...NEWNESS], stride }),
    most("s3", { dim: "node", role: "src" }, MOST_ENDS),
    most("s4", { dim: "node", role: "dst" }, MOST_ENDS),
    most("s5", { dim: "bucket", stride: part }, 1),
    step("s6", "burst_detection", { stride: part, limit: 1 }),
    step("s7", "version_history", { ended_by: ["corrected", "retracted"], props: null, limit: 1 }),
  ];
  return { steps, answer: { kind: "count", from: "s1.rows[0].events" } } as unknown as Plan;
}

/** The call that counts again what is new in a window, as of a commit: nodes in its first row, pairs in the second. */
export const newnessCall = (window: NoteWindow, stride: string, tx: number): JsonObject => ({
  window: { ...window },
  metric: [...NEWNESS],
  stride,
  as_of_tt: `tx:${tx}`,
});

/**
 * All valid time that the facts read: what is new is new against all that was before, and nothing else of the plan reads what
 * was before the window. A fact that lasts beyond the window touches it, so that what ends the fact later is seen as well.
 */
export const dependsOn = (window: NoteWindow): JsonObject => ({ from: null, to: window.to });

/** A claim without its id. */
type Said = Claim extends infer Each ? (Each extends Claim ? Omit<Each, "id"> : never) : never;

export interface FactPlace {
  readonly id: `f${number}`;
  readonly cell: string;
  /** What the fact is, for whoever words it. */
  readonly what: string;
  readonly unit: string | null;
  /** Of these the first that is supported is the fact's claim; where none is, there is no such fact. */
  readonly claims: readonly Said[];
}

type Place = Omit<FactPlace, "id">;

const count = (cell: string, what: string, unit: string): Place => ({
  cell,
  what,
  unit,
  claims: [{ type: "count", cell }],
});
const value = (cell: string, what: string, unit: string | null): Place => ({
  cell,
  what,
  unit,
  claims: [{ type: "value", cell }],
});

function ends(step: string, role: string, what: string): Place[] {
  return Array.from({ length: MOST_ENDS }, (_, row): Place[] => {
    const cell = `${step}.rows[${row}].${role}`;
    const rank = { by: "events", side: "max" } as const;
    const plain: Said = { type: "entity", cell };
    const claims = row === 0 ? [{ ...plain, rank }, plain] : [plain];
    const place = ["first", "second", "third"][row]!;
    return [
      { cell, what: `${place} by ${what}`, unit: null, claims },
      count(`${step}.rows[${row}].events`, `events ${what} of the ${place}`, "events"),
    ];
  }).flat();
}

/** Every fact that a note may have; a note lacks those that its window has not. */
export const FACT_PLACES: readonly FactPlace[] = [
  count("s1.rows[0].events", "events", "events"),
  value("s2.rows[0].value", "nodes that sent or received", "nodes"),
  value(NEW_NODES, "nodes that were never there before", "nodes"),
  value(NEW_PAIRS, "pairs with an event that had none before", "pairs"),
  ...ends("s3", "src", "sent"),
  ...ends("s4", "dst", "received"),
  value("s5.rows[0].from", "beginning of the part with the most events", null),
  count("s5.rows[0].events", "events in that part", "events"),
  count("s6.rows_total", "parts that stand out from those before them", "bursts"),
  value("s6.rows[0].from", "beginning of the earliest of them", null),
  count("s7.totals.corrected", "versions that were corrected", "versions"),
  count("s7.totals.retracted", "versions that were retracted", "versions"),
].map((place, i) => ({ ...place, id: `f${i + 1}` }));
