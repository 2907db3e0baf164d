// The first look at a plan, which may be anything: a plain copy, and the steps and the answer taken out of it.
// Nothing here throws, whatever getters, cycles or sizes the value has.
import { PalimpsestError } from "../../contract/errors.js";
import { formatInstant } from "../../contract/instant.js";
import { nearestNames } from "../../contract/nearest.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { checkText, INT64_MAX, INT64_MIN, type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { AnswerColumn, AnswerKind } from "../plan.js";
import { ANSWER_KINDS, MOST_ANSWER_COLUMNS, MOST_FURTHER_PARTS, MOST_STEPS, STEP_ID } from "../schema.js";
import type { Violations } from "./violations.js";

const MOST_VALUES = 1_100_000;
const DEEPEST = 64;

export interface ReadStep {
  readonly position: number;
  readonly id: string;
  readonly op: string;
  readonly args: JsonObject;
  /** False where the arguments are no object, so that nothing can be said of them. */
  readonly hasArguments: boolean;
  readonly dependsOn: readonly string[];
  readonly slice: readonly [number, number | null] | null;
  readonly isUnknownEmpty: boolean;
}

export interface ReadPart {
  readonly kind: AnswerKind;
  readonly from: string;
  /** JSON pointer of the part. */
  readonly path: string;
}

export interface ReadAnswer extends ReadPart {
  readonly columns: readonly AnswerColumn[] | null;
  readonly also: readonly ReadPart[];
}

interface ReadPlan {
  readonly steps: readonly ReadStep[];
  /** Null where it was not one. */
  readonly answer: ReadAnswer | null;
}

const refused = (message: string, path: string, hint: string): PalimpsestError =>
  new PalimpsestError("E_SCHEMA", message, { details: { path, kind: "not_json" }, hint });

/** A plain copy of a value; throws a PalimpsestError for what is no JSON, is too large, or holds itself. */
function plainCopy(given: unknown): JsonValue {
  let count = 0;
  const above = new Set<object>();
  const copy = (value: unknown, path: string): JsonValue => {
    count += 1;
    if (count > MOST_VALUES) {
      throw new PalimpsestError("E_LIMIT", `the plan has more than ${MOST_VALUES} values`, {
        details: { path: "", kind: "too_large" },
        hint: "hand large tables from step to step by reference",
      });
    }
    if (typeof value === "string") return checkText(value, path);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number") {
      if (Number.isFinite(value)) return value;
      throw refused(`${path}: ${value} is not a value`, path, "leave it out, or give null");
    }
    if (typeof value === "bigint") {
      if (value >= INT64_MIN && value <= INT64_MAX) return value;
      throw refused(`${path}: ${value} is out of the range of int64`, path, "give a smaller number");
    }
    if (typeof value !== "object") throw refused(`${path || "the plan"}: ${typeof value} is not JSON`, path, "");
    if (value instanceof Date || typeof (value as { epochNanoseconds?: unknown }).epochNanoseconds === "bigint") {
      return formatInstant(parseInstant(value, path));
    }
    if (above.has(value)) throw refused(`${path}: the value holds itself`, path, "write what you mean once");
    if (above.size >= DEEPEST) throw refused(`${path}: nested deeper than ${DEEPEST}`, path, "");
    above.add(value);
    let copied: JsonValue;
    if (Array.isArray(value)) {
      copied = [];
      for (let i = 0; i < value.length; i += 1) copied.push(copy(value[i], `${path}/${i}`));
    } else {
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) {
        throw refused(`${path || "the plan"}: not a plain object`, path, "give plain objects");
      }
      const object: JsonObject = {};
      for (const key of Object.keys(value)) {
        const member = (value as Record<string, unknown>)[key];
        if (member !== undefined) setOwn(object, checkText(key, path), copy(member, `${path}/${key}`));
      }
      copied = object;
    }
    above.delete(value);
    return copied;
  };
  return copy(given, "");
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One reading: what is found goes to `violations`. */
class Reading {
  constructor(private readonly violations: Violations) {}

  private step: { position: number; id: string | null } | null = null;

  private wrong(path: string, message: string, hint = "", kind = "plan_shape"): void {
    const { position, id } = this.step ?? { position: null, id: null };
    const named = path === "" ? message : `${path}: ${message}`;
    this.violations.add({ position, step: id, path }, { code: "E_SCHEMA", kind, message: named, hint });
  }

