// The operations that a write statement has found so far, in order, and the identities that they name.

import { canonicalJson } from "../../contract/canonical.js";
import { formatEnd, formatInstant } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import type { Stretch } from "./portion.js";
import { StagedPieces } from "./staged-pieces.js";
import { identityKey } from "./versions.js";

export const periodFields = ({ fromUs, toUs }: Stretch): JsonObject => ({
  valid_from: formatInstant(fromUs),
  valid_to: formatEnd(toUs),
});

export class WriteBatch {
  readonly operations: JsonObject[] = [];
  readonly pieces = new StagedPieces();
  private readonly identities = new Set<string>();
  private readonly retracted = new Set<string>();

  get identityCount(): number {
    return this.identities.size;
  }

  add(ref: JsonObject, operation: JsonObject): void {
    this.identities.add(identityKey(ref));
    this.operations.push(operation);
  }

  /** What is taken away twice is taken away once: the second time nothing would be there. */
  retract(ref: JsonObject, stretch: Stretch, reason: JsonObject): void {
    const operation = { op: "retract", ref, ...periodFields(stretch), ...reason };
    const text = canonicalJson(operation);
    if (this.retracted.has(text)) return;
    this.retracted.add(text);
    this.pieces.put(ref, stretch, null);
    this.add(ref, operation);
  }
}
