// Asks a model: which one and on which rung its server holds a schema, cut answers asked again with more room, a cache, and
// the account of tokens. How often a server is tried is in attempts.ts.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import { Attempts, failed } from "./attempts.js";
import { type AskProbe, type Keeping, type NamedSchema, probe, probeGrammar, shapeOf } from "./capability.js";
import type { ReadConfig, Rung } from "./config.js";
import { extractObject } from "./extract.js";
import { AttemptFailure } from "./failure.js";
import { Once } from "./once.js";
import { cacheKey, type ResponseCache } from "./response-cache.js";
import { TokenRatio } from "./tokens.js";
import { addUsage, NO_USAGE, type Usage } from "./usage.js";
import { type ChatMessage, type Shape, Wire, type WireAnswer } from "./wire.js";

const MOST_CUT_REPEATS = 1;
/** Of a model of which neither the caller nor its server says how long its context is. */
const USUAL_CONTEXT_TOKENS = 8_192;

/** What a context leaves for a prompt beside the longest answer, and about how much of it a text needs. */
export interface Room {
  readonly tokens: number;
  readonly tokensOf: (text: string) => number;
}

export const textOf = (messages: readonly ChatMessage[]): string => messages.map(({ content }) => content).join("\n");

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  /** What the server is asked to keep the answer to; null: nothing. */
  readonly schema: NamedSchema | null;
  /** Whether a value has the form that is wanted; checked whatever the server promised. */
  readonly fits: (value: JsonObject) => boolean;
  /** The messages as a cache is keyed by them: without what is random in each request. */
  readonly keyed: (text: string) => string;
  /** What else decides the answer: versions of prompts and of the registry. */
  readonly versions: JsonObject;
  readonly signal: AbortSignal;
  readonly onRetry?: (attempt: number, kind: string) => void;
}

export type ModelAnswer = {
  readonly usage: Usage;
  readonly rung: Keeping;
} & (
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "wrong"; readonly message: string; readonly text: string }
);

/** E_LIMIT for an answer that was cut twice. It was paid for all the same. */
export class CutAnswer extends PalimpsestError {
  constructor(
    tokens: number,
    readonly usage: Usage,
  ) {
    super("E_LIMIT", `the model's answer was cut at ${tokens} tokens`, {
      details: { limit: "output_cut" },
      hint: "raise model.max_output_tokens, or ask a smaller question",
    });
  }
}

/** What is known of a model; asked once. */
interface Served {
  readonly model: string;
  readonly contextTokens: number;
}

export class Provider {
  private readonly wire: Wire;
  private readonly attempts: Attempts;
  private readonly ratio = new TokenRatio();
  private readonly served = new Once<Served>();
  private readonly rung = new Once<Rung>();
  private readonly grammar = new Once<boolean>();
  /** Why the last use of the cache failed; null where it did not. */
  private notKept: PalimpsestError | null = null;

  constructor(
    private readonly config: ReadConfig,
    private readonly cache: ResponseCache | null,
    random: () => number = Math.random,
  ) {
    this.wire = new Wire(config);
    this.attempts = new Attempts(config, random);
  }

  /** The model that is asked, and how long its context is. */
  model(signal: AbortSignal): Promise<Served> {
    return this.served.of(signal, () => this.findModel(signal));
  }

  private async findModel(signal: AbortSignal): Promise<Served> {
    const { model, context_tokens: context } = this.config;
    if (model !== null && context !== null) return { model, contextTokens: context };
    const { given: models } = await this.attempts.at(() => this.wire.models(signal), signal);
    const found = model === null ? models : models.filter(({ id }) => id === model);
    if (model === null && found.length !== 1) {
      throw new PalimpsestError("E_INVALID_ARG", `the model's server has ${found.length} models, and none is named`, {
        hint: "give model.model, or set PALIMPSEST_LLM_MODEL",
      });
    }
    const contextTokens = context ?? found[0]?.context_tokens ?? USUAL_CONTEXT_TOKENS;
    return { model: model ?? found[0]!.id, contextTokens };
  }

  /** How the server keeps to a schema. */
  async capability(signal: AbortSignal): Promise<Rung> {
    if (this.config.capability !== null) return this.config.capability;
    return this.rung.of(signal, () => this.probed(probe, signal));
  }

  /** How it was found to keep to a schema; null where nothing was asked of it yet. */
  get knownCapability(): Rung | null {
    return this.config.capability ?? this.rung.known;
  }

  /** Whether the server keeps to a grammar. */
  keepsGrammars(signal: AbortSignal): Promise<boolean> {
    return this.grammar.of(signal, () => this.probed(probeGrammar, signal));
  }

  /** Whether it was found to; null where nothing was asked of it yet. */
  get knownToKeepGrammars(): boolean | null {
    return this.grammar.known;
  }

  private async probed<T>(by: (ask: AskProbe) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { model } = await this.model(signal);
    try {
      return await by(async (messages, shape, maxTokens) => {
        const ask = () => this.wire.complete(model, messages, shape, maxTokens, signal);
        return (await this.attempts.at(ask, signal, { thrown: (failure) => failure })).given;
      });
    } catch (error) {
      throw error instanceof AttemptFailure ? failed(error, 1) : error;
    }
  }

