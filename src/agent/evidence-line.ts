// The line that stands under an answer for each of its claims: what was shown, the cells with their rows, the call as it was
// made without what are defaults, its commit and its digest. Made by code from the trace.
import { canonicalJson } from "../contract/canonical.js";
import type { Cell } from "./claims/cells.js";
import type { Evidence } from "./claims/evidence.js";
import type { Places } from "./claims/places.js";
import { pathsOf, stepOf } from "./claims/relevance.js";
import { toldArguments } from "./claims/told-arguments.js";
import type { JudgedClaim } from "./gate.js";
import { type Medium, shownText } from "./words/media.js";

const LONGEST_ARGUMENTS = 600;

/** The names of the row that a cell is of, but for the cell itself: ` (src a, day …)`. */
function rowName({ list, row, field, step }: Cell, medium: Medium): string {
  const columns = list === null || row === null ? [] : (step.record.row_keys[list] ?? []);
  const names = columns
    .filter((column) => column !== field && Object.hasOwn(row!, column))
    .map((column) => {
      const value = row![column]!;
      return `${column} ${shownText(typeof value === "string" ? value : canonicalJson(value), medium)}`;
    });
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

/** One line for a claim that is shown as `value`. */
export function evidenceLine(
  evidence: Evidence,
  { claim, verdict }: JudgedClaim,
  places: Places,
  value: string,
  medium: Medium,
): string {
  const paths = pathsOf(claim);
  const cells = paths.map((path) => {
    const cell = places.find(path);
    return cell === undefined ? path : `${path}${rowName(cell, medium)}`;
  });
  const steps = [...new Set(paths.flatMap((path) => stepOf(path) ?? []))];
  const sources = steps.flatMap((id) => {
    const record = evidence.step(id)?.record;
    if (record === undefined) return [];
    const pin = `tx:${record.pin?.tx ?? "-"}`;
    const { as_of_tt: asOf, ...args } = toldArguments(record.op, record.args ?? {});
    // The commit is told once.
    const all = asOf === undefined || asOf === pin ? args : { ...args, as_of_tt: asOf };
    return `${id} ${record.op} ${shownText(canonicalJson(all), medium, LONGEST_ARGUMENTS)} ${pin} sha256 ${record.result_digest?.slice(0, 16) ?? ""}`;
  });
  return [claim.id, value, cells.join(", "), ...sources, verdict.reasons.join(" ")]
    .filter((part) => part !== "")
    .join(" · ");
}
