// What `palimpsest/agent` gives, by name.
export { Agent, type AgentOptions, type AskOptions, createAgent } from "./agent.js";
export type { Claim, Verdict } from "./claims/claim.js";
export type { ModelConfig } from "./provider/config.js";
export type { AgentAnswer, AgentEvent, AnsweredPart, AskResult, Limits, Mention, ShownClaim } from "./types.js";
export type { Medium } from "./words/media.js";
