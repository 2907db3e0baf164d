// The manual of one operator, and the list of all, for a terminal.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import { lookUp } from "../operators/registry.js";
import {
  type ArgumentForm,
  operatorEntries,
  operatorEntry,
  SHARED_ARGUMENTS,
  shownAnswer,
  storeName,
} from "./entry.js";
import { jsonText } from "./json-lines.js";

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

/** Columns side by side; a cell that is too wide stands alone and the rest follows below. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(WIDEST_COLUMN, Math.max(...rows.map((row) => row[column]!.length))),
  );
  const line = (cells: readonly string[]): string => {
    let text = " ";
    let end = 1;
    for (const [column, cell] of cells.entries()) {
      if (cell !== "") {
        if (text.length > end) text += `\n${" ".repeat(end)}`;
        const from = text.lastIndexOf("\n") + 1;
        text = `${text.padEnd(from + end)} ${cell}`;
        const width = text.length - (text.lastIndexOf("\n") + 1);
        if (width > end + 2 + widths[column]!) text += `\n${" ".repeat(end + 2 + widths[column]!)}`;
      }
      end += widths[column]! + 2;
    }
    return text.trimEnd();
  };
  return rows.map(line).join("\n");
}

const section = (title: string, body: string): string => `${title}\n${body}`;

function argumentsText({ title, arguments: args }: ArgumentForm): string {
  const rows = args.map(({ name, type, isRequired, fallback, bounds }) => {
    const shown = isRequired ? "required" : fallback === undefined ? "" : canonicalJson(fallback as JsonValue);
    return [name, type, shown, bounds];
  });
  const own = rows.filter(([name]) => !SHARED_ARGUMENTS.includes(name!));
  const shared = rows.filter(([name]) => SHARED_ARGUMENTS.includes(name!));
  const head = title === null ? "Arguments: name, type, default, bounds" : `Arguments with ${title}`;
  return section(head, aligned([...own, ...shared]));
}

/** The manual of an operator by its name or alias; E_NOT_FOUND for any other name. */
export function operatorManual(name: string): string {
  const { declaration } = lookUp(name);
  const entry = operatorEntry(declaration);
  const forms = entry.forms.filter(({ arguments: args }) => args.length > 0).map(argumentsText);
  const types = entry.types.map(({ name: type, note, forms }) =>
    [`  ${type}`, ...(note === "" ? [] : [wrapped(note, "    ")]), ...forms.map((form) => wrapped(form, "    "))].join(
      "\n",
    ),
  );
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
    section(
      "Answer, beside what every envelope has",
      aligned(entry.fields.map(({ path, type, meaning }) => [path, type, meaning])),
    ),
    section("Order", declaration.lists.map(({ field, order }) => wrapped(`${field}: ${order}`, "  ")).join("\n")),
    section("Types", types.join("\n")),
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
