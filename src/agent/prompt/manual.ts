// The manual of operators as a planner reads it: one paragraph each, generated from the registry, output fields included;
// before them the types that several share, as far as they are used.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject } from "../../contract/values.js";
import { type OperatorEntry, operatorEntries } from "../../manual/entry.js";
import { argumentsText, type Detail } from "./manual-arguments.js";
import { fieldsText } from "./manual-fields.js";
import { shapeOf } from "./question-shapes.js";

const LISTS_TEXT =
  "Every answer has rows_total, the exact count of rows. Without limit it is the whole list. All that read the store have as_of_tt.";

/** What several operators share, each said where some operator of the manual uses it. */
interface SharedType {
  /** What in a manual speaks of it. */
  readonly use: RegExp;
  readonly text: string;
  /** In a small context, where that can be shorter. */
  readonly brief?: string;
}

const SHARED_TYPES: readonly SharedType[] = [
  {
    use: /\bwhere\b|\bPred\b|\bNodeFilter\b/,
    text: `Where = {types: [..], keys: [..], src: NodeFilter, dst: NodeFilter, node: NodeFilter (both ends), edge: Pred[]}
NodeFilter = {uids: [..], labels: [..], any_labels: [..], props: Pred[]}
Pred = {prop, op: eq|ne|lt|le|gt|ge|contains|starts_with|ends_with|in|between|is_null|not_null, value} | {any: Pred[]} | {not: Pred}`,
    brief: `where = {types: [..], src|dst|node: {uids: [..], labels: [..], props: Pred[]}, edge: Pred[]}
Pred = {prop, op: eq|ne|lt|le|gt|ge|contains|in|between|is_null.., value} | {any: Pred[]} | {not: Pred}`,
  },
  {
    use: /\bDim\b/,
    text: `Dim = {dim: "node", role: src|dst|either} | {dim: "pair", undirected?} | {dim: "bucket", stride} | {dim: "type"} | {dim: "labels", role} |
{dim: "trunc", unit: day|week|month|year..} | {dim: "calendar", unit: year|month|date|day_of_week|hour_of_day..} | {dim: "prop", of: edge|src|dst, prop}; zone?
Agg = {fn: count|min_gap|mean_gap|max_gap, as?} | {fn: count_distinct, of: src|dst|other|pair|type or prop, as?} |
{fn: min|max|sum|mean|median|stddev, of: at|duration or prop, as?} | {fn: first|last, of: at|other|src|dst or prop, as?} |
{fn: max_in_span, span, of: events|distinct_other, as?} | {fn: longest_session, gap, as?}
Columns of rows: Dims give node, src, dst, node_1 node_2 (undirected), from to, type, <unit>; each Agg its as.
Ordering = {column, desc?}`,
    brief: `Dim = {dim: node|labels, role: src|dst|either} | {dim: pair|type} | {dim: bucket, stride} | {dim: calendar|trunc, unit: day|date|month..} | {dim: prop, of: edge|src|dst, prop}
Agg = {fn: count|count_distinct|min|max|mean|sum|first|last|max_gap.., of?: at|src|dst|other|duration, prop?, as}
Columns of rows: node, src, dst, from to, type, <unit>, each as. Ordering = {column, desc?}`,
  },
  { use: /\bSelection\b/, text: "Selection = {src?, dst?, where?}" },
  { use: /\bref\b/, text: "Ref = {uid} or {src, type, dst, key?}" },
  { use: /EdgeSpan|EdgeVersion/, text: "EdgeSpan {src type dst key valid_from valid_to}" },
  {
    use: /EdgeVersion/,
    text: "EdgeVersion: EdgeSpan and {props tx_from tx_to ended_by ended_reason source provenance_ref reason}; NodeVersion {uid labels} and the same",
  },
  { use: /\bProjection\b/, text: 'Projection = "all" or [prop, ..]' },
  {
    use: /\bMotif\b|motif\*/,
    text: 'motif: "a>b,b>a" (in time order, letters are nodes), "M11".."M66", "cycle:3", "all"',
  },
  {
    use: /ColumnExpression/,
    text: "ColumnExpression = {value} | {field} | {fn: eq|lt|and|not|add|sub|case|.., args: [..]}",
  },
];

/** The words of a type that is a list of words. */
function wordsText({ types }: OperatorEntry): string {
  return types
    .flatMap(({ name, forms }) => {
      const [form, ...more] = forms;
      if (form === undefined || more.length > 0 || !/^("[a-z_]+"( \| )?)+$/.test(form.type)) return [];
      return [`\n${name} = ${form.type.replaceAll('"', "").replaceAll(" | ", "|")}`];
    })
    .join("");
}

/** The first example that has arguments. */
function exampleText({ declaration }: OperatorEntry): string {
  const example = declaration.examples.find(({ args }) => Object.keys(args).length > 0);
  return example === undefined ? "" : `\ne.g. ${canonicalJson(example.args as JsonObject)}`;
}

export interface ManualPart {
  readonly name: string;
  readonly text: string;
}

function partOf(entry: OperatorEntry, detail: Detail, hasExample: boolean): ManualPart {
  const { name, summary } = entry.declaration;
  const { shape } = shapeOf(name);
  const isFull = detail === "full";
  const lines = [
    `### ${name}: ${isFull ? `${summary} For ` : ""}${shape}`,
    `${argumentsText(entry, detail)}${wordsText(entry)}`,
    `out ${fieldsText(entry.fields, detail)}${hasExample ? exampleText(entry) : ""}`,
  ];
  return { name, text: lines.join("\n") };
}

let entries: readonly OperatorEntry[] | undefined;

/** A paragraph for each operator, in the order of their names; with an example but for those that are shown elsewhere. */
export function manualParts(detail: Detail, shown: ReadonlySet<string> = new Set()): readonly ManualPart[] {
  entries ??= operatorEntries();
  return entries.map((entry) => partOf(entry, detail, detail === "full" && !shown.has(entry.declaration.name)));
}

/** The whole manual; or that of some operators, brief and without examples. */
export function manualText(names: ReadonlySet<string> | null = null, shown: ReadonlySet<string> = new Set()): string {
  const detail = names === null ? "full" : "brief";
  const parts = manualParts(detail, shown).filter(({ name }) => names === null || names.has(name));
  const all = parts.map(({ text }) => text).join("\n");
  const used = SHARED_TYPES.filter(({ use }) => use.test(all));
  const shared = used.map(({ text, brief }) => (names === null ? text : (brief ?? text)));
  return [...shared, LISTS_TEXT, all].join("\n");
}
