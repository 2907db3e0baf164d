// A plan that has run, as the claim verifier takes it: a store in memory, its trace, and the payloads of its steps.
import type { Evidence, MentionedSubject } from "../../src/agent/claims/evidence.js";
import { evidenceOfRun } from "../../src/agent/trace-evidence.js";
import { NativeCatalogue } from "../../src/operators/native/catalogue.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { tracePlan } from "../../src/plan/index.js";
import { Catalogue } from "../../src/query/compile/catalogue.js";
import type { ReadableState } from "../../src/query/index.js";
import { Store } from "../../src/store/store.js";

export interface AskedStore {
  readonly store: Store;
  readonly state: ReadableState;
  /** Runs a plan and gives what claims stand on. */
  ask(plan: unknown, mentions?: readonly MentionedSubject[]): Promise<Evidence>;
  close(): Promise<void>;
}

export async function askedStore(): Promise<AskedStore> {
  const store = await Store.open(":memory:", {});
  const engine = new NativeEngine(store);
  const catalogue = new Catalogue(new NativeCatalogue(store));
  return {
    store,
    state: { engine, catalogue },
    async ask(plan, mentions = []) {
      const run = await tracePlan(engine, plan);
      if (run.error !== null) throw run.error;
      return evidenceOfRun({ engine, catalogue }, run, { mentions });
    },
    close: () => store.close(),
  };
}
