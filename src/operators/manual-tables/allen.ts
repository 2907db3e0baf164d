// What the thirteen relations of two intervals say, for readers.
import { ALLEN_RELATIONS, type AllenRelation } from "../../contract/allen.js";
import type { ManualTable } from "../declaration.js";

const MEANINGS: Readonly<Record<AllenRelation, string>> = {
  before: "a ends before b begins",
  meets: "a ends where b begins",
  overlaps: "a begins first and ends inside b",
  starts: "both begin together, a ends first",
  during: "a begins after b and ends before it",
  finishes: "both end together, a begins later",
  equals: "both begin and end together",
  after: "b is before a",
  met_by: "b meets a",
  overlapped_by: "b overlaps a",
  started_by: "b starts a",
  contains: "b is during a",
  finished_by: "b finishes a",
};

/** Half-open intervals; an open end is later than every instant and equal to another open end. */
export const ALLEN_TABLE: ManualTable = {
  title: "Relations of two intervals; of any two just one holds",
  head: ["relation", "holds where"],
  rows: ALLEN_RELATIONS.map((name) => [`\`${name}\``, MEANINGS[name]]),
};
