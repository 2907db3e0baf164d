// The binder: claims that name cells get the values that stand there. What cannot be found stays without a value; the
// verifier says why.
import type { JsonValue } from "../../contract/values.js";
import { cellAt, cellsAt } from "./cells.js";
import type { Claim } from "./claim.js";
import { readClaim } from "./claim-schema.js";
import type { Evidence } from "./evidence.js";

async function valueAt(evidence: Evidence, ref: string, isEnd: boolean): Promise<JsonValue | undefined> {
  const found = await cellAt(evidence, ref, isEnd);
  return "wrong" in found ? undefined : found.cell.value;
}

async function boundValue(evidence: Evidence, claim: Claim): Promise<unknown> {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return valueAt(evidence, claim.cell, false);
    case "entity_set": {
      const found = await cellsAt(evidence, claim.cells, false);
      return "wrong" in found ? undefined : found.cell.values;
    }
    case "interval": {
      const [from, to] = [await valueAt(evidence, claim.from, false), await valueAt(evidence, claim.to, true)];
      return from === undefined || to === undefined ? undefined : { from, to };
    }
    default:
      return undefined;
  }
}

/** The claims that have the shape of one, with their values; a value that was given is replaced. */
export async function bindClaims(evidence: Evidence, given: readonly unknown[]): Promise<readonly Claim[]> {
  const bound: Claim[] = [];
  for (const each of given) {
    const claim = readClaim(each);
    if (claim === null) continue;
    const { value: _value, ...named } = claim as Claim & { value?: unknown };
    const value = await boundValue(evidence, claim);
    bound.push((value === undefined ? named : { ...named, value }) as Claim);
  }
  return bound;
}
