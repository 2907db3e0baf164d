// One answer in one of the formats, piece by piece to whatever takes text.
// Knows no terminal: width and colours are told.
import type { Colors } from "picocolors/types.js";
import { canonicalJson } from "../../contract/canonical.js";
import type { AnswerRow, Table } from "./answer.js";
import { chartLines } from "./chart.js";
import { csvHeader, csvRow } from "./csv.js";
import { jsonLine } from "./json-lines.js";
import type { AnswerFormat } from "./names.js";
import { tableLines } from "./table.js";

export interface TextStyle {
  /** Places in a line; null: as many as it takes. */
  readonly width: number | null;
  readonly colours: Colors;
}

export type Write = (text: string) => Promise<void> | void;

/** Rows are gathered up to this many characters before they are written. */
const PIECE = 1 << 16;

/** The formats that need no more than one row at a time. */
export const isRowFormat = (format: AnswerFormat): format is "jsonl" | "csv" => format === "jsonl" || format === "csv";

async function written(pieces: AsyncIterable<string> | Iterable<string>, write: Write): Promise<void> {
  let gathered = "";
  for await (const piece of pieces) {
    gathered += piece;
    if (gathered.length < PIECE) continue;
    await write(gathered);
    gathered = "";
  }
  if (gathered !== "") await write(gathered);
}

export async function printRows(
  { columns, rows }: { columns: Table["columns"]; rows: AsyncIterable<AnswerRow> | Iterable<AnswerRow> },
  format: "jsonl" | "csv",
  write: Write,
): Promise<void> {
  if (columns.length === 0) return;
  async function* lines(): AsyncGenerator<string> {
    if (format === "csv") yield csvHeader(columns);
    for await (const row of rows) yield format === "csv" ? csvRow(row, columns) : jsonLine(row, columns);
  }
  await written(lines(), write);
}

/** The fields that `query --format json` shows: all of the answer but the plan, which EXPLAIN prints. */
const SHOWN_FIELDS = [
  ...["columns", "rows", "rows_total", "complete", "incomplete", "pin", "resolved", "erased", "notices"],
  ...["plan_digest", "result_digest"],
] as const;

export function answerJson(answer: Table): string {
  const fields = answer as unknown as Readonly<Record<string, unknown>>;
  return `${canonicalJson(Object.fromEntries(SHOWN_FIELDS.map((name) => [name, fields[name]])))}\n`;
}

/** The lines for people; `remark` says why a chart became a table. */
export function answerLines(
  answer: Table,
  format: "table" | "chart",
  style: TextStyle,
): { lines: string[]; remark: string | null } {
  const isPlan = answer.kind === "explain";
  if (format === "table" || isPlan || answer.columns.length === 0) {
    return { lines: tableLines(answer, isPlan ? { ...style, width: null } : style), remark: null };
  }
  const chart = chartLines(answer, style);
  if (typeof chart !== "string") return { lines: chart, remark: null };
  return { lines: tableLines(answer, style), remark: `no chart: ${chart}` };
}
