// Names, strings and numbers as they are written.
import type { IntegerLiteral, Name, NumberLiteral, Parameter, StringLiteral } from "../ast.js";
import { isBareName, isBareWord } from "../keywords.js";

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Where only names that are not reserved may stand bare. */
export const printName = (name: Name): string => (isBareName(name.text) ? name.text : quoted(name.text));
/** After a dot or a colon, as a key, as an argument. */
export const printAnyName = (name: Name): string => (isBareWord(name.text) ? name.text : quoted(name.text));

export const printString = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const printText = (text: StringLiteral | Parameter): string =>
  text.kind === "string" ? printString(text.value) : `$${text.name}`;

export const printCount = (count: IntegerLiteral | Parameter): string =>
  count.kind === "integer" ? String(count.value) : `$${count.name}`;

/** A DOUBLE always shows that it is one. */
export function printNumber({ value }: NumberLiteral): string {
  const text = String(value).replace("e+", "e");
  return /[.e]/.test(text) ? text : `${text}.0`;
}
