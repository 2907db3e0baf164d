// The shared cases on the whole product: batches through the log, calls through the pipeline and the kernels.
import { nativeCaseStore } from "../support/native-case-store.js";
import { casesSuite } from "./cases.js";

casesSuite("native", nativeCaseStore);
