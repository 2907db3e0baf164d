// The examples of every declaration on the reference engine.
import { referenceCaseStore } from "../support/reference-case-store.js";
import { examplesSuite } from "./examples.js";

examplesSuite("reference", referenceCaseStore);
