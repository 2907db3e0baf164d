// The agent that a program makes over an open database: limits kept, one question at a time or many at once.
import { zoneOf } from "../calendar/zones.js";
import { PalimpsestError } from "../contract/errors.js";
import { parseInstant } from "../contract/parse-instant.js";
import { Database } from "../database.js";
import type { ReadableState } from "../query/index.js";
import { ask } from "./ask.js";
import { AskedSince } from "./asked-since.js";
import type { Verdict } from "./claims/claim.js";
import { Memory } from "./memory/memory.js";
import { checkDatabase, refuse } from "./option-checks.js";
import {
  type AgentOptions,
  type AgentWriteOptions,
  type AskOptions,
  checkQuestion,
  limitsOf,
  readAgentOptions,
  readAskOptions,
  readVerifyOptions,
  readWriteOptions,
  type VerifyOptions,
} from "./options.js";
import { USUAL_NAME_PROPS } from "./prompt/card.js";
import { isModelNamed, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";
import { MemoryCache, type ResponseCache, StoreCache } from "./provider/response-cache.js";
import { evidenceOfTrace, verdictsOn } from "./trace-evidence.js";
import type { AskResult } from "./types.js";
import { withinWall } from "./wall.js";
import { KeptGrounds } from "./writes/kept-grounds.js";
import { readPolicy } from "./writes/policy.js";
import { readProposal } from "./writes/proposal.js";
import type { WriteProposal, WriteReceipt } from "./writes/types.js";
import { writableStore } from "./writes/writable-store.js";
import { write } from "./writes/write.js";

function cacheOf(cache: AgentOptions["cache"], db: Database, since: AskedSince): ResponseCache | null {
  if (cache === undefined || cache === "off") return null;
  if (cache === "memory") return new MemoryCache(since);
  const files = Database.derived(db);
  if (files === null) refuse("a store in memory has no folder for a cache", 'take cache "memory"');
  return new StoreCache(files, since);
}

function checkWritable(db: Database): void {
  if (!db.isReadOnly) return;
  throw new PalimpsestError("E_READONLY", "this handle only reads", { hint: "open the store without readOnly" });
}

export class Agent {
  private provider: Provider | null = null;
  private readonly grounds: KeptGrounds;
  private readonly since: AskedSince;

  private readonly options: AgentOptions;

  constructor(
    private readonly db: Database,
    options: AgentOptions,
  ) {
    checkDatabase(db);
    this.options = readAgentOptions(options);
    this.since = new AskedSince(() => Database.facts(db));
    this.grounds = new KeptGrounds(this.since);
    // Who only verifies and writes needs no model.
    if (this.options.model !== undefined || isModelNamed()) this.providerOf();
  }

  /** The model that is asked; E_INVALID_ARG where none is named. */
  private providerOf(): Provider {
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
   * Answers a question: a model plans and words, the database computes, code prints every value. Throws E_INVALID_ARG, E_SCHEMA
   * where an option cannot even be read, E_TX_UNKNOWN, E_CANCELLED and E_MODEL; whatever else goes wrong is in the answer.
   */
  async ask(question: string, given: AskOptions = {}): Promise<AskResult> {
    checkQuestion(question);
    const options = readAskOptions(given);
    const { entities = [], zone = "UTC", signal, on_event: onEvent = () => {}, pin } = options;
    zoneOf(zone, "zone");
    const provider = this.providerOf();
    const limits = limitsOf(this.options.limits, options.limits);
    return withinWall({ wallMs: limits.wall_ms, signal, what: "the question" }, (stopped) =>
      Database.reading(this.db, async (state) => {
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
      }),
    );
  }

  /**
   * A verdict for each claim, whoever made it, over a trace, whoever made that: its plan is run again at its pin, and where
   * anything in it is another, no claim stands (`digest_mismatch`). A `value` that a claim carries is checked. No model is
   * asked. E_SCHEMA for what is no trace.
   */
  async verify(claims: readonly unknown[], trace: unknown, options: VerifyOptions = {}): Promise<readonly Verdict[]> {
    if (!Array.isArray(claims)) refuse("claims are no list", 'give [{"id": "c1", "type": "count", "cell": …}]');
    const { signal, mentions = [] } = readVerifyOptions(options);
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
    const { grounds, signal, policy: given } = readWriteOptions(options);
    const policy = readPolicy(given);
    const read = readProposal(proposal, policy);
    return Database.reading(this.db, (state) =>
      write({
        store: writableStore(this.db, state),
        proposal: read,
        policy,
        grounds: grounds ?? this.grounds.of(read.traceDigest),
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
