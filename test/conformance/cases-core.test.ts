// The shared cases through the pipeline on the native core, without log or files.
import { coreCaseStore } from "../support/core-case-store.js";
import { casesSuite } from "./cases.js";

casesSuite("native core", coreCaseStore);