  private keys(object: JsonObject, path: string, known: readonly string[]): void {
    for (const key of Object.keys(object)) {
      if (known.includes(key)) continue;
      const near = nearestNames(key.slice(0, 100), known, 1);
      const hint = near.length > 0 ? `did you mean ${near[0]}?` : `known here: ${known.join(", ")}`;
      this.wrong(`${path}/${key}`, "no such key", hint, "unknown_key");
    }
  }

  private text(object: JsonObject, key: string, path: string, example: string): string | null {
    const value = object[key];
    if (typeof value === "string" && value !== "") return value;
    const what = value === undefined ? `${key} is missing` : `${key} is no text`;
    this.wrong(value === undefined ? path : `${path}/${key}`, what, `write ${example}`);
    return null;
  }

  plan(value: JsonValue): ReadPlan | null {
    if (!isObject(value)) {
      this.wrong("", "a plan is an object", 'give {"steps": […], "answer": {"kind": "table", "from": "s1"}}');
      return null;
    }
    this.keys(value, "", ["steps", "answer"]);
    const steps = this.steps(value.steps);
    return { steps, answer: this.answer(value.answer) };
  }

  private steps(value: JsonValue | undefined): ReadStep[] {
    if (!Array.isArray(value) || value.length === 0) {
      const what = value === undefined ? "steps are missing" : "steps are a list with at least one step";
      this.wrong(value === undefined ? "" : "/steps", what, 'give [{"id": "s1", "op": …, "args": {…}}]');
      return [];
    }
    if (value.length > MOST_STEPS) {
      this.violations.add(
        { position: null, step: null, path: "/steps" },
        {
          code: "E_LIMIT",
          kind: "too_many_steps",
          message: `${value.length} steps are more than the ${MOST_STEPS} that a plan may have`,
          hint: "give several plans, or fold steps of one kind into lists of arguments",
        },
      );
      return [];
    }
    return value.flatMap((step, i) => this.oneStep(step, i));
  }

  private oneStep(value: JsonValue, position: number): ReadStep[] {
    const path = `/steps/${position}`;
    const given = isObject(value) && typeof value.id === "string" ? value.id : null;
    this.step = { position, id: given };
    try {
      if (!isObject(value)) {
        this.wrong(path, "a step is an object", 'give {"id": "s1", "op": "scan", "args": {…}}');
        return [];
      }
      this.keys(value, path, ["id", "op", "args", "depends_on", "slice", "unknown"]);
      const id = this.text(value, "id", path, '"id": "s1"');
      if (id !== null && !STEP_ID.test(id)) {
        this.wrong(`${path}/id`, `${JSON.stringify(id)} is no id`, "a letter, then letters, digits and _, at most 64");
      }
      const op = this.text(value, "op", path, '"op": "scan"');
      const args = value.args ?? {};
      if (!isObject(args)) this.wrong(`${path}/args`, "arguments are an object", 'give {"uid": "a"}');
      const slice = this.slice(value.slice, `${path}/slice`);
      if (value.unknown !== undefined && value.unknown !== "empty") {
        this.wrong(`${path}/unknown`, "not a legal value", 'the only one is "empty"');
      }
      if (id === null || op === null) return [];
      const dependsOn = this.dependsOn(value.depends_on, `${path}/depends_on`);
      const isUnknownEmpty = value.unknown === "empty";
      const hasArguments = isObject(args);
      return [{ position, id, op, args: hasArguments ? args : {}, hasArguments, dependsOn, slice, isUnknownEmpty }];
    } finally {
      this.step = null;
    }
  }

  private slice(value: JsonValue | undefined, path: string): readonly [number, number | null] | null {
    if (value === undefined || value === null) return null;
    const isCount = (member: JsonValue | undefined): boolean => Number.isSafeInteger(member) && (member as number) >= 0;
    if (Array.isArray(value) && value.length === 2 && isCount(value[0]) && (value[1] === null || isCount(value[1]))) {
      return value as [number, number | null];
    }
    this.wrong(path, "a slice is [offset, count]", "two whole numbers from 0; count null: to the end");
    return null;
  }

