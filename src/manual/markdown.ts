// The manual as one page of Markdown: docs/operators.md.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import type { DeclaredError, OperatorExample, StoreScript } from "../operators/declaration.js";
import {
  type ArgumentEntry,
  type ArgumentForm,
  type FieldEntry,
  fieldsOfType,
  type OperatorEntry,
  operatorEntries,
  rowTypes,
  SHARED_ARGUMENTS,
  STORES,
  shownAnswer,
  storeName,
} from "./entry.js";
import { jsonLine, jsonText } from "./json-lines.js";
import type { NamedType, SchemaNode } from "./types.js";

const INTRODUCTION = `# Operators

<!-- Written by \`npm run docs:operators\` from the declarations in src/operators. Changes here are lost. -->

An operator is one question that the engine answers: \`await db.call("scan", {of: "events"})\` in JavaScript,
\`palimpsest call STORE scan '{"of": "events"}'\` in a shell, \`palimpsest call STORE scan --help\` for what stands here.

**Arguments.** Unknown names are errors, at every depth. What is left out has its default, and the answer's \`args\` show all
that had an effect. Every operator that asks a store takes \`as_of_tt\` (a [Pin](#types): answer as it was believed then; null:
now; diff_snapshots takes it in each corner). All take \`limit\` (1 to 10000, 100 unless said: rows of each list) and
\`cursor\` (from an answer: the next page of one list).

**Answers.** Every answer has \`rows\`, the main list, with \`rows_total\`; \`truncated\` and \`cursor\` where it goes on;
\`complete\`, false where this page is not the whole, and \`incomplete\`, what is missing (\`"page"\`); \`pin\`, the commit
that was asked; \`op\` and \`args\`; \`erased\`, how many erasures touched this past; \`notices\` where there are any; and
\`result_digest\`, a SHA-256 over \`op\`, \`args\`, the commit's number and all fields but \`pin\`, \`erased\` and \`notices\`, the
same on every machine. The tables below name what an operator gives beside that. In them \`instant\` and \`duration\` are
texts, and \`[events]\` says what a number counts. Types with a name, such as \`Where\` and \`EdgeVersion\`, are explained
[at the end](#types).

**Errors.** Each has a \`code\`, a message and a hint. Any operator may give E_SCHEMA (the arguments' shape), E_INVALID_ARG,
E_PERIOD_ORDER (a window that ends before it begins), E_ZONE_MISSING (an instant without a zone), E_TX_UNKNOWN (a commit that
is not there yet), E_COST (more work than the ceilings allow, with suggestions that fit), E_LIMIT and E_CANCELLED. What is
listed below is an operator's own.
`;

const escaped = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function argumentRow({ name, type, isRequired, fallback, bounds }: ArgumentEntry): string[] {
  const shown = isRequired ? "required" : fallback === undefined ? "" : code(canonicalJson(fallback as JsonValue));
  return [code(name), code(type), shown, bounds];
}

const fieldRow = ({ path, type, meaning }: FieldEntry): string[] => [code(path), type, meaning];

function errorLine({ code: name, when, args }: DeclaredError): string {
  return `- ${name}: ${when}. For example ${code(jsonLine(args))}`;
}

function storeLines(store: StoreScript): string {
  return store.batches
    .map(({ txTime, ops }) => `commit at ${txTime}\n${ops.map((op) => `  ${jsonText(op, "  ")}`).join("\n")}`)
    .join("\n");
}

function exampleText(name: string, { title, store, args, envelope }: OperatorExample): string {
  const known = storeName(store);
  const parts = [`**${title[0]!.toUpperCase()}${title.slice(1)}**${known === undefined ? "" : ` (store ${known})`}`];
  if (known === undefined) parts.push(fenced("text", storeLines(store)));
  parts.push(fenced("js", `await db.call(${JSON.stringify(name)}, ${jsonText(args)})`));
  parts.push(fenced("json", jsonText(shownAnswer(envelope))));
  return parts.join("\n\n");
}

function formText({ title, arguments: args }: ArgumentForm): string {
  const own = args.filter((each) => !SHARED_ARGUMENTS.includes(each.name));
  const head = title === null ? "" : `With ${code(title)}:\n\n`;
  return own.length === 0 ? "" : `${head}${table(["argument", "type", "default", "bounds"], own.map(argumentRow))}`;
}

function operatorText({ declaration, forms, fields }: OperatorEntry): string {
  const { name, aliases, summary, doc, lists, errors, determinism, examples } = declaration;
  const orders = lists.map(({ field, order }) => `- ${code(field)}: ${order}`);
  return [
    `## ${name}`,
    `${summary}${aliases.length === 0 ? "" : ` Also called ${aliases.map(code).join(", ")}.`}`,
    doc,
    ...forms.map(formText).filter((text) => text !== ""),
    table(["field", "type", "meaning"], fields.map(fieldRow)),
    `Order:\n${orders.join("\n")}\n\n${determinism}`,
    ...(errors.length === 0 ? [] : [`Errors:\n${errors.map(errorLine).join("\n")}`]),
    ...examples.map((example) => exampleText(name, example)),
  ].join("\n\n");
}

const typeText = ({ name, note, forms }: NamedType): string =>
  [
    `### ${name}`,
    ...(note === "" ? [] : [note]),
    ...(forms.length === 0 ? [] : [fenced("text", forms.join("\n"))]),
  ].join("\n\n");

const rowTypeText = (node: SchemaNode): string =>
  [`### ${node.title as string}`, table(["field", "type", "meaning"], fieldsOfType(node).map(fieldRow))].join("\n\n");

function uniqueTypes(entries: readonly OperatorEntry[]): NamedType[] {
  const byName = new Map(entries.flatMap(({ types }) => types.map((type) => [type.name, type] as const)));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function operatorReference(): string {
  const entries = operatorEntries();
  const index = entries.map(({ declaration: { name, summary } }) => [`[${code(name)}](#${name})`, summary]);
  const stores = Object.entries(STORES).map(([name, store]) => `### ${name}\n\n${fenced("text", storeLines(store))}`);
  return `${[
    INTRODUCTION.trim(),
    table(["operator", "question"], index),
    ...entries.map(operatorText),
    "## Types",
    "A `?` marks what may be left out, `=` its default.",
    ...uniqueTypes(entries).map(typeText),
    ...rowTypes(entries).map(rowTypeText),
    "## The stores of the examples",
    ...stores,
  ].join("\n\n")}\n`;
}
