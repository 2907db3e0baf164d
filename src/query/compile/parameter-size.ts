// How large and how deep a parameter's value may be, so that whoever reads it comes to an end.
// Looks at the value of a caller: it may hold itself, have holes, getters and traps.
import { readGiven } from "../../contract/given.js";

const MOST_VALUES = 1_000_000;
const DEEPEST = 64;

/** What is too much about a value; null: nothing. */
export function excessOf(name: string, value: unknown): string | null {
  return readGiven(`params.${name}`, `the parameter ${name}`, () => excess(value));
}

function excess(given: unknown): string | null {
  const left: (readonly [value: object, depth: number])[] = [];
  let count = 0;
  const look = (value: unknown, depth: number): void => {
    if (typeof value === "object" && value !== null) left.push([value, depth]);
  };
  look(given, 0);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, depth] = next;
    if (depth > DEEPEST) return `it is nested more than ${DEEPEST} deep`;
    // Lists say how long they are before anything walks over their holes.
    count += Array.isArray(value) ? value.length : ArrayBuffer.isView(value) ? value.byteLength : 1;
    if (count > MOST_VALUES) return `it holds more than ${MOST_VALUES} values`;
    if (ArrayBuffer.isView(value)) continue;
    const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const member of members) look(member, depth + 1);
  }
  return null;
}
