// The thirteen relations of two intervals (Allen, "Maintaining knowledge about temporal intervals", CACM 26(11), 1983).
// Of any two intervals exactly one holds. Order is that of Relation in native/core/kernels/co_active/allen.h: the inverse of
// each of the first six stands seven places on.

export const ALLEN_RELATIONS = [
  "before",
  "meets",
  "overlaps",
  "starts",
  "during",
  "finishes",
  "equals",
  "after",
  "met_by",
  "overlapped_by",
  "started_by",
  "contains",
  "finished_by",
] as const;

export type AllenRelation = (typeof ALLEN_RELATIONS)[number];
