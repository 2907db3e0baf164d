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

const joined = (texts: readonly string[]): string => texts.join(" ");

function documentOf({ declaration, forms, fields }: OperatorEntry): SearchedDocument {
  const { name, summary, doc, examples } = declaration;
  const { shape, questions } = shapeOf(name);
  const args = forms.flatMap(({ meaning, arguments: entries }) => [meaning, ...entries.map((entry) => entry.name)]);
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

/** Documents stand in the order of the registry, which decides ties. */
function operatorIndex(): LexicalIndex {
  const entries = new Map(operatorEntries().map((entry) => [entry.declaration.name, entry]));
  index ??= new LexicalIndex(DECLARATIONS.map(({ name }) => documentOf(entries.get(name)!)));
  return index;
}

/** The operators of a small manual, the most needed first: those that violations name, and the one that the question fits best. */
export function operatorsFor(
  question: string,
  examples: readonly PlannerExample[],
  named: readonly string[] = [],
): readonly string[] {
  const called = examples.flatMap(({ operators }) =>
    operators.some((each) => ALWAYS.includes(each)) ? operators : [],
  );
  const [best, ...others] = operatorIndex().ranked(question).slice(0, MOST_FOUND);
  return [...new Set([...named, ...(best === undefined ? [] : [best]), ...ALWAYS, ...called, ...others])];
}
