// Options of an agent and of what it is asked: their types, and what of them is refused before anything is done.
import { isPlainObject, isWellFormed } from "../contract/values.js";
import { GUIDED, type Guided, guidedJson } from "./fronts/guided.js";
import { checkSignal, readLimits, readNameProps, readNames, readOptions, refuse } from "./option-checks.js";
import { FRONTS, type FrontName } from "./prompt/systems.js";
import type { ModelConfig } from "./provider/config.js";
import { type AgentEvent, DEFAULT_LIMITS, type Limits, type Mention, MODES, type Mode } from "./types.js";
import { MEDIA, type Medium } from "./words/media.js";
import type { WriteGrounds, WritePolicy } from "./writes/types.js";

export interface AgentOptions {
  readonly model?: ModelConfig;
  /** Properties that hold names of entities, the best first. Default: `["name"]`. */
  readonly name_props?: readonly string[];
  /** Whole plans, single calls, or calls where no plan held. Default: `"auto"`. */
  readonly mode?: Mode;
  readonly limits?: Partial<Limits>;
  /** What the model writes: a plan as JSON (default), or a statement of TQL. */
  readonly front?: FrontName;
  /** How closely the server is asked to keep the model to the form of plans. Default: `"shape"`. */
  readonly guided?: Guided;
  /** Answers of the model are kept: not at all (default), in memory, or in the store's folder, beside its log. */
  readonly cache?: "off" | "memory" | "store";
  /** Whether questions see notes of the windows that they name (`notesOf`). Default: `"off"`. */
  readonly memory?: "off" | "read";
  /** How texts of the store are escaped in the answer. Default: `"plain"`. */
  readonly medium?: Medium;
}

export interface AskOptions {
  /** The commit that the question is asked at: `tx:N` or an instant; left out: the newest. */
  readonly pin?: string;
  /** Entities that the question is about, though it may not name them. */
  readonly entities?: readonly string[];
  /** Zone of dates, where the question names none. Default: UTC. */
  readonly zone?: string;
  readonly signal?: AbortSignal;
  readonly on_event?: (event: AgentEvent) => void;
  /** Default: that of the agent. */
  readonly mode?: Mode;
  readonly limits?: Partial<Limits>;
  /** For this question. Default: that of the agent. */
  readonly front?: FrontName;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** What the question names, where claims are about `q1`: `mentions` of what `ask` gives. */
  readonly mentions?: readonly Pick<Mention, "id" | "uid">[];
}

export interface AgentWriteOptions {
  readonly policy: WritePolicy;
  /** Left out: what this agent's answer of that trace stands on, of the last 64. */
  readonly grounds?: WriteGrounds;
  readonly signal?: AbortSignal;
}

const LONGEST_QUESTION = 4_000;
const MOST_ENTITIES = 64;
const CACHES: readonly unknown[] = ["off", "memory", "store"];
const MEMORIES: readonly unknown[] = ["off", "read"];

/** Limits with those that are left out as they were. */
export const limitsOf = (...given: readonly (Partial<Limits> | undefined)[]): Limits =>
  Object.assign({}, DEFAULT_LIMITS, ...given) as Limits;

export function checkQuestion(question: unknown): void {
  if (typeof question !== "string" || question.trim() === "") refuse("there is no question", "ask in words");
  if (question.length > LONGEST_QUESTION)
    refuse(`a question of ${question.length} characters`, `at most ${LONGEST_QUESTION}`);
  if (!isWellFormed(question)) refuse("the question has a lone surrogate", "give well-formed text");
}

function checkMode(mode: unknown): void {
  if (mode !== undefined && !MODES.includes(mode as Mode))
    refuse(`mode ${String(mode).slice(0, 64)} is none`, `one of ${MODES.join(", ")}`);
}

function checkFront(front: unknown): void {
  if (front !== undefined && !(typeof front === "string" && Object.hasOwn(FRONTS, front)))
    refuse(`front ${String(front).slice(0, 64)} is none`, `one of ${Object.keys(FRONTS).join(", ")}`);
}

