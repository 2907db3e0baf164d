// Options that callers give: what is none is E_INVALID_ARG, with what would be legal.
import { PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { isWellFormed } from "../contract/values.js";
import { Database } from "../database.js";

export const MOST_NAME_PROPS = 8;

export function refuse(message: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint });
}

const isName = (value: unknown): boolean => typeof value === "string" && value !== "" && isWellFormed(value);

/** A copy of a list of names; undefined where it is left out. */
export function readNames(what: string, given: unknown, most: number): readonly string[] | undefined {
  if (given === undefined) return undefined;
  // A list may have holes, which `every` passes over.
  const names: unknown[] = Array.isArray(given) && given.length <= most ? Array.from(given) : [null];
  if (names.every(isName)) return names as string[];
  return refuse(`${what} are not a list of at most ${most} names`, `give ["ada", "bo"]`);
}

export function readNameProps(given: unknown): readonly string[] | undefined {
  const names = readNames("name_props", given, MOST_NAME_PROPS);
  if (names?.length === 0) refuse("name_props is empty", "leave it out, or name a property");
  return names;
}

export function checkKeys(what: string, given: unknown, legal: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    refuse(`${what} are an object`, `legal: ${legal.join(", ")}`);
  const unknown = Object.keys(given).find((key) => !legal.includes(key));
  if (unknown !== undefined)
    refuse(`${what} have no ${JSON.stringify(unknown.slice(0, 64))}`, `legal: ${legal.join(", ")}`);
}

/** A program without types finds out here, and not in the middle of its first question. */
export function checkDatabase(db: unknown): void {
  if (!(db instanceof Database)) refuse("this is no database", "give what open() gives");
}

/**
 * Options as `read` makes them of a copy in which each was read once: what is checked is what is used, whatever getters, proxies
 * and the caller's later changes give the next time.
 */
export function readOptions<T extends object, R>(
  what: string,
  given: T,
  legal: readonly (keyof T & string)[],
  read: (copy: T) => R,
): R {
  return readGiven("options", what, () => {
    checkKeys(what, given, legal);
    const all = legal.map((name) => [name, given[name]] as const);
    return read(Object.fromEntries(all.filter(([, value]) => value !== undefined)) as T);
  });
}

/** A copy of limits, all of them whole numbers. */
export function readLimits<T extends object>(what: string, given: T, legal: readonly string[]): T {
  checkKeys(what, given, legal);
  const limits = { ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0)
      refuse(`limits.${name} is ${String(value).slice(0, 64)}`, "give a whole number from 0");
  }
  return limits;
}

export function checkSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    refuse("signal is no AbortSignal", "give that of an AbortController");
}
