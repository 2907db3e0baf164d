// The agent that a program makes over an open database: options read, limits kept, one question at a time or many at once.

import { zoneOf } from "../calendar/zones.js";
import { PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { parseInstant } from "../contract/parse-instant.js";
import { LONGEST_TIMER_MS } from "../contract/timers.js";
import { isPlainObject, isWellFormed } from "../contract/values.js";
import { Database } from "../database.js";
import type { ReadableState } from "../query/index.js";
import { ask } from "./ask.js";
import { AskedSince } from "./asked-since.js";
import type { Verdict } from "./claims/claim.js";
import { GUIDED, type Guided } from "./fronts/guided.js";
import { Memory } from "./memory/memory.js";
import { checkKeys, checkNameProps, checkNames, checkSignal, refuse } from "./option-checks.js";
import { USUAL_NAME_PROPS } from "./prompt/card.js";
import { FRONTS, type Front } from "./prompt/systems.js";
import { isModelNamed, type ModelConfig, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";
import { MemoryCache, type ResponseCache, StoreCache } from "./provider/response-cache.js";
import { evidenceOfTrace, verdictsOn } from "./trace-evidence.js";
import {
  type AgentEvent,
  type AskResult,
  DEFAULT_LIMITS,
  type Limits,
  type Mention,
  MODES,
  type Mode,
} from "./types.js";
import type { Medium } from "./words/media.js";
import { Batches } from "./writes/batches.js";
import { KeptGrounds } from "./writes/kept-grounds.js";
import { readPolicy } from "./writes/policy.js";
import { readProposal } from "./writes/proposal.js";
import type { WriteGrounds, WritePolicy, WriteProposal, WriteReceipt } from "./writes/types.js";
import { writableStore } from "./writes/writable-store.js";
import { write } from "./writes/write.js";

export interface AgentOptions {
  readonly model?: ModelConfig;
  /** Properties that hold names of entities, the best first. Default: `["name"]`. */
  readonly name_props?: readonly string[];
  /** Whole plans, single calls, or calls where no plan held. Default: `"auto"`. */
  readonly mode?: Mode;
  readonly limits?: Partial<Limits>;
  /** What the model writes: a plan as JSON (default), or a statement of TQL. */
  readonly front?: Front;
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
  /** Zone of dates in the question that name none. Default: UTC. */
  readonly zone?: string;
  readonly signal?: AbortSignal;
  readonly on_event?: (event: AgentEvent) => void;
  /** Default: that of the agent. */
  readonly mode?: Mode;
  readonly limits?: Partial<Limits>;
  /** For this question. Default: that of the agent. */
  readonly front?: Front;
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
const MEDIA: readonly Medium[] = ["plain", "terminal", "markdown", "html"];

function limitsOf(...given: readonly (Partial<Limits> | undefined)[]): Limits {
  for (const each of given) if (each !== undefined) checkKeys("limits", each, Object.keys(DEFAULT_LIMITS));
  const limits = Object.assign({}, DEFAULT_LIMITS, ...given) as Limits;
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      refuse(`there is no limit ${name}`, `legal: ${Object.keys(DEFAULT_LIMITS).join(", ")}`);
    if (!Number.isSafeInteger(value) || value < 0)
      refuse(`limits.${name} is ${String(value)}`, "give a whole number from 0");
  }
  return limits;
}

function checkQuestion(question: unknown): void {
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
  if (front !== undefined && !Object.hasOwn(FRONTS, String(front)))
    refuse(`front ${String(front).slice(0, 64)} is none`, `one of ${Object.keys(FRONTS).join(", ")}`);
}

function checkAskOptions(options: AskOptions): void {
  checkKeys("options of ask", options, ["pin", "entities", "zone", "signal", "on_event", "mode", "limits", "front"]);
  const { entities, zone, signal, on_event: onEvent, pin, mode, front } = options;
  checkMode(mode);
  checkFront(front);
  checkNames("entities", entities, MOST_ENTITIES);
  for (const [name, value] of Object.entries({ zone, pin })) {
    if (value !== undefined && typeof value !== "string") refuse(`${name} is no text`, "write it as a text");
  }
  checkSignal(signal);
  if (onEvent !== undefined && typeof onEvent !== "function") refuse("on_event is no function", "give (event) => {}");
}

function checkAgentOptions(options: AgentOptions): void {
  checkKeys("options of an agent", options, [
    "model",
    "name_props",
    "mode",
    "limits",
    "cache",
    "medium",
    "front",
    "memory",
    "guided",
  ]);
  const { name_props: names, medium, cache, memory, mode, front, guided } = options;
  checkMode(mode);
  checkFront(front);
  if (guided !== undefined && !GUIDED.includes(guided))
    refuse(`guided ${String(guided).slice(0, 64)} is none`, `one of ${GUIDED.join(", ")}`);
  checkNameProps(names);
  if (medium !== undefined && !MEDIA.includes(medium))
    refuse(`medium ${String(medium)} is none`, `one of ${MEDIA.join(", ")}`);
  if (cache !== undefined && !CACHES.includes(cache)) refuse("cache is none", `one of ${CACHES.join(", ")}`);
  if (memory !== undefined && !MEMORIES.includes(memory)) refuse("memory is none", `one of ${MEMORIES.join(", ")}`);
}

function cacheOf(cache: AgentOptions["cache"], db: Database, since: AskedSince): ResponseCache | null {
  if (cache === undefined || cache === "off") return null;
  if (cache === "memory") return new MemoryCache(since);
  const files = Database.derived(db);
  if (files === null) refuse("a store in memory has no folder for a cache", 'take cache "memory"');
  return new StoreCache(files, since);
}

/** The wall of a question is a signal among others: only here it is known which one it was. */
function ofWall(error: unknown, { wall_ms }: Limits): unknown {
  if (!(error instanceof PalimpsestError) || error.code !== "E_CANCELLED") return error;
  return new PalimpsestError("E_CANCELLED", `the question took longer than limits.wall_ms = ${wall_ms}`, {
    details: { ...error.details, reason: "deadline", limit: "wall_ms" },
    hint: "raise limits.wall_ms, or ask a smaller question",
    cause: error,
  });
}

function checkVerifyOptions(options: VerifyOptions): void {
  checkKeys("options of verify", options, ["signal", "mentions"]);
  checkSignal(options.signal);
  checkMentions(options.mentions);
}

function checkMentions(mentions: unknown = []): void {
  const isMention = (each: unknown): boolean =>
    isPlainObject(each) && typeof each.id === "string" && ["string", "object", "undefined"].includes(typeof each.uid);
  if (!Array.isArray(mentions) || !mentions.every(isMention))
    refuse("mentions are none", "give those of the answer: [{id, uid}]");
}

function checkWriteOptions(options: AgentWriteOptions): void {
  checkKeys("options of write", options, ["policy", "grounds", "signal"]);
  checkSignal(options.signal);
  const { grounds } = options;
  if (grounds === undefined) return;
  const isGrounds = isPlainObject(grounds) && Array.isArray(grounds.claims);
  const { mentions, question } = grounds;
  if (!isGrounds || (question !== undefined && typeof question !== "string"))
    refuse("grounds are none", "give {trace, claims}, and mentions and question of what was asked");
  checkMentions(mentions);
}

function checkWritable(db: Database): void {
  if (!db.isReadOnly) return;
  throw new PalimpsestError("E_READONLY", "this handle only reads", { hint: "open the store without readOnly" });
}

export class Agent {
  private provider: Provider | null = null;
  private readonly grounds: KeptGrounds;
  private readonly batches = new Batches();
  private readonly since: AskedSince;

  constructor(
    private readonly db: Database,
    private readonly options: AgentOptions,
  ) {
    checkAgentOptions(options);
    this.since = new AskedSince(() => Database.facts(db));
    this.grounds = new KeptGrounds(this.since);
    limitsOf(options.limits);
    // Who only verifies and writes needs no model.
    if (options.model !== undefined || isModelNamed()) this.asked();
  }

  private asked(): Provider {
    const { model, cache } = this.options;
    this.provider ??= new Provider(readConfig(model), cacheOf(cache, this.db, this.since));
    return this.provider;
  }

  /** The commit that a pin means; E_TX_UNKNOWN for one that does not exist yet. */
  private async askTx({ engine }: ReadableState, pin: string | undefined): Promise<number> {
    if (pin === undefined) return engine.headTx();
    const named = /^tx:(\d{1,15})$/.exec(pin);
    const tx =
      named === null ? (await engine.resolveInstant(parseInstant(pin, "pin"), undefined)).tx : Number(named[1]);
    if (tx <= engine.headTx()) return tx;
    throw new PalimpsestError("E_TX_UNKNOWN", `there is no commit ${pin} yet; the latest is tx:${engine.headTx()}`, {
      hint: `name one up to tx:${engine.headTx()}, or leave the pin out`,
    });
  }

  /**
   * Answers a question: a model plans and words, the database computes, code prints every value. Throws E_INVALID_ARG,
   * E_TX_UNKNOWN, E_CANCELLED, E_MODEL, and E_LIMIT for what no context or answer of the model holds; whatever else goes
   * wrong is in the answer.
   */
  async ask(question: string, options: AskOptions = {}): Promise<AskResult> {
    checkQuestion(question);
    checkAskOptions(options);
    const { entities = [], zone = "UTC", signal, on_event: onEvent = () => {}, pin } = options;
    zoneOf(zone, "zone");
    const provider = this.asked();
    const limits = limitsOf(this.options.limits, options.limits);
    const wall = AbortSignal.timeout(Math.min(limits.wall_ms, LONGEST_TIMER_MS));
    const stopped = signal === undefined ? wall : AbortSignal.any([signal, wall]);
    const asking = Database.reading(this.db, async (state) => {
      const askTx = await this.askTx(state, pin);
      return this.since.during(async () => {
        const result = await ask({
          state,
          provider,
          question,
          askTx,
          entities,
          zone,
          nameProps: this.options.name_props ?? USUAL_NAME_PROPS,
          medium: this.options.medium ?? "plain",
          mode: options.mode ?? this.options.mode ?? "auto",
          limits,
          front: options.front ?? this.options.front ?? "json",
          guided: this.options.guided ?? "shape",
          signal: stopped,
          onEvent,
          ...(this.options.memory === "read"
            ? { notesOf: (mentions) => Memory.of(this.db).forQuestion(state, askTx, mentions, stopped) }
            : {}),
        });
        this.grounds.keep(question, result);
        return result;
      });
    });
    return asking.catch((error: unknown) => {
      throw wall.aborted && signal?.aborted !== true ? ofWall(error, limits) : error;
    });
  }

  /**
   * A verdict for each claim, whoever made it, over a trace, whoever made that: its plan is run again at its pin, and where
   * anything in it is another, no claim stands (`digest_mismatch`). A `value` that a claim carries is checked. No model is
   * asked. E_SCHEMA for what is no trace.
   */
  async verify(claims: readonly unknown[], trace: unknown, options: VerifyOptions = {}): Promise<readonly Verdict[]> {
    if (!Array.isArray(claims)) refuse("claims are no list", 'give [{"id": "c1", "type": "count", "cell": …}]');
    checkVerifyOptions(options);
    const { signal, mentions = [] } = options;
    const subjects = mentions.map(({ id, uid = null }) => ({ id, uid }));
    const run = { mentions: subjects, ...(signal === undefined ? {} : { signal }) };
    return Database.reading(this.db, async (state) =>
      verdictsOn(await evidenceOfTrace(state, trace, run), claims, { signal }),
    );
  }

  /**
   * Writes what was proposed because of an answer, if every rule of docs/agent.md "Writes" lets it: one batch, or nothing.
   * The same proposal again gives the first receipt. A refusal is E_STATE or E_INVALID_ARG with `details.rule`.
   */
  async write(proposal: WriteProposal, options: AgentWriteOptions): Promise<WriteReceipt> {
    checkWritable(this.db);
    readGiven("options", "the options", () => checkWriteOptions(options));
    const { grounds, signal } = options;
    const policy = readPolicy(options.policy);
    const read = readProposal(proposal, policy);
    return Database.reading(this.db, (state) =>
      write({
        store: writableStore(this.db, state),
        proposal: read,
        policy,
        grounds: grounds ?? this.grounds.of(read.traceDigest),
        batches: this.batches,
        medium: this.options.medium ?? "plain",
        signal,
      }),
    );
  }
}

/** An agent over an open database. */
export function createAgent(db: Database, options: AgentOptions = {}): Agent {
  return new Agent(db, options);
}
