// The card of a store as believed at a pin: what there is, over which time, under which names. All of it is data, and goes to
// a model inside a fence.
import { formatInstant } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { OperatorEngine } from "../../operators/engine.js";
import type { Catalogue } from "../../query/compile/catalogue.js";

/** Types and labels that are told of, the most frequent first. */
const MOST_NAMES = 40;
const MOST_PROPERTIES = 24;

const kept = new WeakMap<Catalogue, { readonly tx: number; readonly lines: readonly JsonValue[] }>();

/** The lines of the card at a commit; made once while the commit is asked. */
export function cardLines(engine: OperatorEngine, catalogue: Catalogue, tx: number): readonly JsonValue[] {
  const known = kept.get(catalogue);
  if (known?.tx === tx) return known.lines;
  const lines = makeCard(engine, catalogue, tx);
  kept.set(catalogue, { tx, lines });
  return lines;
}

const range = (fromUs: bigint | null, toUs: bigint | null): JsonObject => ({
  from: fromUs === null ? null : formatInstant(fromUs),
  to: toUs === null ? null : formatInstant(toUs),
});

function makeCard(engine: OperatorEngine, catalogue: Catalogue, tx: number): readonly JsonValue[] {
  const view = engine.pin(tx);
  try {
    const statistics = view.statistics();
    const extent = statistics.wholeExtent();
    const timeOf = (at: number): bigint | null => (at === 0 ? null : engine.txTimeUs(at));
    const names = catalogue.at(tx);
    const propertiesOf = (table: "nodes" | "edges", name: string): JsonObject =>
      Object.fromEntries([...names.properties(table, [name])].sort().slice(0, MOST_PROPERTIES));
    const shares = statistics.typeShares();
    const types = [...names.names("types")]
      .sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0))
      .slice(0, MOST_NAMES);
    const labels = [...names.names("labels")].slice(0, MOST_NAMES);
    return [
      { pin: `tx:${tx}`, pin_time: tx === 0 ? null : formatInstant(timeOf(tx)!) },
      { valid_time: extent === null ? null : range(extent.fromUs, extent.lastEndUs) },
      { beliefs: range(timeOf(Math.min(tx, 1)), timeOf(tx)), commits: statistics.commits() },
      {
        known_nodes: statistics.knownUids(),
        node_versions: statistics.nodeVersions(),
        edge_versions: statistics.edgeVersions(),
      },
      ...types.map((type) => ({
        type,
        percent: Math.round((shares.get(type) ?? 0) * 100),
        properties: propertiesOf("edges", type),
      })),
      ...labels.map((label) => ({ label, properties: propertiesOf("nodes", label) })),
    ];
  } finally {
    view.release();
  }
}
