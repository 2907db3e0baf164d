// The arguments that counting and finding motifs share: their schema, judgement, echo and price.
// The language of codes is motif-codes.ts.
import { type Static, Type } from "typebox";
import { formatDuration, parseDuration } from "../contract/duration.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  NodeFilter,
  nullable,
  Where,
  Window,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import type { Estimate, Report, Suggestion } from "./declaration.js";
import type { Statistics } from "./engine.js";
import {
  codeOf,
  edgesOf,
  faultOf,
  GRID_CODES,
  gridCellOf,
  lettersOf,
  MOST_EDGES,
  nearestCode,
  readCode,
  renamed,
} from "./motif-codes.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const PatternEdge = closed({
  src: described(Type.String(), "letter of its tail"),
  dst: described(Type.String(), "letter of its head"),
  types: described(withDefault(Where.properties.types, null), "types of edges that match it; null: any"),
  edge: described(withDefault(Where.properties.edge, []), "conditions on properties of the edge"),
});
const Pattern = closed({
  edges: described(Type.Array(PatternEdge, { minItems: 1, maxItems: MOST_EDGES }), "the edges in the order of time"),
  nodes: described(
    withDefault(Type.Record(Type.String({ pattern: "^[A-Za-z]$" }), NodeFilter, { additionalProperties: false }), {}),
    "by letter, what the node must be",
  ),
});

export type PatternArgument = Static<typeof Pattern>;
/** A code, "all", or a pattern. */
export type MotifArgument = string | PatternArgument;

export const MOTIF_ARGUMENTS = {
  motif: described(
    Type.Union([Type.String(), Pattern]),
    'a code such as "a>b,b>c,c>a", a cell or name of the tables below, "all" for the 36 of the grid, or a pattern of your own',
  ),
  delta: described(Duration, "longest time from the first event of an instance to its last, inclusive"),
  window: described(
    withDefault(nullable(Window), null),
    "every event of an instance lies in it; null: all of valid time",
  ),
  ties: described(
    withDefault(
      choice({
        by_seq: "the one with the lower number",
        strict: "neither, as the events of an instance differ in time",
        allow: "either, and each order counts",
      }),
      "by_seq",
    ),
    "which of two tied events may come first",
  ),
  where: described(withDefault(Where, {}), "every event of an instance passes it"),
  ...COMMON_ARGUMENTS,
};

interface MotifCall {
  readonly motif: MotifArgument;
  readonly delta: string;
  readonly ties: "by_seq" | "strict" | "allow";
  readonly window: Static<typeof Window> | null;
  readonly where: Static<typeof Where>;
}

export function judgeMotif({ motif, delta }: MotifCall, report: Report): void {
  const refuse = (fault: string, nearest: string): void =>
    report(invalid(fault, "/motif", `the nearest legal motif is ${JSON.stringify(nearest)}`));
  if (typeof motif === "string") {
    const code = readCode(motif);
    if (typeof code !== "string") refuse(code.fault, code.nearest);
  } else {
    const fault = faultOf(motif.edges);
    if (fault !== undefined) refuse(fault, nearestCode(motif.edges));
    const letters = lettersOf(motif.edges);
    const stray = Object.keys(motif.nodes).find((letter) => !letters.has(letter));
    if (stray !== undefined) {
      report(invalid(`no edge names ${stray}`, "/motif/nodes", `name one of ${[...letters.keys()].join(", ")}`));
    }
  }
  if (delta.startsWith("-")) report(invalid(`the delta ${delta} is negative`, "/delta", "the least is PT0S"));
}

/** The motif as it is echoed: a code, "all", or a pattern whose letters come in the order of the edges. */
export function completeMotif(args: JsonObject): JsonObject {
  const motif = args.motif as unknown as MotifArgument;
  if (typeof motif === "string") return { ...args, motif: readCode(motif) as string };
  const letters = lettersOf(motif.edges);
  const nodes = Object.entries(motif.nodes).map(([letter, filter]) => [letters.get(letter)!, filter] as const);
  nodes.sort(([a], [b]) => (a < b ? -1 : 1));
  const pattern = { edges: renamed(motif.edges), nodes: Object.fromEntries(nodes) };
  return { ...args, motif: pattern as unknown as JsonObject };
}

