// Writing to standard output and to people: documents to the one, notes to standard error.
// Nothing else in the command line writes to standard output.
import { canonicalJson } from "../contract/canonical.js";

export async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** One document as canonical JSON: every int64 with all its digits. */
export const printJson = (value: unknown): Promise<void> => print(canonicalJson(value));

/** A line for people, on standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export const grouped = (count: number): string => count.toLocaleString("en-US");
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
