// Which model is asked, where, and how long: the caller's options, else PALIMPSEST_LLM_* of the environment. Nothing is
// ever taken from OPENAI_*.
import { isPlainObject } from "../../contract/values.js";
import { readOptions, refuse } from "../option-checks.js";

/** How an answer is kept to a schema: by the server's own format, by a named tool, or by words alone. */
export type Rung = "schema" | "tool" | "text";

export interface ModelConfig {
  /** http or https, with the path up to `/v1`. Default: `PALIMPSEST_LLM_URL`. */
  readonly base_url?: string;
  /** Default: `PALIMPSEST_LLM_MODEL`, else the only model of the server. */
  readonly model?: string;
  /** Default: `PALIMPSEST_LLM_KEY`. In no error, trace, cache or receipt. */
  readonly api_key?: string;
  /** Default: what the server says, else 8,192. */
  readonly context_tokens?: number;
  readonly max_output_tokens?: number;
  readonly seed?: number;
  readonly temperature?: number;
  /** Of one attempt. */
  readonly timeout_ms?: number;
  /** Between two pieces of an answer. */
  readonly idle_ms?: number;
  /** After the first attempt. */
  readonly retries?: number;
  /** Requests at once. */
  readonly in_flight?: number;
  /** Left out: probed once. */
  readonly capability?: Rung;
  /** Members that are added to every request. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ReadConfig extends Required<Omit<ModelConfig, "model" | "context_tokens" | "capability" | "api_key">> {
  readonly model: string | null;
  readonly context_tokens: number | null;
  readonly capability: Rung | null;
  readonly api_key: string | null;
}

const DEFAULTS = {
  max_output_tokens: 2_048,
  seed: 0,
  temperature: 0,
  timeout_ms: 60_000,
  idle_ms: 30_000,
  retries: 4,
  in_flight: 4,
} as const;

const RUNGS: readonly Rung[] = ["schema", "tool", "text"];

const MEMBERS: readonly (keyof ModelConfig)[] = [
  "base_url",
  "model",
  "api_key",
  "context_tokens",
  "capability",
  "extra",
  ...(Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]),
];
const TEXTS = ["base_url", "model", "api_key"] as const;

function checkTexts(given: ModelConfig): void {
  for (const name of TEXTS) {
    if (given[name] !== undefined && typeof given[name] !== "string")
      refuse(`model.${name} is no text`, "write it as a text");
  }
}

/** A copy of members as JSON has them. */
function readExtra(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if (!isPlainObject(given)) refuse("model.extra is no object", "give members that are added to every request");
  try {
    return JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return refuse(`model.extra cannot be written as JSON: ${reason}`, "give texts, numbers, lists and plain objects");
  }
}

/** The address without user and password, which errors may show. */
function addressOf(given: string): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    return refuse("model.base_url is no URL", "write it as http://127.0.0.1:8000/v1");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    refuse(`model.base_url has the scheme ${url.protocol}`, "write it as http://127.0.0.1:8000/v1");
  }
  if (url.username !== "" || url.password !== "") {
    refuse("model.base_url holds a user or a password", "give the key as api_key, or in PALIMPSEST_LLM_KEY");
  }
  if (url.search !== "" || url.hash !== "") refuse("model.base_url has a query", "leave out what begins with ? or #");
  return url.href.replace(/\/$/, "");
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(`model.${name} is ${value}`, `give a whole number from ${least} to ${most}`);
}

/** Whether the environment names a model's server. */
export const isModelNamed = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  (environment.PALIMPSEST_LLM_URL ?? "") !== "";

/** E_INVALID_ARG where a member is none, too: a misspelt one would leave its default in force unseen. */
export function readConfig(given: ModelConfig = {}, environment: NodeJS.ProcessEnv = process.env): ReadConfig {
  return readOptions("members of model", given, MEMBERS, (copy) => configOf(copy, environment));
}

function configOf(given: ModelConfig, environment: NodeJS.ProcessEnv): ReadConfig {
  checkTexts(given);
  const url = given.base_url ?? environment.PALIMPSEST_LLM_URL;
  if (url === undefined || url === "") {
    return refuse(
      "no model server is named",
      "give model.base_url (on the command line: --url), or set PALIMPSEST_LLM_URL",
    );
  }
  const { temperature = DEFAULTS.temperature, capability } = given;
  if (typeof temperature !== "number" || !(temperature >= 0 && temperature <= 2))
    refuse(`model.temperature is ${String(temperature)}`, "give a number from 0 to 2");
  if (capability !== undefined && !RUNGS.includes(capability)) {
    refuse(`model.capability is ${String(capability)}`, `one of ${RUNGS.join(", ")}`);
  }
  return {
    base_url: addressOf(url),
    model: given.model ?? (environment.PALIMPSEST_LLM_MODEL || null),
    api_key: given.api_key ?? (environment.PALIMPSEST_LLM_KEY || null),
    context_tokens: given.context_tokens === undefined ? null : whole("context_tokens", given.context_tokens, 512, 1e7),
    max_output_tokens: whole("max_output_tokens", given.max_output_tokens ?? DEFAULTS.max_output_tokens, 1, 1e6),
    seed: whole("seed", given.seed ?? DEFAULTS.seed, 0, Number.MAX_SAFE_INTEGER),
    temperature,
    timeout_ms: whole("timeout_ms", given.timeout_ms ?? DEFAULTS.timeout_ms, 1, 3_600_000),
    idle_ms: whole("idle_ms", given.idle_ms ?? DEFAULTS.idle_ms, 1, 3_600_000),
    retries: whole("retries", given.retries ?? DEFAULTS.retries, 0, 20),
    in_flight: whole("in_flight", given.in_flight ?? DEFAULTS.in_flight, 1, 256),
    capability: capability ?? null,
    extra: readExtra(given.extra),
  };
}
