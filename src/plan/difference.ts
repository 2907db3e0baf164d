// The first place where a value that anyone may have written differs from one of ours. Walks along ours, so that no size,
// depth or cycle of the other matters; reads the other only where ours has something.
import { canonicalJson } from "../contract/canonical.js";
import { readGiven } from "../contract/given.js";
import { isPlainObject, type JsonObject, type JsonValue } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";

export type Place = readonly (string | number)[];

export interface Difference {
  readonly place: Place;
  readonly told: unknown;
  /** Undefined where there is nothing of ours. */
  readonly ours: JsonValue | undefined;
}

const VALUES_AT_ONCE = 500;

function isSameScalar(told: unknown, ours: JsonValue): boolean {
  if (told === null || ours === null) return told === ours;
  return /^(string|number|bigint|boolean)$/.test(typeof told) && canonicalJson(told) === canonicalJson(ours);
}

/** Two lists, or two objects, of which the members before `at` are the same. */
interface Level {
  readonly told: object;
  readonly ours: JsonValue[] | JsonObject;
  /** Null for a list. */
  readonly keys: readonly string[] | null;
  at: number;
}

const ownMember = (object: object, key: string | number): unknown =>
  Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined;

class Walk {
  private readonly levels: Level[] = [];

  constructor(private readonly isOutside: (place: Place) => boolean) {}

  private place(...last: (string | number)[]): Place {
    const here = this.levels.map(({ keys, at }) => (keys === null ? at - 1 : keys[at - 1]!));
    return [...here, ...last];
  }

  /** Compares two values; goes into lists and objects, whose members follow. */
  compare(told: unknown, ours: JsonValue): Difference | null {
    const different = { place: this.place(), told, ours };
    if (typeof ours !== "object" || ours === null) return isSameScalar(told, ours) ? null : different;
    if (Array.isArray(ours) ? !Array.isArray(told) : !isPlainObject(told)) return different;
    const keys = Array.isArray(ours) ? null : Object.keys(ours).filter((key) => ours[key] !== undefined);
    this.levels.push({ told: told as object, ours, keys, at: 0 });
    return null;
  }

  /** What the other has beside the members that were compared. */
  private further({ told, ours, keys }: Level): Difference | null {
    if (keys === null) {
      const { length } = ours as JsonValue[];
      const more = (told as unknown[]).length > length;
      return more ? { place: this.place(length), told: (told as unknown[])[length] ?? null, ours: undefined } : null;
    }
    for (const key of Object.keys(told)) {
      const member = ownMember(told, key);
      if (member === undefined || ownMember(ours, key) !== undefined) continue;
      const place = this.place(key);
      if (!this.isOutside(place)) return { place, told: member, ours: undefined };
    }
    return null;
  }

  /** One member further; true at the end. */
  step(): Difference | boolean {
    const level = this.levels.at(-1);
    if (level === undefined) return true;
    const { told, ours, keys, at } = level;
    if (at < (keys ?? (ours as JsonValue[])).length) {
      level.at += 1;
      const key = keys === null ? at : keys[at]!;
      return this.compare(ownMember(told, key), (ours as JsonObject)[key]!) ?? false;
    }
    this.levels.pop();
    return this.further(level) ?? false;
  }

  /** A piece of the walk. */
  run(): Difference | boolean {
    for (let i = 0; i < VALUES_AT_ONCE; i += 1) {
      const found = this.step();
      if (found !== false) return found;
    }
    return false;
  }
}

/** Null where both are the same JSON, but for members that only `told` has where `isOutside` says so. E_SCHEMA for what cannot be read. */
export async function firstDifference(
  what: string,
  told: unknown,
  ours: JsonValue,
  isOutside: (place: Place) => boolean,
): Promise<Difference | null> {
  const walk = new Walk(isOutside);
  const pace = new Pace();
  let found: Difference | boolean = readGiven("", what, () => walk.compare(told, ours)) ?? false;
  while (found === false) {
    found = readGiven("", what, () => walk.run());
    if (pace.isDue) await pace.rest();
  }
  return found === true ? null : found;
}
