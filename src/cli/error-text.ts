// How an error is shown: `E_CODE: message`, the line of the text that it means with a caret, and a hint.
// Positions count code points from the beginning of what was given; a tab is one column.
import type { Colors } from "picocolors/types.js";
import type { PalimpsestError } from "../contract/errors.js";
import { displayWidth, printable } from "./formats/display-width.js";

/** The text that a statement stood in, and where in it the statement began. */
export interface Source {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");
const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0;

function placeOf({ details }: PalimpsestError): Place | null {
  const { line, column, length } = details;
  return isCount(line) && isCount(column) ? { line, column, length: isCount(length) ? length : 1 } : null;
}

/** The place in the whole source of one in a statement. */
const shifted = (place: Place, { line, column }: Source): Place => ({
  ...place,
  line: place.line + line - 1,
  column: place.line === 1 ? place.column + column - 1 : place.column,
});

/** Tabs as one blank each, so that the caret stands below what it means. */
const shownLine = (line: string): string => printable(line.replaceAll("\t", " "));

function excerpt(source: Source, place: Place): string[] {
  const line = source.text.split(/\r?\n/)[place.line - 1];
  if (line === undefined) return [];
  const points = [...line];
  const before = shownLine(points.slice(0, place.column - 1).join(""));
  const meant = shownLine(points.slice(place.column - 1, place.column - 1 + place.length).join(""));
  const number = String(place.line).padStart(3);
  return [
    `${number} | ${shownLine(line)}`,
    `${" ".repeat(number.length)} | ${" ".repeat(displayWidth(before))}${"^".repeat(Math.max(1, displayWidth(meant)))}`,
  ];
}

/** Without a source, or without a position in it, an error has no excerpt. */
export function errorLines(error: PalimpsestError, colours: Colors, source: Source | null = null): string[] {
  const found = source === null ? null : placeOf(error);
  const place = found === null ? null : shifted(found, source!);
  const where = place === null ? "" : ` (line ${place.line}, column ${place.column})`;
  const lines = [`${colours.red(error.code)}: ${oneLine(error.message)}${where}`];
  if (place !== null) lines.push(...excerpt(source!, place));
  const indent = place === null ? "" : "  ";
  if (error.hint !== "") lines.push(`${indent}${colours.dim("hint:")} ${oneLine(error.hint)}`);
  return lines;
}
