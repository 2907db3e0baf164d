// Answers as JSON that any client can read: an integer that a JSON number cannot hold becomes a text.

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/** The text; `undefined` members are left out, as in JSON. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member));

/** What the text says, so that both forms of a result are the same. */
export const plainJson = (text: string): { [key: string]: Plain } => JSON.parse(text) as { [key: string]: Plain };

export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");
