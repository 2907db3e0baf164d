// Labels of a node in one cell: `Person;Employee`, or a list in JSON where a label itself has a semicolon.
// Both ways: what is written here is read here.
import { parseExact } from "../contract/exact-json.js";
import { LIMITS } from "../contract/values.js";
import { RefusedValue } from "./refusal.js";

const isLabel = (label: unknown): label is string => typeof label === "string" && label !== "";

export function labelsOfText(text: string, { isJson }: { isJson: boolean }): readonly string[] {
  const labels = isJson || text.startsWith("[") ? parseExact(text) : text === "" ? [] : text.split(";");
  if (!Array.isArray(labels) || !labels.every(isLabel)) {
    throw new RefusedValue("are no labels", "E_INVALID_ARG", 'write Person;Employee, or ["Person","Employee"]');
  }
  const long = labels.find((label) => Buffer.byteLength(label) > LIMITS.nameBytes);
  if (long !== undefined) throw new RefusedValue(`has a label of more than ${LIMITS.nameBytes} bytes`);
  return labels;
}

export function textOfLabels(labels: readonly string[]): string {
  const isPlain = labels.every((label) => !label.includes(";") && !label.startsWith("["));
  return isPlain ? labels.join(";") : JSON.stringify(labels);
}
