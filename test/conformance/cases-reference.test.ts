// The shared cases through the pipeline on the reference engine: argument errors, echoes, envelopes and digests.
import { parseInstant } from "../../src/contract/parse-instant.js";
import { ReferenceStore } from "../../src/reference/index.js";
import { referenceEngine } from "../support/reference-engine.js";
import { type CaseStore, casesSuite } from "./cases.js";

function makeStore(): CaseStore {
  const store = new ReferenceStore();
  return {
    engine: referenceEngine(store),
    judgesBatches: false,
    write: async (ops, txTime) => store.write(ops, parseInstant(txTime, "txTime")),
    digest: async () => store.digest(),
    close: async () => {},
  };
}

casesSuite("reference", makeStore);
