// The names that completion offers: of the store as the session sees it, and of the language.
// Asked for at each Tab: a store that is written to has other names a moment later.
import type { CompletionNames } from "../../../grammar/index.js";
import { PART_UNITS } from "../../calendar/units.js";
import { type OperatorEntry, operatorEntries } from "../../manual/entry.js";
import type { AnswerRow } from "../formats/answer.js";
import type { TqlSession } from "../session.js";

let operators: readonly OperatorEntry[] | null = null;

/** Made once: the declarations do not change. */
function allOperators(): readonly OperatorEntry[] {
  operators ??= operatorEntries();
  return operators;
}

const operatorNamed = (name: string): OperatorEntry | undefined =>
  allOperators().find(({ declaration }) => declaration.name === name || declaration.aliases.includes(name));

const isPlain = (name: string): boolean => /^\w+$/.test(name);

function argumentsOf(operator: string): string[] {
  const forms = operatorNamed(operator)?.forms ?? [];
  return [...new Set(forms.flatMap((form) => form.arguments.map(({ name }) => name)))].filter(isPlain);
}

/** Columns of the rows, and the single fields beside them. */
function columnsOf(operator: string): string[] {
  const fields = operatorNamed(operator)?.fields ?? [];
  return fields.map(({ path }) => path.replace(/^rows\[\]\./, "")).filter(isPlain);
}

/** Of SHOW LABELS and SHOW TYPES: each name with its properties. */
function withProperties(rows: readonly AnswerRow[], column: string): Map<string, readonly string[]> {
  return new Map(rows.map((row) => [row[column] as string, row.properties as readonly string[]]));
}

export async function catalogueNames(session: TqlSession, parameters: readonly string[]): Promise<CompletionNames> {
  const ask = async (text: string) =>
    (await session.query(text, { params: {}, signal: new AbortController().signal })).rows;
  const labels = withProperties(await ask("SHOW LABELS"), "label");
  const types = withProperties(await ask("SHOW TYPES"), "type");
  const functions = (await ask("SHOW FUNCTIONS")).map((row) => row.function as string);
  const propertiesOf = (of: readonly string[]): string[] => {
    const named = of.length === 0 ? [...labels.keys(), ...types.keys()] : of;
    return [...new Set(named.flatMap((name) => [...(labels.get(name) ?? []), ...(types.get(name) ?? [])]))].sort();
  };
  return {
    labels: () => [...labels.keys()],
    types: () => [...types.keys()],
    properties: propertiesOf,
    operators: () => allOperators().map(({ declaration }) => declaration.name),
    argumentsOf,
    columnsOf,
    functions: () => functions,
    parameters: () => parameters,
    units: () => PART_UNITS,
  };
}
