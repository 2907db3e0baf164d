// The store as claims ask it, over an engine and the catalogue of its names.
import type { AnyEnvelope } from "../../contract/envelope.js";
import type { JsonObject } from "../../contract/values.js";
import type { OperatorEngine, PinnedEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";
import type { Catalogue } from "../../query/compile/catalogue.js";
import type { ClaimStore } from "./evidence.js";

const PROPERTY_TABLES = ["node_versions", "edge_versions"] as const;

export class StoreQuestions implements ClaimStore {
  constructor(
    private readonly engine: OperatorEngine,
    private readonly catalogue: Catalogue,
    private readonly signal?: AbortSignal,
  ) {}

  private at<T>(tx: number, ask: (view: PinnedEngine) => T): T {
    const view = this.engine.pin(tx);
    try {
      return ask(view);
    } finally {
      view.release();
    }
  }

  unknownUids(uids: readonly string[], tx: number): readonly string[] {
    return uids.length === 0 ? [] : this.at(tx, (view) => view.unknownUids(uids));
  }

  isKnown(kind: "label" | "type" | "property", name: string, tx: number): boolean {
    const names = this.catalogue.at(tx);
    if (kind !== "property") return names.names(kind === "label" ? "labels" : "types").has(name);
    return PROPERTY_TABLES.some((table) => names.properties(table, null).has(name));
  }

  extent(withNodes: boolean, tx: number): { readonly fromUs: bigint; readonly toUs: bigint | null } | null {
    return this.at(tx, (view) => {
      const statistics = view.statistics();
      const extent = withNodes ? statistics.wholeExtent() : statistics.extent();
      if (extent === null) return null;
      const later = { fromUs: extent.lastEndUs, toUs: null };
      const isOpen = statistics.edgesTouching(later) > 0 || (withNodes && statistics.nodesTouching(later) > 0);
      return { fromUs: extent.fromUs, toUs: isOpen ? null : extent.lastEndUs };
    });
  }

  call(op: string, args: JsonObject): Promise<AnyEnvelope> {
    return callOperator(this.engine, op, args, this.signal === undefined ? {} : { signal: this.signal });
  }
}
