// What the verifier may know of a store, out of an engine: views of commits, made when they are asked for.
import { type Ceilings, DEFAULT_CEILINGS } from "../../operators/cost-guard.js";
import type { OperatorEngine, PinnedEngine } from "../../operators/engine.js";
import type { VerifyStore } from "./context.js";

class EngineStore implements VerifyStore {
  readonly ceilings: Ceilings;
  private readonly pinned = new Map<number, PinnedEngine>();

  constructor(
    private readonly engine: OperatorEngine,
    readonly headTx: number,
    ceilings: Partial<Ceilings>,
  ) {
    this.ceilings = { ...DEFAULT_CEILINGS, ...ceilings };
  }

  at(tx: number): PinnedEngine {
    let view = this.pinned.get(tx);
    if (view === undefined) {
      view = this.engine.pin(tx);
      this.pinned.set(tx, view);
    }
    return view;
  }

  release(): void {
    for (const view of this.pinned.values()) view.release();
  }
}

/** Runs `work` with the store as it is at a commit; every view that was taken is released after. */
export function withStore<T>(
  engine: OperatorEngine,
  headTx: number,
  ceilings: Partial<Ceilings>,
  work: (store: VerifyStore) => T,
): T {
  const store = new EngineStore(engine, headTx, ceilings);
  try {
    return work(store);
  } finally {
    store.release();
  }
}
