// What a store says of itself: the counts, extents and names at the newest commit.
import { existsSync, readdirSync, statSync } from "node:fs";
import { formatEnd, formatInstant } from "../contract/instant.js";
import { chainText } from "../log/chain.js";
import { FORMAT_VERSION, logFolder } from "../log/layout.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { withView } from "./views.js";

export interface StoreInfo {
  readonly path: string;
  readonly format_version: number;
  readonly tx: number;
  readonly tx_time: string | null;
  readonly chain: string;
  /** Known uids and known edge identities. */
  readonly nodes: number;
  readonly edges: number;
  /** Version rows ever written. */
  readonly node_versions: number;
  readonly edge_versions: number;
  /** Least and greatest instant that some version names; open ends do not count. */
  readonly valid_extent: { readonly from: string | null; readonly to: string | null };
  readonly tx_extent: { readonly from: string | null; readonly to: string | null };
  readonly types: readonly string[];
  readonly labels: readonly string[];
  readonly bytes: { readonly log: number; readonly segments: number; readonly cache: number };
}

function logBytes(path: string): number {
  const folder = logFolder(path);
  // A store in memory has none.
  if (!existsSync(folder)) return 0;
  // An erasure may take one of the files away meanwhile.
  const size = (name: string): number => statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0;
  return readdirSync(folder).reduce((sum, name) => sum + size(name), 0);
}

export function readInfo(path: string, core: NativeCore): StoreInfo {
  return withView(core, null, (view) => {
    const commit = view.commit(view.tx);
    const first = view.tx === 0 ? null : view.commit(1).txTime;
    const extent = addon.statistics.extent(view, true);
    const { leastFrom, greatestFrom, greatestTo } = extent;
    const greatest =
      greatestTo === null || (greatestFrom !== null && greatestFrom > greatestTo) ? greatestFrom : greatestTo;
    const text = (us: bigint | null): string | null => (us === null ? null : formatInstant(us));
    return {
      path,
      format_version: FORMAT_VERSION,
      tx: view.tx,
      tx_time: text(commit.txTime),
      chain: chainText(commit.chain),
      nodes: commit.nodes,
      edges: commit.edges,
      node_versions: commit.nodeRows,
      edge_versions: commit.edgeRows,
      valid_extent: { from: text(leastFrom), to: greatest === null ? null : formatEnd(greatest) },
      tx_extent: { from: text(first), to: text(commit.txTime) },
      types: addon.statistics.names(view, "types"),
      labels: addon.statistics.names(view, "labels"),
      bytes: { log: logBytes(path), segments: 0, cache: 0 },
    };
  });
}
