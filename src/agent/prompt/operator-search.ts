// Which operators a manual for a small context explains: those that a question speaks of, found by words alone.
import { type OperatorEntry, operatorEntries } from "../../manual/entry.js";
import { DECLARATIONS } from "../../operators/registry.js";
import { LexicalIndex, type SearchedDocument } from "./bm25.js";
import type { PlannerExample } from "./planner-front.js";
import { shapeOf } from "./question-shapes.js";

/** So many are found by the question. */
const MOST_FOUND = 4;
/** In every manual: what results are computed with, and what names are found with. */
const ALWAYS: readonly string[] = ["compute", "resolve_entities"];

/** A duration in a question may be a stride, a wait or a gap: it speaks of the arguments that take one. */
const DURATION = /\bP(?:\d+[DWMY]|T?(?:\d+[HMS])+)\b/g;

const joined = (texts: readonly string[]): string => texts.join(" ");

function documentOf({ declaration, forms, fields }: OperatorEntry): SearchedDocument {
  const { name, summary, doc, examples } = declaration;
  const { shape, questions } = shapeOf(name);
  const args = forms.flatMap(({ meaning, arguments: entries }) => [
    meaning,
    ...entries.flatMap((entry) => [entry.name, entry.type]),
  ]);
  return {
    name,
    fields: [
      { text: name, weight: 3 },
      { text: summary, weight: 3 },
      { text: shape, weight: 3 },
      { text: joined(questions), weight: 2 },
      { text: joined(examples.map(({ title }) => title)), weight: 1 },
      { text: doc, weight: 1 },
      { text: joined(args), weight: 1 },
      { text: joined(fields.map(({ path }) => path)), weight: 1 },
    ],
  };
}

let index: LexicalIndex | undefined;

/** Made once: a manual's entries take milliseconds. Documents stand in the order of the registry, which decides ties. */
function operatorIndex(): LexicalIndex {
  if (index === undefined) {
    const entries = new Map(operatorEntries().map((entry) => [entry.declaration.name, entry]));
    index = new LexicalIndex(DECLARATIONS.map(({ name }) => documentOf(entries.get(name)!)));
  }
  return index;
}

/** What the examples call that call one of these. */
const calledWith = (operators: readonly string[], examples: readonly PlannerExample[]): readonly string[] =>
  examples.flatMap(({ operators: called }) => (called.some((each) => operators.includes(each)) ? called : []));

/**
 * The operators of a small manual, the most needed first: those that violations name, the one that the question fits best,
 * what is always there, the others that the question fits; and after each of these what their examples call.
 */
export function operatorsFor(
  question: string,
  examples: readonly PlannerExample[],
  named: readonly string[] = [],
): readonly string[] {
  const found = operatorIndex().ranked(question.replace(DURATION, " duration stride ")).slice(0, MOST_FOUND);
  const first = [...named, ...found.slice(0, 1), ...ALWAYS, ...calledWith(ALWAYS, examples)];
  return [...new Set([...first, ...found, ...calledWith(found, examples)])];
}
