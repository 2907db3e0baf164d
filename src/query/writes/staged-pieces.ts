// What the writes of one statement have made of versions so far, so that a later one changes what an earlier one wrote.
// Per identity, disjoint pieces of valid time; where nothing was written, the version that was read stands.
import type { JsonObject } from "../../contract/values.js";
import { common, type Stretch } from "./portion.js";
import { identityKey, type Version } from "./versions.js";

export interface Content {
  readonly props: JsonObject;
  readonly labels: readonly string[];
}
interface Piece {
  readonly stretch: Stretch;
  /** Null: taken away. */
  readonly content: Content | null;
}

/** The parts of a stretch that lie outside another. */
function outside({ fromUs, toUs }: Stretch, other: Stretch): Stretch[] {
  const before = { fromUs, toUs: other.fromUs < toUs ? other.fromUs : toUs };
  const after = { fromUs: other.toUs > fromUs ? other.toUs : fromUs, toUs };
  return [before, after].filter((part) => part.fromUs < part.toUs);
}

export class StagedPieces {
  private readonly byIdentity = new Map<string, Piece[]>();

  /** What a version has become within a stretch of it, in order of time. */
  within(version: Version, stretch: Stretch): { readonly stretch: Stretch; readonly content: Content }[] {
    const pieces = this.byIdentity.get(identityKey(version.ref)) ?? [];
    let untouched = [stretch];
    const found: { readonly stretch: Stretch; readonly content: Content }[] = [];
    for (const piece of pieces) {
      const shared = common(stretch, piece.stretch);
      if (shared === null) continue;
      untouched = untouched.flatMap((part) => outside(part, piece.stretch));
      if (piece.content !== null) found.push({ stretch: shared, content: piece.content });
    }
    const own = { props: version.props, labels: version.labels };
    found.push(...untouched.map((part) => ({ stretch: part, content: own })));
    return found.sort((a, b) => (a.stretch.fromUs < b.stretch.fromUs ? -1 : 1));
  }

  put(ref: JsonObject, stretch: Stretch, content: Content | null): void {
    const key = identityKey(ref);
    const kept = (this.byIdentity.get(key) ?? []).flatMap((piece) =>
      outside(piece.stretch, stretch).map((part) => ({ stretch: part, content: piece.content })),
    );
    this.byIdentity.set(key, [...kept, { stretch, content }]);
  }
}
