// The public names of the reference engine: the slow, obvious second reading of docs/contract.md that tests use.
// Imports nothing of the product but the error class.

export { type LoggedOperation, LogOperations, type ReplayCommit } from "./log-operations.js";
export { ReferenceReplay, replayCommits } from "./replay.js";
export { type CallResult, ReferenceStore } from "./store.js";
