// The closing word of a load, for people or as JSON.
import { grouped, note, plural, printJson } from "../output.js";
import type { LoadFlags } from "./flags.js";
import type { LoadProgress } from "./progress.js";
import type { Refusals } from "./refusals.js";

export async function summarise(
  flags: LoadFlags,
  progress: LoadProgress,
  refusals: Refusals,
  found: { tx_from: number; tx_to: number; nodes: number; edges: number },
): Promise<void> {
  const { rows, seconds } = progress;
  if (flags.json === true) {
    await printJson({ rows, refused: refusals.count, ...found, seconds: Math.round(seconds * 1000) / 1000 });
    return;
  }
  const range = found.tx_to < found.tx_from ? "no commit" : `commits ${found.tx_from} to ${found.tx_to}`;
  const commits = found.tx_from === found.tx_to ? `commit ${found.tx_to}` : range;
  const refused = refusals.count === 0 ? "" : `, ${plural(refusals.count, "record")} skipped`;
  note(
    `${plural(rows, "row")} in ${seconds.toFixed(2)} s (${grouped(Math.round(rows / seconds))} rows/s): ${commits}, ` +
      `${plural(found.nodes, "new node")} and ${plural(found.edges, "new edge")}${refused}`,
  );
}
