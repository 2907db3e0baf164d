// The line below an answer: rows, time, the pin it was read at, the periods that were used, and notices.

import { grouped, plural } from "./output.js";
import type { Answer, Notice } from "./session.js";

export interface StatusParts {
  /** Undefined: the time is not wanted. */
  readonly tookMs: number | undefined;
}

function timeText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const noticeText = ({ code, message }: Notice): string => (message === undefined ? code : `${code}: ${message}`);

function rowsText({ rows, rows_total: total, complete, columns }: Answer): string[] {
  if (columns.length === 0) return [];
  const shown = plural(rows.length, "row");
  const of = total !== null && total > rows.length ? ` of ${grouped(total)}` : "";
  return [`${shown}${of}${complete ? "" : ", incomplete"}`];
}

export function statusLine(answer: Answer, { tookMs }: StatusParts): string {
  const { pin } = answer;
  return [
    ...rowsText(answer),
    ...(tookMs === undefined ? [] : [timeText(tookMs)]),
    ...(pin === null ? [] : [`pin tx:${pin.tx} (${pin.tx_time})`]),
    ...answer.notices.map(noticeText),
  ].join(" · ");
}
