// An open store as the host of statements: its published state, and the staged head in the turn of a write.
// The one file of statements that knows stores and native engines.

import type { JsonObject } from "../../contract/values.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { NativeCatalogue } from "../../operators/native/catalogue.js";
import { type EngineSource, NativeEngine } from "../../operators/native/native-engine.js";
import type { StoreInfo } from "../../store/info.js";
import type { Store } from "../../store/store.js";
import type { CommitHead, EraseReceipt, EraseTouched } from "../../store/types.js";
import { Catalogue } from "../compile/catalogue.js";
import type { Batch, QueryHost, ReadableState } from "./host.js";
import { notNow } from "./limits.js";

interface HostParts {
  readonly store: Store;
  readonly engine: NativeEngine;
  readonly callMemoryBytes: number;
  readonly deadlineMs: number | undefined;
  /** The commits of the log up to one, in the reference engine. */
  readonly reference: (tx: number) => Promise<OperatorEngine>;
}

export class StoreHost implements QueryHost {
  readonly published: ReadableState;

  constructor(private readonly parts: HostParts) {
    const { store, engine } = parts;
    this.published = { engine, catalogue: new Catalogue(new NativeCatalogue(store)) };
  }

  get isReadOnly(): boolean {
    return this.parts.store.isReadOnly;
  }
  get deadlineMs(): number | undefined {
    return this.parts.deadlineMs;
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.parts.store.during(work);
  }

  writeInTurn(
    make: (staged: ReadableState) => Promise<readonly Batch[]>,
    ifTx?: number,
  ): Promise<readonly (CommitHead | EraseReceipt | null)[]> {
    return this.parts.store.writeInTurn(async (core) => {
      const head = core.stagedTx;
      if (ifTx !== undefined && ifTx !== head) {
        throw notNow(
          `the store is at tx:${head}, and this block rests on tx:${ifTx}`,
          "ROLLBACK, and begin again at the new head",
          "head_moved",
        );
      }
      const view = { view: (tx: number | null) => core.stagedView(tx), publishedTx: head };
      return make(this.stagedState({ core: view, resolveInstant: (us) => ({ tx: txAt(view, us), notices: [] }) }));
    });
  }

  touchedByErase(ref: JsonObject): Promise<EraseTouched> {
    return this.parts.store.touchedByErase(ref);
  }
  info(): StoreInfo {
    return this.parts.store.info();
  }
  reference(tx: number): Promise<OperatorEngine> {
    return this.parts.reference(tx);
  }

  private stagedState(source: EngineSource): ReadableState {
    const engine = new NativeEngine(source, this.parts.callMemoryBytes);
    return { engine, catalogue: new Catalogue(new NativeCatalogue(source)) };
  }
}

function txAt(core: EngineSource["core"], us: bigint): number {
  const view = core.view(null);
  try {
    return view.txAt(us);
  } finally {
    view.release();
  }
}
