// One row a line, members in the order of the columns; values as canonical JSON writes them.
import { canonicalJson, canonicalString } from "../../contract/canonical.js";
import type { AnswerColumn, AnswerRow } from "./answer.js";

export function jsonLine(row: AnswerRow, columns: readonly AnswerColumn[]): string {
  const members = columns.map(({ name }) => `${canonicalString(name)}:${canonicalJson(row[name] ?? null)}`);
  return `{${members.join(",")}}\n`;
}
