// The card of a store as believed at a pin: what there is, over which time, under which names. All of it is data, and goes to
// a model inside a fence.
import { canonicalJson } from "../../contract/canonical.js";
import { formatInstant } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { OperatorEngine } from "../../operators/engine.js";
import type { Catalogue } from "../../query/compile/catalogue.js";
import { roughTokens } from "../provider/tokens.js";
import { labelFacts, type NameFacts, type PropertyFacts, type TypeFacts, typeFacts } from "./card-facts.js";

/** Versions of each kind that are looked at. */
const MOST_VERSIONS = 1_024;
/** Types and labels that are told of, the most frequent first, and properties of each. */
const MOST_NAMES = 40;
const MOST_PROPERTIES = 24;

/** How much of a card is told. */
export interface CardSize {
  readonly hasSamples: boolean;
  readonly cardTokens: number | null;
}

export const WHOLE_CARD: CardSize = { hasSamples: true, cardTokens: null };
/** The properties that hold names of entities, where nobody says which do. */
export const USUAL_NAME_PROPS: readonly string[] = ["name"];

interface CardFacts {
  /** Commit, extents, counts. */
  readonly head: readonly JsonObject[];
  readonly types: readonly TypeFacts[];
  readonly labels: readonly NameFacts[];
}

const counted = ({ count, isSampled }: NameFacts): JsonValue => (isSampled ? `about ${count}` : count);

/** One line a property, the first ones of all names before the second ones of any would tell less: names in their order. */
function propertyLines(of: "type" | "label", { name, properties }: NameFacts, hasSamples: boolean): JsonObject[] {
  const shown = properties.slice(0, MOST_PROPERTIES);
  if (!hasSamples) {
    if (shown.length === 0) return [];
    return [{ [of]: name, properties: Object.fromEntries(shown.map((each) => [each.name, each.class])) }];
  }
  return shown.map(({ name: property, class: type, values }) => ({
    [of]: name,
    property,
    class: type,
    values: [...values],
  }));
}

/** The lines that fit, and how many do not. */
function withinTokens(lines: readonly JsonValue[], most: number): readonly JsonValue[] {
  let tokens = 0;
  for (const [i, line] of lines.entries()) {
    tokens += roughTokens(canonicalJson(line));
    if (tokens > most) return [...lines.slice(0, i), { left_out: lines.length - i }];
  }
  return lines;
}

export class Card {
  constructor(private readonly facts: CardFacts) {}

  get typeCount(): number {
    return this.facts.types.length;
  }
  get labelCount(): number {
    return this.facts.labels.length;
  }

  /** Each a line of the fence; the most telling first, as the last ones are cut. */
  lines({ hasSamples, cardTokens }: CardSize): readonly JsonValue[] {
    const { head, types, labels } = this.facts;
    const told = types.slice(0, MOST_NAMES);
    const [someLabels, leftOut] = [labels.slice(0, MOST_NAMES), types.length + labels.length];
    const lines: JsonValue[] = [
      ...head,
      ...told.map((type) => ({
        type: type.name,
        facts: counted(type),
        are: type.last,
        tied_instants: `${Math.round(100 * type.tied)}%`,
      })),
      ...someLabels.map((label) => ({ label: label.name, nodes: counted(label) })),
      ...told.flatMap((type) => propertyLines("type", type, hasSamples)),
      ...someLabels.flatMap((label) => propertyLines("label", label, hasSamples)),
    ];
    const missing = leftOut - told.length - someLabels.length;
    const whole = missing === 0 ? lines : [...lines, { types_and_labels_left_out: missing }];
    return cardTokens === null ? whole : withinTokens(whole, cardTokens);
  }

  /** The values that the whole card shows for a property, of whatever type or label. */
  valuesOf(property: string): readonly JsonValue[] {
    const named = [...this.facts.types.slice(0, MOST_NAMES), ...this.facts.labels.slice(0, MOST_NAMES)];
    const shown = named.flatMap(({ properties }): readonly PropertyFacts[] => properties.slice(0, MOST_PROPERTIES));
    return shown.filter(({ name }) => name === property).flatMap(({ values }) => values);
  }
}

interface Kept {
  readonly key: string;
  readonly card: Card;
}
const kept = new WeakMap<Catalogue, Kept>();

/** The card at a commit; made once while the commit is asked. */
export function cardOf(engine: OperatorEngine, catalogue: Catalogue, tx: number, nameProps: readonly string[]): Card {
  // What an erasure took away must not be told from memory, whatever the commit.
  const key = JSON.stringify([tx, catalogue.source.erasures(), nameProps]);
  const known = kept.get(catalogue);
  if (known?.key === key) return known.card;
  const card = new Card(gather(engine, catalogue, tx, nameProps));
  kept.set(catalogue, { key, card });
  return card;
}

const instantOf = (us: bigint | null): string | null => (us === null ? null : formatInstant(us));

function gather(engine: OperatorEngine, catalogue: Catalogue, tx: number, nameProps: readonly string[]): CardFacts {
  const { source } = catalogue;
  const names = catalogue.at(tx);
  const view = engine.pin(tx);
  try {
    const statistics = view.statistics();
    const extent = statistics.wholeExtent();
    const [nodes, edges] = [source.sample(tx, "nodes", MOST_VERSIONS), source.sample(tx, "edges", MOST_VERSIONS)];
    const beginningsAt = (us: bigint): number => statistics.eventsIn({ fromUs: us, toUs: us + 1n });
    const types = typeFacts(
      { sample: edges, names: names.names("types"), properties: (name) => names.properties("edges", [name]) },
      beginningsAt,
    );
    const labels = labelFacts({
      sample: nodes,
      names: names.names("labels"),
      properties: (name) => names.properties("nodes", [name]),
    });
    const events = types.reduce((sum, { count }) => sum + count, 0);
    const firstTime = source.txTimeUs(Math.min(tx, 1));
    return {
      head: [
        { pin: `tx:${tx}`, pin_time: instantOf(source.txTimeUs(tx)) },
        { valid_time: extent === null ? null : { from: instantOf(extent.fromUs), to: instantOf(extent.lastEndUs) } },
        {
          beliefs_begin: instantOf(firstTime),
          beliefs_until: instantOf(source.txTimeUs(tx)),
          commits: statistics.commits(),
        },
        {
          known_nodes: statistics.knownUids(),
          node_versions: statistics.nodeVersions(),
          edge_versions: statistics.edgeVersions(),
          events: edges.isWhole ? events : `about ${events}`,
          versions_ever_written: statistics.versionRows(),
        },
        { name_properties: [...nameProps] },
        ...(nodes.isWhole && edges.isWhole ? [] : [{ about: `figures of a sample of ${MOST_VERSIONS} versions` }]),
      ],
      types,
      labels,
    };
  } finally {
    view.release();
  }
}
