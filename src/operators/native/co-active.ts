// O11 on the native engine: one call, which gives the pairs of one page and how many there are.
// Turns arguments into a question and cells into rows; everything else is the kernel's work.
import { ALLEN_RELATIONS } from "../../contract/allen.js";
import { canonicalJson } from "../../contract/canonical.js";
import { parseDuration } from "../../contract/duration.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import {
  type CoActiveAnswer,
  type CoActiveQuestion,
  type CoActiveSelection,
  coActive,
  KEY_KINDS,
} from "../../native/co-active.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import { windowEnds } from "./question.js";
import type { RowReader } from "./row-reader.js";

type Side = "a" | "b";

/** Which side's beginning and end are those of the overlap; relations that are not here have none. */
const OVERLAPS: Readonly<Record<string, readonly [from: Side, to: Side]>> = {
  overlaps: ["b", "a"],
  starts: ["a", "a"],
  during: ["a", "a"],
  finishes: ["a", "a"],
  equals: ["a", "a"],
  overlapped_by: ["a", "b"],
  started_by: ["a", "b"],
  contains: ["b", "b"],
  finished_by: ["b", "b"],
};

function relationMask(relations: string | readonly string[]): number {
  const isAsked = (name: string): boolean =>
    relations === "intersects" ? name in OVERLAPS : (relations as readonly string[]).includes(name);
  return ALLEN_RELATIONS.reduce((mask, name, i) => (isAsked(name) ? mask | (1 << i) : mask), 0);
}

type OnArgument = string | readonly (readonly string[])[];

function keysOf(on: OnArgument): Pick<CoActiveQuestion, "keyKind" | "srcEquals" | "dstEquals"> {
  if (on === "unordered_pair" || on === "any_node") {
    return { keyKind: KEY_KINDS.indexOf(on), srcEquals: 0, dstEquals: 0 };
  }
  const pairs =
    on === "pair"
      ? [
          ["src", "src"],
          ["dst", "dst"],
        ]
      : (on as readonly (readonly string[])[]);
  const equals = (endOfA: string): number =>
    pairs.reduce((bits, [of, to]) => (of === endOfA ? bits | (to === "src" ? 1 : 2) : bits), 0);
  const kind = pairs.length === 0 ? "none" : "ends";
  return { keyKind: KEY_KINDS.indexOf(kind), srcEquals: equals("src"), dstEquals: equals("dst") };
}

function selectionOf({ src, dst, where }: JsonObject): CoActiveSelection {
  return {
    src: src as string | null,
    dst: dst as string | null,
    where: encodeWhere(where as unknown as WhereArgument),
  };
}

const gapOf = (args: JsonObject, name: "min_gap" | "max_gap"): bigint | null =>
  args[name] === null ? null : parseDuration(args[name], `/${name}`);

const readFact = (reader: RowReader): JsonObject => ({
  src: reader.word(),
  type: reader.word(),
  dst: reader.word(),
  key: reader.word(),
  valid_from: reader.word(),
  valid_to: reader.text(),
});

function readPair(reader: RowReader): JsonObject {
  const facts = { a: readFact(reader), b: readFact(reader) };
  const relation = ALLEN_RELATIONS[reader.number()!]!;
  const sides = OVERLAPS[relation];
  const overlap = sides === undefined ? null : { from: facts[sides[0]].valid_from!, to: facts[sides[1]].valid_to! };
  return { ...facts, relation, overlap, gap: reader.text() };
}

export function runCoActive(view: NativeView, args: JsonObject, context: RunContext): RunAnswer | Promise<RunAnswer> {
  const { from, to } = pageOf(context, 0)!;
  const [a, b] = [args.a as JsonObject, args.b as JsonObject];
  const question: CoActiveQuestion = {
    isOneSelection: canonicalJson(a) === canonicalJson(b),
    relations: relationMask(args.relations as string | readonly string[]),
    ...keysOf(args.on as unknown as OnArgument),
    minGap: gapOf(args, "min_gap"),
    maxGap: gapOf(args, "max_gap"),
    ...windowEnds(args.window as unknown as WindowArgument | null),
    isUnordered: args.unordered === true,
  };
  const shown = ([pack, total]: CoActiveAnswer): RunAnswer | Promise<RunAnswer> =>
    after(readPage(pack, readPair), (rows) => ({ lists: [{ rows, total }], fields: {} }));
  return after(
    withStop(context, (stop) => coActive(view, stop, selectionOf(a), selectionOf(b), question, from, to - from)),
    shown,
  );
}
