// The shared cases through the pipeline on the reference engine: argument errors, echoes, envelopes and digests.
import { referenceCaseStore } from "../support/reference-case-store.js";
import { casesSuite } from "./cases.js";

casesSuite("reference", referenceCaseStore);