const ASK_OPTIONS = ["pin", "entities", "zone", "signal", "on_event", "mode", "limits", "front"] as const;

export function readAskOptions(given: AskOptions): AskOptions {
  return readOptions("options of ask", given, ASK_OPTIONS, (options) => {
    const { entities, zone, signal, on_event: onEvent, pin, mode, front, limits } = options;
    checkMode(mode);
    checkFront(front);
    for (const [name, value] of Object.entries({ zone, pin })) {
      if (value !== undefined && typeof value !== "string") refuse(`${name} is no text`, "write it as a text");
    }
    checkSignal(signal);
    if (onEvent !== undefined && typeof onEvent !== "function") refuse("on_event is no function", "give (event) => {}");
    const uids = readNames("entities", entities, MOST_ENTITIES);
    return {
      ...options,
      ...(uids === undefined ? {} : { entities: uids }),
      ...(limits === undefined ? {} : { limits: readLimits("limits", limits, Object.keys(DEFAULT_LIMITS)) }),
    };
  });
}

const AGENT_OPTIONS = [
  "model",
  "name_props",
  "mode",
  "limits",
  "cache",
  "medium",
  "front",
  "memory",
  "guided",
] as const;

export function readAgentOptions(given: AgentOptions): AgentOptions {
  return readOptions("options of an agent", given, AGENT_OPTIONS, (options) => {
    const { name_props: names, medium, cache, memory, mode, front, guided, limits } = options;
    checkMode(mode);
    checkFront(front);
    if (guided !== undefined && !GUIDED.includes(guided))
      refuse(`guided ${String(guided).slice(0, 64)} is none`, `one of ${GUIDED.join(", ")}`);
    if (guided !== undefined && (front ?? "json") === "json") guidedJson(guided);
    if (medium !== undefined && !MEDIA.includes(medium))
      refuse(`medium ${String(medium)} is none`, `one of ${MEDIA.join(", ")}`);
    if (cache !== undefined && !CACHES.includes(cache)) refuse("cache is none", `one of ${CACHES.join(", ")}`);
    if (memory !== undefined && !MEMORIES.includes(memory)) refuse("memory is none", `one of ${MEMORIES.join(", ")}`);
    const props = readNameProps(names);
    return {
      ...options,
      ...(props === undefined ? {} : { name_props: props }),
      ...(limits === undefined ? {} : { limits: readLimits("limits", limits, Object.keys(DEFAULT_LIMITS)) }),
    };
  });
}

export function readVerifyOptions(given: VerifyOptions): VerifyOptions {
  return readOptions("options of verify", given, ["signal", "mentions"], (options) => {
    checkSignal(options.signal);
    checkMentions(options.mentions);
    return options;
  });
}

function checkMentions(mentions: unknown = []): void {
  const isMention = (each: unknown): boolean =>
    isPlainObject(each) && typeof each.id === "string" && ["string", "object", "undefined"].includes(typeof each.uid);
  if (!Array.isArray(mentions) || !mentions.every(isMention))
    refuse("mentions are none", "give those of the answer: [{id, uid}]");
}

export function readWriteOptions(given: AgentWriteOptions): AgentWriteOptions {
  return readOptions("options of write", given, ["policy", "grounds", "signal"], (options) => {
    checkSignal(options.signal);
    checkGrounds(options.grounds);
    return options;
  });
}

function checkGrounds(grounds: WriteGrounds | undefined): void {
  if (grounds === undefined) return;
  const isGrounds = isPlainObject(grounds) && Array.isArray(grounds.claims);
  const { mentions, question } = grounds;
  if (!isGrounds || (question !== undefined && typeof question !== "string"))
    refuse("grounds are none", "give {trace, claims}, and mentions and question of what was asked");
  checkMentions(mentions);
}
