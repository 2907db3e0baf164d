// What operations do to the believed versions of one identity, as docs/contract.md "Writes" says: carving, and what is
// written. Pure; a test holds it against what the store does.
import { compareCodePoints } from "../../contract/code-points.js";
import { type JsonObject, setOwn } from "../../contract/values.js";
import type { Patch, Period, RowOperation } from "../../log/operations/types.js";
import { common } from "../../query/writes/portion.js";
import type { Held } from "./believed.js";

/** A version, the operation that wrote it (null: an earlier commit), and the one that closed it. */
interface Piece {
  readonly held: Held;
  readonly writer: number | null;
  closer: number | null;
}

/** Labels are added, then removed; properties merge, a null removes. */
function patched({ labels, props, ...rest }: Held, { addLabels, removeLabels, props: changes }: Patch): Held {
  const merged: JsonObject = {};
  for (const [name, value] of Object.entries(props)) if (!Object.hasOwn(changes, name)) setOwn(merged, name, value);
  for (const [name, value] of Object.entries(changes)) if (value !== null) setOwn(merged, name, value);
  if (labels === null) return { ...rest, labels, props: merged };
  const all = [...new Set([...labels, ...addLabels])].filter((label) => !removeLabels.includes(label));
  return { ...rest, labels: all.sort(compareCodePoints), props: merged };
}

export class Carving {
  private readonly pieces: Piece[];

  constructor(believed: readonly Held[]) {
    this.pieces = believed.map((held) => ({ held, writer: null, closer: null }));
  }

  private overlapped(period: Period): Piece[] {
    return this.pieces.filter(({ held, closer }) => closer === null && common(held, period) !== null);
  }

  private write(held: Held, writer: number): void {
    this.pieces.push({ held, writer, closer: null });
  }

  /** False where a retraction or a correction finds nothing. */
  apply(operation: RowOperation, position: number): boolean {
    const { period } = operation;
    const overlapped = this.overlapped(period);
    if (overlapped.length === 0 && operation.kind !== "assert") return false;
    for (const piece of overlapped) {
      const { held } = piece;
      piece.closer = position;
      if (held.fromUs < period.fromUs) this.write({ ...held, toUs: period.fromUs }, position);
      if (period.toUs < held.toUs) this.write({ ...held, fromUs: period.toUs }, position);
      if (operation.kind !== "patch") continue;
      this.write({ ...patched(held, operation), ...common(held, period)! }, position);
    }
    if (operation.kind === "assert" || operation.kind === "replace") {
      const { labels = null, props } = operation;
      this.write({ ...period, labels, props, since: "" }, position);
    }
    return true;
  }

  /** Versions of earlier commits that an operation closes. */
  closedBy(position: number): readonly Held[] {
    return this.pieces.filter(({ writer, closer }) => writer === null && closer === position).map(({ held }) => held);
  }

  /** Versions that an operation leaves behind: what a later one of the batch takes away has never been. */
  writtenBy(position: number): readonly Held[] {
    return this.pieces.filter(({ writer, closer }) => writer === position && closer === null).map(({ held }) => held);
  }
}
