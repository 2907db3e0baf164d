// The manual of operators as a planner reads it: one paragraph each, generated from the registry, output fields included.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { ArgumentEntry } from "../../manual/arguments.js";
import { type OperatorEntry, operatorEntries, SHARED_ARGUMENTS } from "../../manual/entry.js";

/** What all operators share, said once. */
const SHARED_TEXT = `Filter: where = {types: [..], src: NodeFilter, dst: NodeFilter, node: NodeFilter (both ends), edge: Pred[]}.
NodeFilter = {uids: [..], labels: [..], any_labels: [..], props: Pred[]}.
Pred = {prop, op: eq|ne|lt|le|gt|ge|contains|starts_with|ends_with|in|between|is_null|not_null, value} | {any: Pred[]} | {not: Pred}.
Dim = {dim: "node", role: src|dst|either} | {dim: "pair", undirected?} | {dim: "bucket", stride, zone?} | {dim: "type"} |
{dim: "trunc", unit: day|week|month|year} | {dim: "calendar", unit: hour_of_day|day_of_week|month_of_year|date} | {dim: "prop", of: edge|src|dst, prop}.
Agg = {fn: count|count_distinct|min|max|mean|sum|first|last|max_gap|min_gap, of?: at|src|dst|other|duration, prop?, as?}.
Columns of rows: dims give node or src or dst, node_1, node_2, from, to, type, <unit>; aggregates give their \`as\`.
Ordering = {column, desc?}. Selection = {src?, dst?, where?}. Ref = {uid} or {src, type, dst, key?}.
limit: left out, the whole list. Every answer has rows_total, the exact count of rows, and complete.`;

function argumentText({ name, type, isRequired, fallback }: ArgumentEntry): string {
  const shown = isRequired || fallback === undefined ? "" : ` = ${canonicalJson(fallback as JsonValue)}`;
  return `${name}${isRequired ? "*" : ""}: ${type}${shown}`;
}

/** Arguments of the outermost level; what is inside named types is said once above. */
const isOuter = ({ name }: ArgumentEntry): boolean =>
  !name.includes(".") && !name.includes("[") && !SHARED_ARGUMENTS.includes(name);

function formsText({ forms }: OperatorEntry): string {
  return forms
    .map(({ title, arguments: args }) => {
      const own = args.filter(isOuter).map(argumentText).join("; ");
      return title === null ? `args ${own}` : `  ${title}: ${own}`;
    })
    .join("\n");
}

const LONGEST_TYPE = 60;

/** A long list of words is a text; what is inside a list of rows is told without the list. */
const fieldsText = ({ fields }: OperatorEntry): string =>
  fields.map(({ path, type }) => `${path}: ${type.length > LONGEST_TYPE ? "string" : type}`).join("; ");

function exampleText({ declaration }: OperatorEntry): string {
  const [example] = declaration.examples;
  return example === undefined ? "" : `\ne.g. ${canonicalJson(example.args as JsonObject)}`;
}

export interface ManualPart {
  readonly name: string;
  readonly text: string;
}

/** A paragraph for each operator, in the order of their names. */
export function manualParts(): readonly ManualPart[] {
  return operatorEntries().map((entry) => {
    const { name, summary } = entry.declaration;
    return {
      name,
      text: `### ${name}: ${summary}\n${formsText(entry)}\nout ${fieldsText(entry)}${exampleText(entry)}`,
    };
  });
}

/** The whole manual, or that of some operators. */
export function manualText(names: ReadonlySet<string> | null = null): string {
  const parts = manualParts().filter(({ name }) => names === null || names.has(name));
  return [SHARED_TEXT, ...parts.map(({ text }) => text)].join("\n\n");
}
