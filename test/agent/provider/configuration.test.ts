// Where the address, the model and the key of a server come from, and what is refused.
import { describe, expect, it } from "vitest";
import { type ModelConfig, readConfig } from "../../../src/agent/provider/config.js";

describe("configuration", () => {
  it("comes from the options, then from PALIMPSEST_LLM_*, and never from OPENAI_*", () => {
    const environment = {
      PALIMPSEST_LLM_URL: "http://h:1/v1/",
      PALIMPSEST_LLM_MODEL: "m",
      PALIMPSEST_LLM_KEY: "k",
      OPENAI_API_KEY: "no",
      OPENAI_BASE_URL: "http://no",
    };
    expect(readConfig({}, environment)).toMatchObject({ base_url: "http://h:1/v1", model: "m", api_key: "k" });
    expect(readConfig({ base_url: "https://o/v1", model: "n" }, environment)).toMatchObject({
      base_url: "https://o/v1",
      model: "n",
    });
    expect(readConfig({ base_url: "http://h" }, { OPENAI_API_KEY: "no" }).api_key).toBeNull();
  });

  it.each<[string, ModelConfig]>([
    ["no address", {}],
    ["no URL", { base_url: "127.0.0.1:8000" }],
    ["another scheme", { base_url: "file:///etc/passwd" }],
    ["a password in the address", { base_url: "http://me:secret@h/v1" }],
    ["a query in the address", { base_url: "http://h/v1?key=secret" }],
    ["retries below 0", { base_url: "http://h", retries: -1 }],
    ["a temperature of no number", { base_url: "http://h", temperature: Number.NaN }],
    ["a temperature as a text", { base_url: "http://h", temperature: "0" as never }],
    ["an unknown rung", { base_url: "http://h", capability: "magic" as never }],
    ["a member that there is not", { base_url: "http://h", apiKey: "secret" } as ModelConfig],
    ["a key that is no text", { base_url: "http://h", api_key: { secret: 1 } as never }],
    ["a model that is no text", { base_url: "http://h", model: 7 as never }],
    ["members for requests that are no object", { base_url: "http://h", extra: "secret" as never }],
    ["null for an object", null as never],
  ])("is refused with %s, which the error does not repeat", (_, config) => {
    let error: unknown;
    try {
      readConfig(config, {});
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "E_INVALID_ARG" });
    expect((error as Error).message).not.toContain("secret");
  });
});
