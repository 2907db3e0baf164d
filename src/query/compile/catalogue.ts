// What a statement may name: labels, types and properties at a pin, and whether a name was ever seen in the store.
// Asks its source once per commit; knows nothing of engines.
import type { ScalarType } from "../../columns/types.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { commitOfPin } from "../../operators/canonical-args.js";
import type { PropertyReader } from "../../operators/declaration.js";
import type { PropertyTable } from "../../operators/scan-columns.js";
import type { VersionSample } from "../../operators/version-sample.js";

export type PropertyType = Extract<ScalarType, "int" | "double" | "bool" | "string" | "json">;

/** A store, as far as names and commits go. */
export interface CatalogueSource {
  /** The newest commit; 0 in an empty store. */
  headTx(): number;
  /** The newest commit that is not later; 0 where there is none. */
  txAt(us: bigint): number;
  /** Null for 0. */
  txTimeUs(tx: number): bigint | null;
  /** How many commits of the store are erasures: each may change what was known at commits before it. */
  erasures(): number;
  /** Sorted by code point. */
  names(tx: number, of: "types" | "labels"): readonly string[];
  /** With the type that a scan gives them; `names`: any of these labels, or types. */
  properties(tx: number, table: PropertyTable, names: readonly string[] | null): ReadonlyMap<string, PropertyType>;
  /** Believed versions: of at most so many rows, taken at even distances. */
  sample(tx: number, of: "nodes" | "edges", most: number): VersionSample;
}

export type Properties = ReadonlyMap<string, PropertyType>;

/** Commits whose names are kept. */
const KEPT_COMMITS = 8;

/** The names at one commit. */
export class CatalogueAtPin {
  private readonly known = new Map<"types" | "labels", ReadonlySet<string>>();
  private readonly propertiesOf = new Map<string, Properties>();

  constructor(
    private readonly source: CatalogueSource,
    readonly tx: number,
  ) {}

  names(of: "types" | "labels"): ReadonlySet<string> {
    let names = this.known.get(of);
    if (names === undefined) {
      names = new Set(this.source.names(this.tx, of));
      this.known.set(of, names);
    }
    return names;
  }

  properties(table: PropertyTable, names: readonly string[] | null): Properties {
    const key = names === null ? table : `${table}\0${[...names].sort().join("\0")}`;
    let found = this.propertiesOf.get(key);
    if (found === undefined) {
      found = this.source.properties(this.tx, table, names);
      this.propertiesOf.set(key, found);
    }
    return found;
  }
}

export class Catalogue {
  private readonly commits = new Map<number, CatalogueAtPin>();
  private seenTx = 0;
  private erasures = 0;

  constructor(readonly source: CatalogueSource) {}

  at(tx: number): CatalogueAtPin {
    this.forgetErased();
    let found = this.commits.get(tx);
    if (found === undefined) {
      found = new CatalogueAtPin(this.source, tx);
      this.commits.set(tx, found);
      const oldest = this.commits.keys().next().value!;
      if (this.commits.size > KEPT_COMMITS) this.commits.delete(oldest);
    }
    return found;
  }
  /** An erasure is a commit, and what it took away must not be named from memory, whatever the pin. */
  private forgetErased(): void {
    const headTx = this.source.headTx();
    if (headTx === this.seenTx) return;
    this.seenTx = headTx;
    const erasures = this.source.erasures();
    if (erasures !== this.erasures) this.commits.clear();
    this.erasures = erasures;
  }
  /** At the newest commit: what was ever seen in the store. */
  head(): CatalogueAtPin {
    return this.at(this.source.headTx());
  }
}

/** A store as it was at a commit: later ones do not exist. */
const sourceUntil = (source: CatalogueSource, tx: number): CatalogueSource => ({
  headTx: () => tx,
  txAt: (us) => Math.min(tx, source.txAt(us)),
  txTimeUs: (of) => source.txTimeUs(of),
  erasures: () => source.erasures(),
  names: (at, of) => source.names(at, of),
  properties: (at, table, names) => source.properties(at, table, names),
  sample: (at, of, most) => source.sample(at, of, most),
});

/** The names of a store as it was at a commit. */
export const catalogueUntil = (catalogue: Catalogue, tx: number): Catalogue =>
  tx === catalogue.source.headTx() ? catalogue : new Catalogue(sourceUntil(catalogue.source, tx));

/** For the verifier of plans: the types that properties have where an `as_of_tt` reads them. */
export const propertyReader =
  (catalogue: Catalogue): PropertyReader =>
  (asOf, table, names) => {
    const { source } = catalogue;
    if (asOf === null) return catalogue.head().properties(table, names);
    if (typeof asOf !== "string") return null;
    const tx = commitOfPin(asOf) ?? BigInt(source.txAt(parseInstant(asOf, "as_of_tt")));
    return tx > BigInt(source.headTx()) ? null : catalogue.at(Number(tx)).properties(table, names);
  };
