// Options that callers give: what is none is E_INVALID_ARG, with what would be legal.
import { PalimpsestError } from "../contract/errors.js";
import { isWellFormed } from "../contract/values.js";
import { Database } from "../database.js";

export const MOST_NAME_PROPS = 8;

export function refuse(message: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint });
}

const isName = (value: unknown): boolean => typeof value === "string" && value !== "" && isWellFormed(value);

export function checkNames(what: string, names: unknown, most: number): void {
  if (names === undefined) return;
  if (Array.isArray(names) && names.length <= most && names.every(isName)) return;
  refuse(`${what} are not a list of at most ${most} names`, `give ["ada", "bo"]`);
}

export function checkNameProps(names: readonly string[] | undefined): void {
  checkNames("name_props", names, MOST_NAME_PROPS);
  if (names?.length === 0) refuse("name_props is empty", "leave it out, or name a property");
}

export function checkKeys(what: string, given: unknown, legal: readonly string[]): void {
  if (typeof given !== "object" || given === null) refuse(`${what} are an object`, `legal: ${legal.join(", ")}`);
  const unknown = Object.keys(given).find((key) => !legal.includes(key));
  if (unknown !== undefined)
    refuse(`${what} have no ${JSON.stringify(unknown.slice(0, 64))}`, `legal: ${legal.join(", ")}`);
}

/** A program without types finds out here, and not in the middle of its first question. */
export function checkDatabase(db: unknown): void {
  if (!(db instanceof Database)) refuse("this is no database", "give what open() gives");
}

export function checkSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    refuse("signal is no AbortSignal", "give that of an AbortController");
}
