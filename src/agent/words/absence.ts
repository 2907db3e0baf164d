// How an absence is worded: that nothing was found, where it was looked for, and why there could be nothing.
import type { Search } from "../claims/absences.js";
import type { Reason } from "../claims/claim.js";
import { shownText } from "./media.js";
import { type Rendering, shownSet } from "./render.js";
import { shownInstant, shownInterval } from "./values.js";

function shownTime(time: Search["time"], { zone }: Rendering): readonly string[] {
  if (time === null) return [];
  if ("at" in time) return [`at ${shownInstant(time.at, zone)}`];
  const { from, to } = time;
  if (from !== null) return [shownInterval(from, to, zone)];
  return to === null ? [] : [`until ${shownInstant(to, zone)} (end excluded)`];
}

/** Why there could be nothing, where the verdict says so. */
function shownLimits(
  reasons: readonly Reason[],
  { extent, emptySteps }: Search,
  { zone }: Rendering,
): readonly string[] {
  const vacuous = reasons.includes("vacuous") ? [`${emptySteps.join(", ")} gave no rows to look at`] : [];
  if (!reasons.includes("outside_data")) return vacuous;
  const run =
    extent === null
      ? "the store holds nothing"
      : `the store holds nothing for that time, data run ${extent.to === null ? "" : "from "}${shownInterval(extent.from, extent.to, zone)}`;
  return [...vacuous, run];
}

export function shownAbsence(search: Search, reasons: readonly Reason[], rendering: Rendering): string {
  const { types, labels, properties, conditions, uids, time, tx, through } = search;
  const named = (what: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${what} ${names.map((name) => shownText(name, rendering.medium)).join(", ")}`];
  const looked = [
    ...named("type", types),
    ...named("label", labels),
    ...named("conditions on property", properties),
    ...(uids.length === 0 ? [] : [shownSet(uids, 0, rendering)]),
    ...named("further conditions:", conditions),
    ...shownTime(time, rendering),
    ...(tx === null ? [] : [`as believed at tx:${tx}`]),
    ...named("by", through),
    ...shownLimits(reasons, search, rendering),
  ];
  return looked.length === 0 ? "nothing found" : `nothing found (${looked.join("; ")})`;
}
