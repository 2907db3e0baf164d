// The manual of one operator, and the list of all, for a terminal.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import type { ManualTable } from "../operators/declaration.js";
import { lookUp } from "../operators/registry.js";
import { type ArgumentEntry, membersOfType } from "./arguments.js";
import {
  type ArgumentForm,
  operatorEntries,
  operatorEntry,
  SHARED_ARGUMENTS,
  shownAnswer,
  storeName,
} from "./entry.js";
import { jsonText } from "./json-lines.js";
import type { NamedType } from "./types.js";

const WIDTH = 100;
const WIDEST_COLUMN = 40;

/** Words in lines of at most the width; backticks are for Markdown. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.replaceAll("`", "").split(/\s+/)) {
    if (line !== "" && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((each) => `${indent}${each}`).join("\n");
}

/** The last cell of a line, which may go on below itself. */
function lastCell(cell: string, column: number): string {
  const isWide = column + cell.length > WIDTH && column + WIDEST_COLUMN <= WIDTH;
  return isWide ? wrapped(cell, " ".repeat(column)).trimStart() : cell;
}

/** Columns side by side; a cell that is too wide stands alone and the rest follows below. */
function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(WIDEST_COLUMN, Math.max(...rows.map((row) => row[column]!.length))),
  );
  const line = (cells: readonly string[]): string => {
    let text = " ";
    let end = 1;
    for (const [column, cell] of cells.entries()) {
      if (cell !== "") {
        if (text.length - (text.lastIndexOf("\n") + 1) > end) text += `\n${" ".repeat(end)}`;
        const from = text.lastIndexOf("\n") + 1;
        const shown = column === cells.length - 1 ? lastCell(cell, end + 1) : cell;
        text = `${text.padEnd(from + end)} ${shown}`;
        const width = text.length - (text.lastIndexOf("\n") + 1);
        if (width > end + 2 + widths[column]!) text += `\n${" ".repeat(end + 2 + widths[column]!)}`;
      }
      end += widths[column]! + 2;
    }
    return text.replaceAll(/ +$/gm, "").trimEnd();
  };
  return rows.map(line);
}

const aligned = (rows: readonly (readonly string[])[]): string => alignedRows(rows).join("\n");

const section = (title: string, body: string): string => `${title}\n${body}`;

/** A line of columns, and below it what the argument means. */
function entryText(line: string, { meaning, choices }: ArgumentEntry): string {
  const chosen = Object.entries(choices).map(([choice, means]) => `${choice}: ${means}`);
  return [line, ...[meaning, ...chosen].filter((text) => text !== "").map((text) => wrapped(text, "      "))].join(
    "\n",
  );
}

function entriesText(entries: readonly ArgumentEntry[]): string {
  const rows = entries.map(({ name, type, isRequired, fallback, bounds }) => {
    const shown = isRequired ? "required" : fallback === undefined ? "" : canonicalJson(fallback as JsonValue);
    return [name, type, shown, bounds];
  });
  return alignedRows(rows)
    .map((line, i) => entryText(line, entries[i]!))
    .join("\n");
}

function argumentsText({ title, meaning, arguments: args }: ArgumentForm): string {
  const own = args.filter(({ name }) => !SHARED_ARGUMENTS.includes(name));
  const shared = args.filter(({ name }) => SHARED_ARGUMENTS.includes(name));
  const head =
    title === null
      ? "Arguments: name, type, default, bounds; then the meaning"
      : `Arguments with ${title}${meaning === "" ? "" : `, ${meaning}`}`;
  return section(head, entriesText([...own, ...shared]));
}

const plain = (cell: string): string => cell.replaceAll("`", "");
const tableText = ({ title, head, rows }: ManualTable): string =>
  section(plain(title), aligned([head, ...rows].map((cells) => cells.map(plain))));

function typeText({ name, note, forms, schema }: NamedType): string {
  const members = membersOfType(schema).map((entry) => ({ ...entry, name: `  ${entry.name}` }));
  return [
    `  ${name}`,
    ...(note === "" ? [] : [wrapped(note, "    ")]),
    ...forms.map(({ type, meaning }) => wrapped(meaning === "" ? type : `${type}  // ${meaning}`, "    ")),
    ...(members.length === 0 ? [] : [entriesText(members)]),
  ].join("\n");
}

/** The manual of an operator by its name or alias; E_NOT_FOUND for any other name. */
export function operatorManual(name: string): string {
  const { declaration } = lookUp(name);
  const entry = operatorEntry(declaration);
  const forms = entry.forms.filter(({ arguments: args }) => args.length > 0).map(argumentsText);
  const examples = declaration.examples.map(
    ({ title, store, args: given, envelope }) =>
      `  ${title}${storeName(store) === undefined ? "" : ` (store ${storeName(store)})`}\n    palimpsest call STORE ${declaration.name} '${jsonText(given, "    ")}'\n    ${jsonText(shownAnswer(envelope), "    ")}`,
  );
  return [
    section(declaration.name, wrapped(declaration.summary, "  ")),
    declaration.doc
      .split("\n\n")
      .map((paragraph) => wrapped(paragraph, "  "))
      .join("\n\n"),
    ...forms,
    ...(declaration.tables ?? []).map(tableText),
    section(
      "Answer, beside what every envelope has",
      aligned(entry.fields.map(({ path, type, meaning }) => [path, type, meaning])),
    ),
    section("Order", declaration.lists.map(({ field, order }) => wrapped(`${field}: ${order}`, "  ")).join("\n")),
    section("Types", entry.types.map(typeText).join("\n")),
    section(
      "Errors of its own",
      declaration.errors.map(({ code, when }) => wrapped(`${code}: ${when}`, "  ")).join("\n"),
    ),
    section("Examples; docs/operators.md has their stores", examples.join("\n\n")),
  ].join("\n\n");
}

/** All operators, a line each. */
export function operatorList(): string {
  const rows = operatorEntries().map(({ declaration: { name, summary } }) => [name, summary]);
  return section("Operators, each with --help of its own", aligned(rows));
}
