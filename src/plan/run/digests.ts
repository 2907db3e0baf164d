// Digests of answers and traces, printed in pieces so that long lists give other work its turn.
import { createHash } from "node:crypto";
import { canonicalJson, canonicalString } from "../../contract/canonical.js";
import { Pace } from "../../event-loop/pace.js";

const ROWS_AT_ONCE = 500;

/** Canonical JSON in pieces: long lists at any depth of objects in several. */
function* pieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > ROWS_AT_ONCE) {
    for (let from = 0; from < value.length; from += ROWS_AT_ONCE) {
      const texts = value.slice(from, from + ROWS_AT_ONCE).map((member) => canonicalJson(member));
      yield (from === 0 ? "[" : ",") + texts.join(",");
    }
    yield "]";
    return;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    yield canonicalJson(value);
    return;
  }
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort();
  for (const [i, key] of keys.entries()) {
    yield `${i === 0 ? "{" : ","}${canonicalString(key)}:`;
    yield* pieces(object[key]);
  }
  yield keys.length === 0 ? "{}" : "}";
}

/** SHA-256 of the canonical JSON of a value. */
export async function digestOf(value: unknown): Promise<string> {
  const hash = createHash("sha256");
  const pace = new Pace();
  for (const piece of pieces(value)) {
    hash.update(piece, "utf8");
    if (pace.isDue) await pace.rest();
  }
  return hash.digest("hex");
}