  private dependsOn(value: JsonValue | undefined, path: string): readonly string[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every((id) => typeof id === "string")) return value as string[];
    this.wrong(path, "a list of ids of steps is wanted", "or leave it out: references say it");
    return [];
  }

  private answer(value: JsonValue | undefined): ReadAnswer | null {
    const example = 'give {"kind": "table", "from": "s1"}';
    if (!isObject(value)) {
      this.wrong(
        value === undefined ? "" : "/answer",
        `the answer is ${value === undefined ? "missing" : "an object"}`,
        example,
      );
      return null;
    }
    this.keys(value, "/answer", ["kind", "from", "columns", "also"]);
    const part = this.part(value, "/answer");
    const columns = this.columns(value.columns);
    const also: ReadPart[] = [];
    if (value.also !== undefined && value.also !== null) {
      if (!Array.isArray(value.also)) this.wrong("/answer/also", "a list of parts is wanted", example);
      else {
        if (value.also.length > MOST_FURTHER_PARTS) {
          const hint = `at most ${MOST_FURTHER_PARTS} further parts`;
          this.wrong("/answer/also", `${value.also.length} further parts`, hint, "too_many_parts");
        }
        for (const [i, further] of value.also.slice(0, MOST_FURTHER_PARTS).entries()) {
          const path = `/answer/also/${i}`;
          if (!isObject(further)) this.wrong(path, "a part is an object", example);
          else {
            this.keys(further, path, ["kind", "from"]);
            const read = this.part(further, path);
            if (read !== null) also.push(read);
          }
        }
      }
    }
    if (part === null) return null;
    if (columns !== null && part.kind !== "table") {
      this.wrong("/answer/columns", `only a table has columns, and this is ${part.kind}`, "leave them out");
    }
    return { ...part, columns, also };
  }

  private part(value: JsonObject, path: string): ReadPart | null {
    const from = this.text(value, "from", path, '"from": "s1.rows[0].uid"');
    const kind = this.text(value, "kind", path, '"kind": "table"');
    if (kind === null || from === null) return null;
    if ((ANSWER_KINDS as readonly string[]).includes(kind)) return { kind: kind as AnswerKind, from, path };
    const near = nearestNames(kind.slice(0, 100), ANSWER_KINDS, 1);
    const legal = `one of ${ANSWER_KINDS.join(", ")}`;
    const hint = near.length > 0 ? `did you mean ${near[0]}? ${legal}` : legal;
    this.wrong(`${path}/kind`, `${JSON.stringify(kind)} is no kind of answer`, hint, "unknown_kind");
    return null;
  }

  private columns(value: JsonValue | undefined): readonly AnswerColumn[] | null {
    if (value === undefined || value === null) return null;
    const path = "/answer/columns";
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ANSWER_COLUMNS) {
      const given = Array.isArray(value) ? `, and these are ${value.length}` : "";
      this.wrong(
        path,
        `a list of 1 to ${MOST_ANSWER_COLUMNS} columns is wanted${given}`,
        '{"from": "uid", "as": "who"}',
      );
      return null;
    }
    const columns: AnswerColumn[] = [];
    for (const [i, column] of value.entries()) {
      const at = `${path}/${i}`;
      if (!isObject(column)) {
        this.wrong(at, "a column is an object", '{"from": "uid", "as": "who"}');
        continue;
      }
      this.keys(column, at, ["from", "as"]);
      const from = this.text(column, "from", at, '"from": "uid"');
      const as = this.text(column, "as", at, '"as": "who"');
      if (from === null || as === null) continue;
      if (columns.some((other) => other.as === as)) {
        this.wrong(`${at}/as`, `two columns are called ${JSON.stringify(as)}`, "name each once", "duplicate_column");
      }
      columns.push({ from, as });
    }
    return columns;
  }
}

/** A plain copy of a plan, or null; what is no JSON goes to `violations`. */
export function readPlain(given: unknown, violations: Violations): JsonValue | undefined {
  try {
    return plainCopy(given);
  } catch (error) {
    const place = placeOf(given, error);
    if (error instanceof PalimpsestError) violations.addError(place, error);
    else {
      const message = `the plan cannot be read: ${describe(error)}`;
      violations.add(place, { code: "E_SCHEMA", kind: "not_json", message, hint: "give plain objects" });
    }
    return undefined;
  }
}

/** The step that an error is about, as far as it can be told. */
function placeOf(given: unknown, error: unknown) {
  const path = error instanceof PalimpsestError ? String(error.details.path) : "";
  const position = /^\/steps\/(\d+)/.exec(path)?.[1];
  if (position === undefined) return { position: null, step: null, path: "" };
  let id: unknown = null;
  try {
    id = (given as { steps: { id: unknown }[] }).steps[Number(position)]?.id;
  } catch {
    // A getter that fails is what the error is about.
  }
  return { position: Number(position), step: typeof id === "string" ? id : null, path: "" };
}

/** Whatever a getter threw, as text. */
function describe(error: unknown): string {
  try {
    return String(error).slice(0, 200);
  } catch {
    return "a getter failed";
  }
}

export const readSteps = (plain: JsonValue, violations: Violations): ReadPlan | null =>
  new Reading(violations).plan(plain);
