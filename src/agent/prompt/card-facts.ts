// What the card of a store tells of its labels and types, from believed versions: all of them in a small store, a sample of
// a large one.
import { canonicalJson } from "../../contract/canonical.js";
import { compareCodePoints } from "../../contract/code-points.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";
import type { SampledVersion, VersionSample } from "../../operators/version-sample.js";
import type { Properties } from "../../query/compile/catalogue.js";

export interface PropertyFacts {
  readonly name: string;
  readonly class: string;
  /** The most frequent, then by code point. */
  readonly values: readonly JsonValue[];
}

export interface NameFacts {
  readonly name: string;
  /** Versions; of a type the facts, which versions that follow each other are one of. */
  readonly count: number;
  readonly isSampled: boolean;
  readonly properties: readonly PropertyFacts[];
}

export interface TypeFacts extends NameFacts {
  /** How long its facts last. */
  readonly last: "instants" | "spells" | "both";
  /** Share of the facts that begin at an instant at which another one begins. */
  readonly tied: number;
}

const MOST_VALUES = 3;
const LONGEST_VALUE = 512;

/** Names with how often they came, the most frequent first, then by code point. */
function frequent<T>(values: Iterable<readonly [key: string, value: T]>): readonly { value: T; count: number }[] {
  const counts = new Map<string, { value: T; count: number }>();
  for (const [key, value] of values) {
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  }
  return [...counts]
    .sort(([a, { count: n }], [b, { count: m }]) => m - n || compareCodePoints(a, b))
    .map(([, entry]) => entry);
}

function valuesOf(versions: readonly SampledVersion[], property: string): readonly JsonValue[] {
  const found = versions.flatMap(({ props }): [string, JsonValue][] => {
    const value = props[property];
    if (value === undefined || value === null) return [];
    const text = typeof value === "string" ? value : canonicalJson(value);
    return text.length > LONGEST_VALUE ? [] : [[text, value]];
  });
  return frequent(found)
    .slice(0, MOST_VALUES)
    .map(({ value }) => value);
}

const propertiesOf = (versions: readonly SampledVersion[], known: Properties): readonly PropertyFacts[] =>
  [...known]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([name, type]) => ({ name, class: type, values: valuesOf(versions, name) }));

/** A count of all, where the versions are a sample of them. */
const scaled = (count: number, { versions, total }: VersionSample): number =>
  versions.length === 0 ? 0 : Math.round((count * total) / versions.length);

/** The versions that begin a fact: those that no other one of their identity ends before. */
function beginnings(versions: readonly SampledVersion[]): readonly SampledVersion[] {
  const key = (identity: readonly string[], at: string): string => `${at} ${identity.join("\0")}`;
  const ends = new Set(versions.map(({ identity, valid_to }) => (valid_to === null ? "" : key(identity, valid_to))));
  return versions.filter(({ identity, valid_from }) => !ends.has(key(identity, valid_from)));
}

/** The shortest stretch of valid time. */
const INSTANT = "PT0.000001S";

function lastingOf(versions: readonly SampledVersion[]): TypeFacts["last"] {
  const instants = versions.filter(({ duration }) => duration === INSTANT).length;
  if (instants === 0) return "spells";
  return instants === versions.length ? "instants" : "both";
}

/** Where `beginningsAt` is given, it says how many facts begin at an instant; else the versions are all there are. */
function tiedShare(versions: readonly SampledVersion[], beginningsAt: ((us: bigint) => number) | null): number {
  if (versions.length === 0) return 0;
  if (beginningsAt !== null) {
    const step = Math.max(1, Math.floor(versions.length / MOST_LOOKED_UP));
    const looked = versions.filter((_, i) => i % step === 0);
    const tied = looked.filter(({ valid_from }) => beginningsAt(parseInstant(valid_from, "valid_from")) > 1);
    return tied.length / looked.length;
  }
  const counts = new Map<string, number>();
  for (const { valid_from } of versions) counts.set(valid_from, (counts.get(valid_from) ?? 0) + 1);
  return versions.filter(({ valid_from }) => counts.get(valid_from)! > 1).length / versions.length;
}

/** Instants that are looked up to tell how many are tied. */
const MOST_LOOKED_UP = 128;

const byName = (sample: VersionSample): ReadonlyMap<string, readonly SampledVersion[]> => {
  const found = new Map<string, SampledVersion[]>();
  for (const version of sample.versions) {
    for (const name of version.names) {
      const of = found.get(name);
      if (of === undefined) found.set(name, [version]);
      else of.push(version);
    }
  }
  return found;
};

const mostFirst = <T extends NameFacts>(found: readonly T[]): readonly T[] =>
  [...found].sort((a, b) => b.count - a.count || compareCodePoints(a.name, b.name));

export interface FactsSource {
  readonly sample: VersionSample;
  /** Names at the pin, seen in the sample or not. */
  readonly names: ReadonlySet<string>;
  readonly properties: (name: string) => Properties;
}

export function labelFacts({ sample, names, properties }: FactsSource): readonly NameFacts[] {
  const found = byName(sample);
  return mostFirst(
    [...names].map((name) => {
      const versions = found.get(name) ?? [];
      return {
        name,
        count: scaled(versions.length, sample),
        isSampled: !sample.isWhole,
        properties: propertiesOf(versions, properties(name)),
      };
    }),
  );
}

export function typeFacts(
  { sample, names, properties }: FactsSource,
  beginningsAt: (us: bigint) => number,
): readonly TypeFacts[] {
  const found = byName(sample);
  return mostFirst(
    [...names].map((name) => {
      const versions = found.get(name) ?? [];
      const begun = beginnings(versions);
      return {
        name,
        count: scaled(begun.length, sample),
        isSampled: !sample.isWhole,
        last: lastingOf(versions),
        tied: tiedShare(begun, sample.isWhole ? null : beginningsAt),
        properties: propertiesOf(versions, properties(name)),
      };
    }),
  );
}
