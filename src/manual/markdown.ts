// The manual as one page of Markdown: docs/operators.md.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import type { DeclaredError, ManualTable, OperatorExample, StoreScript } from "../operators/declaration.js";
import { type ArgumentEntry, membersOfType } from "./arguments.js";
import {
  type ArgumentForm,
  type FieldEntry,
  fieldsOfType,
  type OperatorEntry,
  operatorEntries,
  rowTypes,
  SHARED_ARGUMENTS,
  STORES,
  sharedEntries,
  shownAnswer,
  storeName,
} from "./entry.js";
import { jsonLine, jsonText, shortened } from "./json-lines.js";
import type { NamedType, SchemaNode } from "./types.js";

const INTRODUCTION = `# Operators

<!-- Written by \`npm run docs:operators\` from the declarations in src/operators. Changes here are lost. -->

An operator is one question that the engine answers: \`await db.call("scan", {of: "events"})\` in JavaScript,
\`palimpsest call STORE scan '{"of": "events"}'\` in a shell, \`palimpsest call STORE scan --help\` for what stands here.

**Arguments.** Unknown names are errors, at every depth. What is left out has its default, and the answer's \`args\` show all
that had an effect. What every operator takes stands in the first table below; \`compute\`, which asks no store, has no
\`as_of_tt\`, and \`diff_snapshots\` has one in each of its corners.

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

const RECIPE = `Save this as \`stores.mjs\` where the package is installed and run \`node stores.mjs\`: it writes the stores S1 and S2 as
\`s1.store\` and \`s2.store\`. Then \`npx palimpsest call s1.store ...\`, or \`call\` on the opened store, gives what the examples show.
A store that an example lists by itself, \`commit at\` a time and its operations, is written in the same way.`;

/** A program that writes the stores of the examples. */
function storesProgram(): string {
  const constants = Object.entries(STORES).map(
    ([name, { batches }]) => `const ${name} = ${jsonText(batches as unknown as JsonValue)};`,
  );
  return `import { open } from "palimpsest";

${constants.join("\n\n")}

for (const [path, batches] of [${Object.keys(STORES)
    .map((name) => `["${name.toLowerCase()}.store", ${name}]`)
    .join(", ")}]) {
  const db = await open(path);
  for (const { txTime, ops } of batches) await db.write(ops, { txTime });
  await db.close();
}`;
}

const escaped = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const ARGUMENT_HEAD = ["argument", "type", "default", "bounds", "meaning"];

function argumentRow({ name, type, isRequired, fallback, bounds, meaning, choices }: ArgumentEntry): string[] {
  const shown = isRequired ? "required" : fallback === undefined ? "" : code(canonicalJson(fallback as JsonValue));
  const chosen = Object.entries(choices).map(([choice, means]) => `${code(choice)}: ${means}`);
  return [code(name), code(type), shown, bounds, [meaning, ...chosen].join("<br>")];
}

const tableText = ({ title, head, rows }: ManualTable): string => `${title}:\n\n${table(head, rows)}`;

const fieldRow = ({ path, type, meaning }: FieldEntry): string[] => [code(path), type, meaning];

function errorLine({ code: name, when, args }: DeclaredError): string {
  return `- ${name}: ${when}. For example ${code(jsonLine(shortened(args)))}`;
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

function formText({ title, meaning, arguments: args }: ArgumentForm): string {
  const own = args.filter((each) => !SHARED_ARGUMENTS.includes(each.name));
  const head = title === null ? "" : `With ${code(title)}${meaning === "" ? "" : `, ${meaning}`}:\n\n`;
  return own.length === 0 ? "" : `${head}${table(ARGUMENT_HEAD, own.map(argumentRow))}`;
}

function operatorText({ declaration, forms, fields }: OperatorEntry): string {
  const { name, aliases, summary, doc, tables = [], lists, errors, determinism, examples } = declaration;
  const orders = lists.map(({ field, order }) => `- ${code(field)}: ${order}`);
  return [
    `## ${name}`,
    `${summary}${aliases.length === 0 ? "" : ` Also called ${aliases.map(code).join(", ")}.`}`,
    doc,
    ...forms.map(formText).filter((text) => text !== ""),
    ...tables.map(tableText),
    table(["field", "type", "meaning"], fields.map(fieldRow)),
    `Order:\n${orders.join("\n")}\n\n${determinism}`,
    ...(errors.length === 0 ? [] : [`Errors:\n${errors.map(errorLine).join("\n")}`]),
    ...examples.map((example) => exampleText(name, example)),
  ].join("\n\n");
}

function typeText({ name, note, forms, schema }: NamedType): string {
  const lines = forms.map(({ type, meaning }) => (meaning === "" ? type : `${type}  // ${meaning}`));
  const members = membersOfType(schema).map(argumentRow);
  return [
    `### ${name}`,
    ...(note === "" ? [] : [note]),
    ...(lines.length === 0 ? [] : [fenced("text", lines.join("\n"))]),
    ...(members.length === 0 ? [] : [table(["member", ...ARGUMENT_HEAD.slice(1)], members)]),
  ].join("\n\n");
}

const rowTypeText = (node: SchemaNode): string =>
  [`### ${node.title as string}`, table(["field", "type", "meaning"], fieldsOfType(node).map(fieldRow))].join("\n\n");

function uniqueTypes(entries: readonly OperatorEntry[]): NamedType[] {
  const byName = new Map(entries.flatMap(({ types }) => types.map((type) => [type.name, type] as const)));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function operatorReference(): string {
  const entries = operatorEntries();
  const index = entries.map(({ declaration: { name, summary } }) => [`[${code(name)}](#${name})`, summary]);
  return `${[
    INTRODUCTION.trim(),
    "What every operator takes:",
    table(ARGUMENT_HEAD, sharedEntries().map(argumentRow)),
    table(["operator", "question"], index),
    ...entries.map(operatorText),
    "## Types",
    "A `?` marks what may be left out, `=` its default.",
    ...uniqueTypes(entries).map(typeText),
    ...rowTypes(entries).map(rowTypeText),
    "## The stores of the examples",
    RECIPE,
    fenced("js", storesProgram()),
  ].join("\n\n")}\n`;
}
