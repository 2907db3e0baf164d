// One request to a server that speaks the chat completions of OpenAI, streamed: text, tool arguments, usage and why it
// ended. Retries, probes and caches are above.
import OpenAI, { APIConnectionError, APIError } from "openai";
import type { ReadConfig } from "./config.js";
import { AttemptFailure, retryAfterOf } from "./failure.js";
import { limitedFetch } from "./limited-fetch.js";

const DEEPEST_JSON = 64;

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The members of a request beside model, messages, sampling and streaming. */
export interface Shape {
  readonly response_format?: unknown;
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly [extra: string]: unknown;
}

export interface ServerUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

export interface WireAnswer {
  /** What was written, or the arguments of the tool that was called. */
  readonly text: string;
  readonly isToolCall: boolean;
  readonly finish_reason: string;
  /** Null where the server says nothing. */
  readonly usage: ServerUsage | null;
}

export interface ServedModel {
  readonly id: string;
  readonly context_tokens: number | null;
}

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;

function depthOf(value: unknown, depth = 0): number {
  if (depth > DEEPEST_JSON || typeof value !== "object" || value === null) return depth;
  return Math.max(depth + 1, ...Object.values(value).map((member) => depthOf(member, depth + 1)));
}

/** Collects the pieces of a stream, whatever they look like. */
class Pieces {
  private content = "";
  private toolArguments = "";
  private finish: string | null = null;
  private usage: ServerUsage | null = null;

  take(chunk: unknown): void {
    if (depthOf(chunk) > DEEPEST_JSON)
      throw new AttemptFailure("bad_stream", "a piece of the answer is nested too deep");
    const { choices, usage } = (typeof chunk === "object" && chunk !== null ? chunk : {}) as Record<string, unknown>;
    if (typeof usage === "object" && usage !== null) this.usage = usageOf(usage as Record<string, unknown>);
    const choice = Array.isArray(choices) ? (choices[0] as Record<string, unknown> | undefined) : undefined;
    if (typeof choice !== "object" || choice === null) return;
    const delta = (choice.delta ?? {}) as { content?: unknown; tool_calls?: unknown };
    if (typeof delta.content === "string") this.content += delta.content;
    for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) {
      const text = (call as { function?: { arguments?: unknown } } | null)?.function?.arguments;
      if (typeof text === "string") this.toolArguments += text;
    }
    if (typeof choice.finish_reason === "string") this.finish = choice.finish_reason;
  }

  answer(): WireAnswer {
    if (this.finish === null) throw new AttemptFailure("no_finish", "the stream ended without a finish reason");
    const isToolCall = this.toolArguments !== "";
    const text = isToolCall ? this.toolArguments : this.content;
    return { text, isToolCall, finish_reason: this.finish, usage: this.usage };
  }
}

function usageOf(usage: Record<string, unknown>): ServerUsage {
  const details = (name: string): Record<string, unknown> =>
    (typeof usage[name] === "object" && usage[name] !== null ? usage[name] : {}) as Record<string, unknown>;
  return {
    prompt_tokens: count(usage.prompt_tokens),
    completion_tokens: count(usage.completion_tokens),
    cached_tokens: count(details("prompt_tokens_details").cached_tokens),
    reasoning_tokens: count(details("completion_tokens_details").reasoning_tokens),
  };
}

export class Wire {
  private readonly client: OpenAI;

  constructor(private readonly config: ReadConfig) {
    // Whatever is left out here the library would take from the environment.
    this.client = new OpenAI({
      baseURL: config.base_url,
      apiKey: "none",
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: "off",
      maxRetries: 0,
      timeout: config.timeout_ms,
      fetch: limitedFetch(config.api_key),
    });
  }

  /** The models that the server has. */
  models(signal: AbortSignal): Promise<readonly ServedModel[]> {
    return this.within(signal, async (stop) => {
      const page = await this.client.models.list({ signal: stop });
      return page.data.flatMap((model) => {
        const { id, max_model_len: context } = model as unknown as { id?: unknown; max_model_len?: unknown };
        const isNumber = typeof context === "number" && context > 0;
        return typeof id === "string" ? [{ id, context_tokens: isNumber ? context : null }] : [];
      });
    });
  }

  /** One attempt; throws an AttemptFailure, or the reason of `signal`. */
  complete(
    model: string,
    messages: readonly ChatMessage[],
    shape: Shape,
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<WireAnswer> {
    const { seed, temperature, extra } = this.config;
    return this.within(signal, async (stop, alive) => {
      const stream = await this.client.chat.completions.create(
        {
          ...extra,
          ...shape,
          model,
          messages: [...messages],
          temperature,
          seed,
          max_tokens: maxTokens,
          stream: true,
          stream_options: { include_usage: true },
        } as OpenAI.ChatCompletionCreateParamsStreaming,
        { signal: stop },
      );
      const pieces = new Pieces();
      for await (const chunk of stream) {
        alive();
        pieces.take(chunk);
      }
      return pieces.answer();
    });
  }

  /** Runs one attempt under its time limit, the limit of silence, and the caller's signal. */
  private async within<T>(signal: AbortSignal, work: (stop: AbortSignal, alive: () => void) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    let over: AttemptFailure | null = null;
    const end = (failure: AttemptFailure) => (): void => {
      over = failure;
      controller.abort();
    };
    const whole = setTimeout(end(new AttemptFailure("timeout", "the attempt took too long")), this.config.timeout_ms);
    // Reading a long prompt may take a server longer than any piece: it is silent only once it has begun.
    const fellSilent = end(new AttemptFailure("idle", "the server fell silent"));
    let silence: NodeJS.Timeout | undefined;
    const alive = (): void => {
      silence ??= setTimeout(fellSilent, this.config.idle_ms);
      silence.refresh();
    };
    const cancel = (): void => controller.abort();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      signal.throwIfAborted();
      const given = await work(controller.signal, alive);
      // The library ends a stream that was aborted as if it were whole.
      signal.throwIfAborted();
      if (over !== null) throw over;
      return given;
    } catch (error) {
      signal.throwIfAborted();
      throw over ?? failureOf(error);
    } finally {
      clearTimeout(whole);
      clearTimeout(silence);
      signal.removeEventListener("abort", cancel);
      controller.abort();
    }
  }
}

function causeOf(error: unknown): AttemptFailure | null {
  for (let at: unknown = error, i = 0; i < 5 && at instanceof Error; at = at.cause, i += 1) {
    if (at instanceof AttemptFailure) return at;
  }
  return null;
}

/** What the library threw, without anything that a server or the environment put into it. */
function failureOf(error: unknown): AttemptFailure {
  const own = causeOf(error);
  if (own !== null) return own;
  if (error instanceof APIConnectionError)
    return new AttemptFailure("connection", "the model's server cannot be reached");
  if (error instanceof APIError) {
    if (typeof error.status !== "number")
      return new AttemptFailure("bad_stream", "the server reports an error in the stream");
    const retryAfter = retryAfterOf(error.headers?.get("retry-after") ?? null, Date.now());
    return new AttemptFailure("status", `the model's server answers ${error.status}`, error.status, retryAfter);
  }
  if (error instanceof SyntaxError) return new AttemptFailure("bad_stream", "the answer of the server is no JSON");
  return new AttemptFailure("connection", "the connection to the model's server broke");
}
