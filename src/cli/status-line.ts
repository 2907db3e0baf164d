// The line below an answer: rows, time, the pin it was read at, the periods that were used, and notices.
// Nothing here is for programs: --format json has all of it.
import type { JsonValue } from "../contract/values.js";
import { grouped, plural } from "./output.js";
import type { Answer, Notice, ResolvedTime } from "./session.js";

export interface StatusParts {
  /** Undefined: the time is not wanted. */
  readonly tookMs: number | undefined;
}

function timeText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function rowsText({ rows, rows_total: total, complete, columns }: Answer): string[] {
  if (columns.length === 0) return [];
  const shown = plural(rows.length, "row");
  const of = total !== null && total > rows.length ? ` of ${grouped(total)}` : "";
  return [`${shown}${of}${complete ? "" : ", incomplete"}`];
}

const pinText = ({ pin }: Answer): string[] =>
  pin === null ? [] : [`pin tx:${pin.tx}${pin.tx_time === null ? "" : ` (${pin.tx_time})`}`];

/** `all`, `at an instant`, `one to another`. */
function periodText(period: JsonValue): string {
  if (typeof period !== "object" || period === null || Array.isArray(period)) return String(period);
  if (period.at !== undefined) return `at ${period.at}`;
  return `${period.from ?? "the beginning"} to ${period.to ?? "forever"}`;
}

/** The periods of the sources, each said once; a pin stands for a transaction time of its own. */
function periodsText(resolved: readonly ResolvedTime[]): string[] {
  const valid = resolved
    .filter((each) => each.valid_time !== null)
    .map((each) => `valid ${periodText(each.valid_time)}`);
  const believed = resolved
    .filter(({ pin }) => pin === null)
    .map((each) => `believed ${periodText(each.transaction_time)}`);
  return [...new Set([...valid, ...believed])];
}

/** That a period was not written is no news where the period stands beside it. */
const noticeText = ({ code, message }: Notice): string =>
  code === "W_DEFAULT_PERIOD" || message === undefined ? code : `${code}: ${message}`;

export function statusLine(answer: Answer, { tookMs }: StatusParts): string {
  return [
    ...rowsText(answer),
    ...(tookMs === undefined ? [] : [timeText(tookMs)]),
    ...pinText(answer),
    ...periodsText(answer.resolved),
    ...answer.notices.map(noticeText),
  ].join(" · ");
}
