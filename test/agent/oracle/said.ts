// What a claim says, held against what is expected in the form in which oracle plans have it.
import { expect } from "vitest";
import type { Claim } from "../../../src/agent/claims/claim.js";
import { parseDuration } from "../../../src/contract/duration.js";

const SIGNS: Readonly<Record<string, number>> = { up: 1, down: -1, same: 0 };

function said(claim: Claim): unknown {
  switch (claim.type) {
    case "change":
      return SIGNS[claim.direction];
    case "ordering":
      return claim.relation;
    case "absence":
      return claim.cell === undefined ? [] : 0;
    case "entity_set":
      return [...claim.value!].sort();
    case "temporal_pattern":
      return claim.pattern;
    default:
      return claim.value;
  }
}

/** Sets in any order; durations by their length. */
export function expectSaid(claim: Claim, value: unknown): void {
  const told = said(claim);
  if (typeof value === "bigint") expect(parseDuration(told, "")).toBe(value);
  else expect(told).toEqual(Array.isArray(value) ? [...value].sort() : value);
}
