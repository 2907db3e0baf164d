// O12 resolve_entities: every text of every known entity held against the query; the best match of each is shown.
// Where the order of the text leaves two matches of one entity equal, properties go as `name_props` lists them and the
// version that begins last, then the one written last, is shown.

import { alignmentDistance, fold } from "./folding.js";
import { formatEnd, formatInstant, parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief } from "./question.js";
import { compareInstants, compareText, textSet } from "./values.js";
import { isNode, isValidAt, knownUids, type NodeVersion } from "./versions.js";

const TIERS = ["exact", "prefix", "substring", "fuzzy", "alias"] as const;
type Tier = (typeof TIERS)[number];

/** A text of an entity; `version` is null for its uid. */
interface Text {
  readonly text: string;
  readonly on: string;
  readonly version: NodeVersion | null;
  readonly kind: "current" | "former" | "corrected";
}

interface Match extends Text {
  readonly how: Tier;
  readonly distance: number;
  readonly isFolded: boolean;
}

/** How one text meets the query, the strongest way first; null when it does not. */
function meet(query: string, text: string, maxDistance: number): { how: Tier; distance: number } | null {
  if (text === query) return { how: "exact", distance: 0 };
  if (text.startsWith(query)) return { how: "prefix", distance: 0 };
  if (text.includes(query)) return { how: "substring", distance: 0 };
  const distance = alignmentDistance(query, text);
  return distance <= maxDistance ? { how: "fuzzy", distance } : null;
}

function matchOf(query: string, candidate: Text, maxDistance: number): Match | null {
  const [asked, text] = [query.normalize("NFC"), candidate.text.normalize("NFC")];
  const met = meet(fold(asked), fold(text), maxDistance);
  if (met === null) return null;
  const plain = meet(asked, text, maxDistance);
  return { ...candidate, ...met, isFolded: plain?.how !== met.how || plain.distance !== met.distance };
}

function tierOf({ kind, how }: Match): Tier {
  return kind === "current" ? how : "alias";
}

/** The order of the answer, less the uid. */
function compareMatches(a: Match, b: Match): number {
  const rank = (match: Match) => [
    TIERS.indexOf(tierOf(match)),
    ["current", "former", "corrected"].indexOf(match.kind),
    TIERS.indexOf(match.how),
    match.distance,
    match.isFolded ? 1 : 0,
    match.version === null ? 0 : 1,
    Array.from(match.text).length,
  ];
  const [left, right] = [rank(a), rank(b)];
  const difference = left.findIndex((value, i) => value !== right[i]);
  return difference < 0 ? 0 : left[difference]! - right[difference]!;
}

/** The names in versions, by the order of the properties, then of the versions. */
function namesIn(versions: readonly NodeVersion[], nameProps: readonly string[], kind: Text["kind"]): Text[] {
  const newestFirst = [...versions].sort((a, b) => compareInstants(b.validFrom, a.validFrom) || b.tx - a.tx);
  return nameProps.flatMap((on) =>
    newestFirst.flatMap((version) => {
      const text = Object.hasOwn(version.props, on) ? version.props[on] : null;
      return typeof text === "string" ? [{ text, on, version, kind }] : [];
    }),
  );
}

/** The state that is current: the version valid at `at`, else the believed one that begins last. */
function shownState(believed: readonly NodeVersion[], at: unknown): NodeVersion | undefined {
  if (at !== null) return believed.find((version) => isValidAt(version, parseInstant(at)));
  return [...believed].sort((a, b) => compareInstants(b.validFrom, a.validFrom))[0];
}

function distanceLimit(query: string, maxDistance: unknown): number {
  if (maxDistance !== null) return maxDistance as number;
  const length = Array.from(query).length;
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

function rowOf(uid: string, state: NodeVersion | undefined, match: Match, nameProps: readonly string[]): Row {
  const { kind, how, version } = match;
  const isAlias = kind !== "current" && version !== null;
  return {
    uid,
    labels: state?.labels ?? [],
    name: namesIn(state === undefined ? [] : [state], nameProps, "current")[0]?.text ?? null,
    tier: tierOf(match),
    on: match.on,
    matched: match.text,
    distance: match.distance,
    alias: isAlias
      ? { kind, how, valid_from: formatInstant(version.validFrom), valid_to: formatEnd(version.validTo) }
      : null,
  };
}

export function resolveEntities(belief: Belief, args: Args): Answer {
  const query = args.query as string;
  const nameProps = args.name_props as readonly string[];
  const labels = (args.labels ?? []) as readonly string[];
  const maxDistance = distanceLimit(query, args.max_distance);
  const nodes = belief.written.filter(isNode);

  const found: { uid: string; match: Match; row: Row }[] = [];
  for (const uid of textSet(knownUids(belief.written, belief.tx))) {
    const versions = nodes.filter((node) => node.uid === uid);
    const believed = versions.filter(({ ending }) => ending === null);
    const state = shownState(believed, args.at);
    if (!labels.every((label) => state?.labels.includes(label))) continue;
    const others = believed.filter((version) => version !== state);
    const closed = versions.filter(({ ending }) => ending !== null);
    const texts: Text[] = [
      { text: uid, on: "uid", version: null, kind: "current" },
      ...namesIn(state === undefined ? [] : [state], nameProps, "current"),
      ...namesIn(others, nameProps, "former"),
      ...namesIn(closed, nameProps, "corrected"),
    ];
    const [best] = texts
      .map((text) => matchOf(query, text, maxDistance))
      .filter((match) => match !== null)
      .sort(compareMatches);
    if (best === undefined || TIERS.indexOf(tierOf(best)) > TIERS.indexOf(args.min_tier as Tier)) continue;
    found.push({ uid, match: best, row: rowOf(uid, state, best, nameProps) });
  }
  found.sort((a, b) => compareMatches(a.match, b.match) || compareText(a.uid, b.uid));
  const tiers = Object.fromEntries(
    TIERS.map((tier) => [tier, found.filter(({ match }) => tierOf(match) === tier).length]),
  );
  return { lists: [["rows", found.map(({ row }) => row)]], fields: { tiers } };
}
