// The lists that code prints: parts of a question that need no claim, as the results hold them, row by row.
import { canonicalJson } from "../contract/canonical.js";
import { type HeldList, heldListAt } from "./claims/cells.js";
import type { UnverifiableReason } from "./claims/claim.js";
import type { Evidence } from "./claims/evidence.js";
import { type AskedPart, isPrinted, stepOf } from "./claims/relevance.js";
import { shownText } from "./words/media.js";
import type { Rendering } from "./words/render.js";
import { inZone } from "./words/rows.js";

/** Of a row; a value that is cut would read as another. */
const LONGEST_ROW = 2_000;

/** A list, or why it cannot be shown. */
export type PrintedList = (HeldList & { readonly isCut: boolean }) | { readonly wrong: UnverifiableReason };

/** By the position of its part. */
export type PrintedLists = ReadonlyMap<number, PrintedList>;

export async function printedLists(evidence: Evidence, parts: readonly AskedPart[]): Promise<PrintedLists> {
  const lists = new Map<number, PrintedList>();
  for (const [i, part] of parts.entries()) {
    if (!isPrinted(part)) continue;
    const held = await heldListAt(evidence, part.from);
    if (typeof held === "string") lists.set(i, { wrong: held });
    else lists.set(i, { ...held, isCut: evidence.step(stepOf(part.from)!)?.record.complete !== true });
  }
  return lists;
}

/** A line a row, the values under their names; and how many rows are not among them. */
export function shownList({ rows, total, item }: HeldList, { medium, membersShown, zone }: Rendering): string {
  if (total === 0) return "no rows";
  const lines = rows
    .slice(0, membersShown)
    .map((row) => shownText(canonicalJson(zone === null ? row : inZone(row, item, zone)), medium, LONGEST_ROW));
  const left = total - lines.length;
  return [...lines, ...(left > 0 ? [`and ${left} more rows`] : [])].join("\n");
}