/** The codes that a resolved motif asks for. */
export function codesOf(motif: MotifArgument): readonly string[] {
  if (typeof motif !== "string") return [codeOf(motif.edges)];
  return motif === "all" ? GRID_CODES : [motif];
}

export const edgeCountOf = (motif: MotifArgument): number => edgesOf(codesOf(motif)[0]!).length;

/** The events that a call may look at, and how many versions an end of one of them has in the mean. */
interface Slice {
  readonly events: number;
  /** Does not depend on the window. */
  readonly degree: number;
}

/** Those in the window, and no more than the nodes have that the filter names. */
function sliceOf({ window, where }: MotifCall, statistics: Statistics): Slice {
  const inWindow = statistics.eventsIn(windowUs(window)) * typeShare(where, statistics);
  let named: Slice | undefined;
  for (const filter of [where.node, where.src, where.dst]) {
    const degrees = (filter?.uids ?? null)?.map((uid) => statistics.degree(uid));
    if (degrees === undefined) continue;
    const events = degrees.reduce((sum, degree) => sum + degree, 0);
    const squares = degrees.reduce((sum, degree) => sum + degree * degree, 0);
    if (named === undefined || events < named.events) named = { events, degree: squares / Math.max(1, events) };
  }
  if (named === undefined) return { events: inWindow, degree: statistics.meanDegree() };
  return { events: Math.min(inWindow, named.events), degree: named.degree };
}

/** Steps that an event takes before anything is counted: to be read, and to be placed at its two ends. */
const STEPS_TO_FIND = 6;

/** How many events near one another a search goes through for each event: windows are counted, other shapes walked. */
function depthOf({ motif, ties }: MotifCall): number {
  const edges = edgesOf(codesOf(motif)[0]!);
  const isCounted = edges.length <= 2 || (typeof motif === "string" && (motif === "all" || gridCellOf(motif) !== null));
  if (isCounted && ties !== "allow") return 1;
  // Ties in either order are walked edge by edge; else the last edge of a closed shape is counted between bound nodes,
  // and that of a tree is not.
  if (ties === "allow") return Math.max(1, edges.length - 1);
  return Math.max(1, edges.length - 2, lettersOf(edges).size - 2);
}

/**
 * Steps: each event, and for each the events at a shared node within delta. How many those are follows from the mean
 * degree at the end of an event and from delta's share of the extent of all events, so that nothing in it but the number
 * of events depends on the window.
 */
export function motifSteps(call: MotifCall, statistics: Statistics): number {
  const { events, degree } = sliceOf(call, statistics);
  const extent = statistics.extent();
  const deltaUs = Number(parseDuration(call.delta, "/delta"));
  const share = extent === null ? 0 : Math.min(1, (deltaUs + 1) / Number(extent.toUs - extent.fromUs));
  const near = 1 + Math.min(events, 2 * degree * share);
  return Math.ceil(events * (STEPS_TO_FIND + near ** depthOf(call)));
}

/** The largest delta that fits, found by halving: the price never falls when delta grows. */
function suggestDelta(delta: string, fits: (patch: JsonObject) => boolean): Suggestion[] {
  const patchOf = (us: bigint): JsonObject => ({ delta: formatDuration(us) });
  if (!fits(patchOf(0n))) return [];
  let low = 0n;
  let high = parseDuration(delta, "/delta");
  while (low < high) {
    const middle = low + (high - low + 1n) / 2n;
    if (fits(patchOf(middle))) low = middle;
    else high = middle - 1n;
  }
  return [{ args_patch: patchOf(low), why: "this is the largest delta that fits" }];
}

export function suggestForMotif(
  { window, delta, where }: MotifCall,
  statistics: Statistics,
  fits: (patch: JsonObject) => boolean,
): Suggestion[] {
  return [
    ...suggestWindow(window, statistics, fits),
    ...suggestDelta(delta, fits),
    ...suggestType(where, statistics, fits),
  ];
}

/** The price of a call that shows `rows` rows, each of `cells` cells. */
export function motifCost(call: MotifCall, statistics: Statistics, rows: number, cells: number): Estimate {
  return { rows, steps: motifSteps(call, statistics) + rows * cells };
}