  /** What the context of the model leaves beside its answer. */
  async room(signal: AbortSignal): Promise<Room> {
    const { contextTokens } = await this.model(signal);
    const tokensOf = (text: string): number => this.ratio.estimate(text);
    return { tokens: contextTokens - this.config.max_output_tokens, tokensOf };
  }

  /**
   * Asks for one object. What the model wrote wrongly is told; what its server does wrongly is thrown (E_MODEL), and so is
   * what no context holds (E_LIMIT, a `CutAnswer` where it is the answer).
   */
  async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { signal } = request;
    const { model, contextTokens } = await this.model(signal);
    const mostTokens = contextTokens - this.checkLength(request, contextTokens);
    const rung = await this.keeping(request);
    const shape = request.schema === null ? {} : shapeOf(rung, request.schema);
    let usage = NO_USAGE;
    let maxTokens = this.config.max_output_tokens;
    for (let repeats = 0; ; repeats += 1) {
      const { answer, used } = await this.complete(model, rung, shape, maxTokens, request);
      usage = addUsage(usage, used);
      if (answer.finish_reason !== "length") return { usage, rung, ...readAnswer(answer, rung, request) };
      const more = Math.min(2 * maxTokens, mostTokens);
      if (repeats === MOST_CUT_REPEATS || more <= maxTokens) throw new CutAnswer(maxTokens, usage);
      maxTokens = more;
    }
  }

  /** What the answer can be kept to. */
  private async keeping({ schema, signal }: ModelRequest): Promise<Keeping> {
    if (schema === null) return "text";
    if (schema.grammar !== undefined && (await this.keepsGrammars(signal))) return "grammar";
    return this.capability(signal);
  }

  /** Tokens of the prompt; E_LIMIT, and nothing is sent, where it and the answer together are longer than the context. */
  private checkLength({ messages }: ModelRequest, contextTokens: number): number {
    const prompt = this.ratio.estimate(textOf(messages));
    if (prompt + this.config.max_output_tokens <= contextTokens) return prompt;
    const message = `a prompt of about ${prompt} tokens and an answer of ${this.config.max_output_tokens} are more than the context of ${contextTokens}`;
    throw new PalimpsestError("E_LIMIT", message, {
      details: { limit: "context", prompt_tokens: prompt, context_tokens: contextTokens },
      hint: "serve the model with a longer context, or lower model.max_output_tokens",
    });
  }

  private async complete(
    model: string,
    rung: Keeping,
    shape: Shape,
    maxTokens: number,
    { messages, keyed, versions, schema, signal, onRetry }: ModelRequest,
  ): Promise<{ answer: WireAnswer; used: Usage }> {
    const { seed, temperature, extra } = this.config;
    const keyedMessages = messages.map(({ role, content }) => ({ role, content: keyed(content) }));
    const key = cacheKey({
      messages: keyedMessages,
      schema,
      model,
      rung,
      maxTokens,
      seed,
      temperature,
      extra,
      versions,
    });
    const known = await this.kept((cache) => cache.get(key));
    if (known !== undefined) return { answer: known, used: NO_USAGE };
    const ask = () => this.wire.complete(model, messages, shape, maxTokens, signal);
    const { given: answer, retries } = await this.attempts.at(ask, signal, { onRetry });
    if (answer.finish_reason !== "length") await this.kept((cache) => cache.put(key, answer));
    const prompt = textOf(messages);
    if (answer.usage !== null) this.ratio.learn(prompt, answer.usage.prompt_tokens);
    return { answer, used: { ...this.usageOf(prompt, answer), retries } };
  }

  /** Of the cache of answers: an answer that cannot be kept, or not be read, is an answer all the same. */
  private async kept<T>(use: (cache: ResponseCache) => Promise<T>): Promise<T | undefined> {
    if (this.cache === null) return undefined;
    try {
      const given = await use(this.cache);
      this.notKept = null;
      return given;
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !["E_IO", "E_LOCKED"].includes(error.code)) throw error;
      this.notKept = error;
      return undefined;
    }
  }

  /** What people should know of how answers are kept. */
  get notices(): readonly string[] {
    const { notKept } = this;
    return notKept === null ? [] : [`answers of the model are not kept: ${notKept.code}: ${notKept.message}`];
  }

  private usageOf(prompt: string, { usage, text }: WireAnswer): Usage {
    if (usage !== null) return { ...usage, is_estimated: false, calls: 1, retries: 0 };
    const completion_tokens = this.ratio.estimate(text);
    return { ...NO_USAGE, prompt_tokens: this.ratio.estimate(prompt), completion_tokens, is_estimated: true, calls: 1 };
  }
}

function readAnswer(answer: WireAnswer, rung: Keeping, { fits }: ModelRequest) {
  const extracted = extractObject(answer.text, fits);
  if (extracted.kind === "object") return extracted;
  const isEmpty = answer.text.trim() === "";
  const message = isEmpty ? `the model wrote nothing (${rung})` : extracted.message;
  return { kind: "wrong" as const, message, text: answer.text };
}
