// What a question itself names, which an answer may repeat: dates and the ends of stretches, numbers, uids and names.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const day = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month, date)).toISOString().replace(".000Z", "Z");

/** Beginnings and ends of the days, months and years of a question, and its instants. */
export function datesOfQuestion(question: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, y, m, d, time] of question.matchAll(/(\d{4})-(\d{2})-(\d{2})(?:T([\d:.]+)Z)?/g)) {
    if (time === undefined) for (const add of [0, 1]) found.add(day(Number(y), Number(m) - 1, Number(d) + add));
    else found.add(`${y}-${m}-${d}T${time.length === 5 ? `${time}:00` : time}Z`);
  }
  for (const [, name, y] of question.matchAll(/([A-Za-z]{3})[a-z]* (\d{4})/g)) {
    const month = MONTHS.indexOf(name!.toLowerCase());
    if (month >= 0) for (const add of [0, 1]) found.add(day(Number(y), month + add, 1));
  }
  for (const [, y] of question.matchAll(/\b(\d{4})\b/g))
    for (const add of [0, 1]) found.add(day(Number(y) + add, 0, 1));
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
