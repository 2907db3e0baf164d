// The agent that a program makes over an open database: options read, limits kept, one question at a time or many at once.

import { zoneOf } from "../calendar/zones.js";
import { PalimpsestError } from "../contract/errors.js";
import { parseInstant } from "../contract/parse-instant.js";
import { Database } from "../database.js";
import { ask } from "./ask.js";
import { type ModelConfig, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";
import { FolderCache, MemoryCache, type ResponseCache } from "./provider/response-cache.js";
import { type AgentEvent, type AskResult, DEFAULT_LIMITS, type Limits } from "./types.js";
import type { Medium } from "./words/media.js";

export interface AgentOptions {
  readonly model?: ModelConfig;
  /** Properties that hold names of entities, the best first. Default: `["name"]`. */
  readonly name_props?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Answers of the model are kept: not at all (default), in memory, or in a folder. */
  readonly cache?: "off" | "memory" | { readonly folder: string };
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
  readonly limits?: Partial<Limits>;
}

const LONGEST_QUESTION = 4_000;

function refuse(message: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint });
}

function limitsOf(...given: readonly (Partial<Limits> | undefined)[]): Limits {
  const limits = Object.assign({}, DEFAULT_LIMITS, ...given) as Limits;
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      refuse(`there is no limit ${name}`, `legal: ${Object.keys(DEFAULT_LIMITS).join(", ")}`);
    if (!Number.isSafeInteger(value) || value < 0)
      refuse(`limits.${name} is ${String(value)}`, "give a whole number from 0");
  }
  return limits;
}

function cacheOf(cache: AgentOptions["cache"]): ResponseCache | null {
  if (cache === undefined || cache === "off") return null;
  return cache === "memory" ? new MemoryCache() : new FolderCache(cache.folder);
}

export class Agent {
  private readonly provider: Provider;

  constructor(
    private readonly db: Database,
    private readonly options: AgentOptions,
  ) {
    this.provider = new Provider(readConfig(options.model), cacheOf(options.cache));
    limitsOf(options.limits);
  }

  /** The commit that a pin means; E_TX_UNKNOWN for one that does not exist yet. */
  private async askTx(pin: string | undefined): Promise<number> {
    const { engine } = Database.publishedState(this.db);
    if (pin === undefined) return engine.headTx();
    const named = /^tx:(\d{1,15})$/.exec(pin);
    const tx =
      named === null ? (await engine.resolveInstant(parseInstant(pin, "pin"), undefined)).tx : Number(named[1]);
    if (tx <= engine.headTx()) return tx;
    throw new PalimpsestError("E_TX_UNKNOWN", `there is no commit ${pin} yet; the latest is tx:${engine.headTx()}`, {
      hint: "",
    });
  }

  /**
   * Answers a question: a model plans and words, the database computes, code prints every value. Throws E_INVALID_ARG,
   * E_TX_UNKNOWN, E_CANCELLED and E_MODEL; whatever else goes wrong is in the answer.
   */
  async ask(question: string, options: AskOptions = {}): Promise<AskResult> {
    if (typeof question !== "string" || question.trim() === "") refuse("there is no question", "ask in words");
    if (question.length > LONGEST_QUESTION)
      refuse(`a question of ${question.length} characters`, `at most ${LONGEST_QUESTION}`);
    const { entities = [], zone = "UTC", signal, on_event: onEvent = () => {} } = options;
    zoneOf(zone, "zone");
    const limits = limitsOf(this.options.limits, options.limits);
    const wall = AbortSignal.timeout(limits.wall_ms);
    return ask({
      state: Database.publishedState(this.db),
      provider: this.provider,
      question,
      askTx: await this.askTx(options.pin),
      entities,
      zone,
      nameProps: this.options.name_props ?? ["name"],
      medium: this.options.medium ?? "plain",
      limits,
      signal: signal === undefined ? wall : AbortSignal.any([signal, wall]),
      onEvent,
    });
  }
}

/** An agent over an open database. */
export function createAgent(db: Database, options: AgentOptions = {}): Agent {
  return new Agent(db, options);
}
