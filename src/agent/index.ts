// What `palimpsest/agent` gives, by name.
export { Agent, createAgent } from "./agent.js";
export type { AnswerError } from "./answer-error.js";
export type { Claim, Verdict } from "./claims/claim.js";
export type { Coverage } from "./coverage.js";
export type { Guided } from "./fronts/guided.js";
export { tqlGrammar } from "./fronts/tql-grammar/grammar.js";
export type { Built } from "./memory/build.js";
export type { NotesList, ShownNote } from "./memory/memory.js";
export { type BuildLimits, type BuildNotesOptions, type Notes, notesOf } from "./notes.js";
export type { AgentOptions, AgentWriteOptions, AskOptions, VerifyOptions } from "./options.js";
export type { FrontName } from "./prompt/systems.js";
export { isModelNamed, type ModelConfig } from "./provider/config.js";
export {
  type AgentAnswer,
  type AgentEvent,
  type AnsweredPart,
  type AskResult,
  type Limits,
  type Mention,
  MODES,
  type Mode,
  type ShownClaim,
} from "./types.js";
export type { Medium } from "./words/media.js";
export { readPolicy } from "./writes/policy.js";
export type {
  DryOp,
  DryRun,
  DryVersion,
  WriteGrounds,
  WritePolicy,
  WriteProposal,
  WriteReceipt,
} from "./writes/types.js";
