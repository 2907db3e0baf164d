// What the tests of the client share: a scripted server for each test, a client of it, and a request that one answer fits.
import { afterEach, expect } from "vitest";
import { type ModelConfig, readConfig } from "../../../src/agent/provider/config.js";
import { type ModelRequest, Provider } from "../../../src/agent/provider/provider.js";
import type { ResponseCache } from "../../../src/agent/provider/response-cache.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import type { JsonObject } from "../../../src/contract/values.js";
import { ModelServer, type Reply, type Script } from "../model-server.js";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};
/** The one answer that fits. */
export const RIGHT = '{"n":7}';
export const KEY = "sk-very-secret";

/** Within a suite: the server of its current test, which ends with the test. */
export class ScriptedServer {
  private started: ModelServer | null = null;

  static begin(): ScriptedServer {
    const own = new ScriptedServer();
    afterEach(() => own.stop());
    return own;
  }

  /** Starts it with a script, or with replies in their order, the last again and again. */
  async start(script: Script | readonly Reply[]): Promise<ModelServer> {
    await this.stop();
    const replies = script as readonly Reply[];
    this.started = await ModelServer.start(
      typeof script === "function" ? script : (_, position) => replies[Math.min(position, replies.length - 1)]!,
    );
    return this.started;
  }

  private async stop(): Promise<void> {
    await this.started?.stop();
    this.started = null;
  }

  /** A client of the server. */
  client(config: Partial<ModelConfig> = {}, cache: ResponseCache | null = null): Provider {
    const address = { base_url: this.started!.url, api_key: KEY, capability: "text" as const, retries: 2 };
    const read = readConfig({ ...address, ...config }, {});
    // Without jitter the least wait is half a second; a test of retries has a random of its own.
    return new Provider(read, cache, () => -0.98);
  }
}

export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: "system", content: "plan" },
      { role: "user", content: "q TAG1" },
    ],
    schema: { name: "plan", schema: SCHEMA },
    fits: (value) => typeof value.n === "number",
    keyed: (text) => text.replaceAll("TAG1", "TAG"),
    versions: { prompt: 1 },
    signal: new AbortController().signal,
    ...more,
  };
}

/** The error that some work ends with. */
export async function failure(work: Promise<unknown>): Promise<PalimpsestError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PalimpsestError);
  return error as PalimpsestError;
}
