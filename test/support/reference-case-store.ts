// The reference engine as a store of the conformance suites.
import { parseInstant } from "../../src/contract/parse-instant.js";
import { referenceEngine } from "../../src/operators/reference-engine.js";
import { ReferenceStore } from "../../src/reference/index.js";
import type { CaseStore } from "../conformance/cases.js";

export function referenceCaseStore(): CaseStore {
  const store = new ReferenceStore();
  return {
    engine: referenceEngine(store),
    judgesBatches: false,
    write: async (ops, txTime) => store.write(ops, parseInstant(txTime, "txTime")),
    digest: async () => store.digest(),
    close: async () => {},
  };
}
