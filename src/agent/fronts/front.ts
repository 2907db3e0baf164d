// A front: the form in which a model writes plans. Whatever the form, what comes of it is a plan, judged and run alike.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Plan, Violation } from "../../plan/index.js";
import type { FrontName } from "../prompt/systems.js";
import type { NamedSchema } from "../provider/capability.js";

/** What is wrong with what a model wrote; line and column where it is of a text with lines. */
export interface WrittenViolation extends Violation {
  readonly line?: number;
  readonly column?: number;
}

/** What a model wrote, as a plan. */
export interface Reading {
  /** Null where there is none to look at. */
  readonly plan: Plan | null;
  readonly violations: readonly WrittenViolation[];
  /** A violation of the plan as one of what was written. */
  told(violation: Violation): WrittenViolation;
}

export interface Front {
  /** By which its system text is known. */
  readonly name: FrontName;
  /** What servers are asked to keep to; null: nothing. */
  readonly schema: NamedSchema | null;
  /** The form in one line. */
  readonly form: string;
  /** Whether an object has the form at all. */
  fits(value: JsonObject): boolean;
  read(value: JsonObject): Reading;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const wrongForm = (kind: string, path: string, message: string, hint: string): WrittenViolation => ({
  code: "E_SCHEMA",
  kind,
  step: null,
  path,
  message,
  hint,
});

export function unknownKeys(value: JsonObject, legal: readonly string[], path: string): WrittenViolation[] {
  return Object.keys(value)
    .filter((key) => !legal.includes(key))
    .map((key) =>
      wrongForm(
        "unknown_key",
        `${path}/${key.slice(0, 64)}`,
        `${JSON.stringify(key.slice(0, 64))} is no member here`,
        `legal: ${legal.join(", ")}`,
      ),
    );
}

/** Members of an answer that a model may write. */
export const ANSWER_KEYS: readonly string[] = ["kind", "from", "also"];

export const tooManySteps = (count: number, most: number, path: string): WrittenViolation =>
  wrongForm("too_many_steps", path, `${count} steps are more than ${most}`, "group and count in one call");
