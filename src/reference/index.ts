// The public names of the reference engine: the slow, obvious second reading of the design that everything is tested against.
// Imports nothing of the product but the error class.

export { ReferenceReplay, type ReplayCommit, type ReplayItem, replayCommits } from "./replay.js";
export { type CallResult, ReferenceStore } from "./store.js";
