// What names a native store knows at a commit: labels, types, and properties with their types (docs/contract.md P7).
// Looks, and keeps nothing: whoever compiles statements keeps what it was told.
import { addon } from "../../native/addon.js";
import type { NativeCore, NativeView } from "../../native/store.js";
import { CLASS_ROWS, EDGE, NODE, tables } from "../../native/tables.js";
import type { PropertyTable } from "../scan-columns.js";
import type { VersionSample } from "../version-sample.js";
import { type PropertyType, typeOfClasses } from "./property-types.js";
import { sampleVersions } from "./samples.js";
import { encodeNames } from "./scan-request.js";

const ROWS: Readonly<Record<PropertyTable, (typeof CLASS_ROWS)[keyof typeof CLASS_ROWS]>> = {
  nodes: CLASS_ROWS.believed,
  edges: CLASS_ROWS.believed,
  events: CLASS_ROWS.events,
  node_versions: CLASS_ROWS.allVersions,
  edge_versions: CLASS_ROWS.allVersions,
};

export class NativeCatalogue {
  /** A store goes on with another core now and then, so it is asked for its core each time. */
  constructor(private readonly source: { readonly core: Pick<NativeCore, "view" | "publishedTx"> }) {}

  headTx(): number {
    return this.source.core.publishedTx;
  }
  /** The newest published commit that is not later; 0 where there is none. */
  txAt(us: bigint): number {
    return this.look(null, (view) => view.txAt(us));
  }
  /** Null for the empty store. */
  txTimeUs(tx: number): bigint | null {
    return tx === 0 ? null : this.look(null, (view) => view.commit(tx).txTime);
  }
  /** How many commits are erasures. */
  erasures(): number {
    return this.look(null, (view) => view.erasures().length / 2);
  }
  /** Sorted by code point. */
  names(tx: number, of: "types" | "labels"): readonly string[] {
    return this.look(tx, (view) => addon.statistics.names(view, of));
  }
  /** `names`: any of these labels, or types. */
  properties(tx: number, table: PropertyTable, names: readonly string[] | null): ReadonlyMap<string, PropertyType> {
    const isNode = table === "nodes" || table === "node_versions";
    const found = this.look(tx, (view) =>
      tables.propertiesInUse(
        view,
        isNode ? NODE : EDGE,
        ROWS[table],
        encodeNames(names === null ? null : [...names], isNode),
      ),
    );
    return new Map(found.names.map((name, i) => [name, typeOfClasses(found.classes[i]!)]));
  }
  /** Believed versions: of at most so many rows, taken at even distances. */
  sample(tx: number, of: "nodes" | "edges", most: number): VersionSample {
    return this.look(tx, (view) => sampleVersions(view, of, most));
  }

  private look<T>(tx: number | null, read: (view: NativeView) => T): T {
    const view = this.source.core.view(tx);
    try {
      return read(view);
    } finally {
      view.release();
    }
  }
}
