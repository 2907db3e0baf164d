// One sparkline for each series: eight heights between its least and its greatest value, both written beside it.
// A gap is a blank; flagged slots are marked below; where there are more slots than places, a mark is the greatest of its slots.
import type { Colors } from "picocolors/types.js";
import { canonicalNumber } from "../../contract/canonical.js";
import type { Table } from "./answer.js";
import { displayWidth, padTo, printable } from "./display-width.js";
import { type Chart, chartOf, type Series } from "./series.js";

const HEIGHTS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
/** Where all values are equal there is no scale: a middle height. */
const LEVEL = "▄";
const NARROWEST = 20;
export const DEFAULT_CHART_WIDTH = 100;

export interface ChartStyle {
  /** Places in a line; null: 100. */
  readonly width: number | null;
  readonly colours: Colors;
}

interface Mark {
  readonly value: number | null;
  readonly isFlagged: boolean;
}

function marksOf({ values, flagged }: Series, slotsPerMark: number): Mark[] {
  const marks: Mark[] = [];
  for (let from = 0; from < values.length; from += slotsPerMark) {
    const present = values.slice(from, from + slotsPerMark).filter((value) => value !== null);
    marks.push({
      value: present.length === 0 ? null : Math.max(...present),
      isFlagged: flagged.slice(from, from + slotsPerMark).includes(true),
    });
  }
  return marks;
}

function sparkline(marks: readonly Mark[], least: number, greatest: number): string {
  return marks
    .map(({ value }) => {
      if (value === null) return " ";
      if (greatest === least) return LEVEL;
      return HEIGHTS[Math.min(7, Math.floor(((value - least) / (greatest - least)) * 8))]!;
    })
    .join("");
}

function scaleText(series: Series): { least: number; greatest: number; text: string } {
  const present = series.values.filter((value) => value !== null);
  if (present.length === 0) return { least: 0, greatest: 0, text: "no values" };
  const least = present.reduce((a, b) => Math.min(a, b));
  const greatest = present.reduce((a, b) => Math.max(a, b));
  return { least, greatest, text: `min ${canonicalNumber(least)}, max ${canonicalNumber(greatest)}` };
}

/** The first instant below the first mark and the last below the last, where there is room between them. */
function spanText({ from, to }: Chart, markCount: number): string {
  if (from === to) return from;
  const between = markCount - from.length - to.length;
  return between > 0 ? `${from}${" ".repeat(between)}${to}` : `${from} to ${to}`;
}

function drawn(chart: Chart, width: number, colours: Colors): string[] {
  const names = chart.series.map(({ name }) => printable(name));
  const nameWidth = Math.max(...names.map(displayWidth));
  const scales = chart.series.map(scaleText);
  const scaleWidth = Math.max(...scales.map(({ text }) => text.length));
  const room = Math.max(NARROWEST, width - nameWidth - scaleWidth - 4);
  const slotCount = chart.series[0]!.values.length;
  const slotsPerMark = Math.ceil(slotCount / room);
  const markCount = Math.ceil(slotCount / slotsPerMark);

  const lines: string[] = [];
  for (const [i, series] of chart.series.entries()) {
    const marks = marksOf(series, slotsPerMark);
    const { least, greatest, text } = scales[i]!;
    const name = colours.bold(padTo(names[i]!, nameWidth, "left"));
    lines.push(`${name}  ${sparkline(marks, least, greatest)}  ${text}`);
    if (marks.some(({ isFlagged }) => isFlagged)) {
      const flags = marks.map(({ isFlagged }) => (isFlagged ? "^" : " ")).join("");
      lines.push(`${" ".repeat(nameWidth)}  ${flags}`.trimEnd());
    }
  }
  lines.push(colours.gray(`${" ".repeat(nameWidth)}  ${spanText(chart, markCount)}`));
  if (slotsPerMark > 1) lines.push(colours.gray(`each mark is the greatest of ${slotsPerMark} values`));
  if (!chart.isEven) lines.push(colours.gray("the rows are not evenly spaced: each mark is one row"));
  return lines;
}

/** The lines of the chart, or in one text why the result has no shape for one. */
export function chartLines(table: Table, { width, colours }: ChartStyle): string[] | string {
  const chart = chartOf(table);
  return typeof chart === "string" ? chart : drawn(chart, width ?? DEFAULT_CHART_WIDTH, colours);
}
