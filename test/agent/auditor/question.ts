// What a question itself names, which an answer may repeat: dates and the ends of stretches, numbers, uids and names.
import { instantsOf, type LocalTime } from "./zones.js";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WRITTEN = /(\d{4}-\d{2}-\d{2})(?:(?:[T ]| at )(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?/g;
const textOf = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
const day = (year: number, month: number, date: number): number => Date.UTC(year, month, date);

/** Beginnings and ends of the days, months and years of a question, and its instants, in each of these zones. */
export function datesOfQuestion(question: string, zones: readonly LocalTime[]): ReadonlySet<string> {
  const found = new Set<string>();
  const local = new Set<number>();
  for (const [, date, time, offset] of question.matchAll(WRITTEN)) {
    const [y, m, d] = date!.split("-").map(Number);
    if (time === undefined) for (const add of [0, 1]) local.add(day(y!, m! - 1, d! + add));
    else if (offset === "Z") found.add(`${date}T${time.length === 5 ? `${time}:00` : time}Z`);
    else if (offset === undefined) local.add(Date.parse(`${date}T${time}Z`));
    else found.add(textOf(Date.parse(`${date}T${time}${offset}`)));
  }
  for (const [, name, y] of question.matchAll(/([A-Za-z]{3})[a-z]* (\d{4})/g)) {
    const month = MONTHS.indexOf(name!.toLowerCase());
    if (month >= 0) for (const add of [0, 1]) local.add(day(Number(y), month + add, 1));
  }
  for (const [, y] of question.matchAll(/\b(\d{4})\b/g))
    for (const add of [0, 1]) local.add(day(Number(y) + add, 0, 1));
  const instants = [...local].flatMap((ms) => zones.flatMap((zone) => instantsOf(ms, zone)));
  for (const ms of instants) found.add(textOf(ms));
  return found;
}

export const numbersOfQuestion = (question: string): readonly string[] =>
  Array.from(question.matchAll(/-?\d+(?:\.\d+)?/g), ([text]) => text);

/** Every run of up to four words, for whoever knows the names. */
export function runsOf(text: string): ReadonlySet<string> {
  const words = text.split(/[\s,;:!?()"“”`]+/).map((word) => word.replace(/^[.'’]+|[.'’]+$/g, ""));
  const runs = new Set<string>();
  for (let i = 0; i < words.length; i += 1) {
    for (let n = 1; n <= 4; n += 1) {
      const run = words.slice(i, i + n).join(" ");
      for (const each of [run, run.replace(/['’]s$/, ""), ...run.split("-")]) if (each.trim() !== "") runs.add(each);
    }
  }
  return runs;
}
