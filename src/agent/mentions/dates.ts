// The dates that a question writes, as local days: a day, a month or a year in the forms of people, and days as ISO 8601 has
// them. Its months are left out: `2004-05` is a season as often as it is May.
import { daysFromCivil, daysInMonth } from "../../contract/calendar.js";
import { MONTHS } from "../words/lexicon.js";
import { Cover, type Span } from "./cover.js";

/** Local days, counted from 1970-01-01. */
export interface Days {
  readonly unit: "day" | "month" | "year";
  readonly firstDay: number;
  /** The first one that is no part of it. */
  readonly nextDay: number;
}

export interface WrittenDate extends Days, Span {}

const MONTH = `(?:${MONTHS.map((name) => (name === "may" ? "may" : `${name.slice(0, 3)}(?:${name.slice(3)})?`)).join("|")})`;
const monthOf = (name: string): number =>
  MONTHS.findIndex((each) => each.startsWith(name.slice(0, 3).toLowerCase())) + 1;

function dayOf(year: number, month: number, day: number): Days | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const firstDay = daysFromCivil(year, month, day);
  return { unit: "day", firstDay, nextDay: firstDay + 1 };
}

function monthsOf(unit: "month" | "year", year: number, month: number): Days {
  const firstDay = daysFromCivil(year, month, 1);
  const isLast = unit === "year" || month === 12;
  return { unit, firstDay, nextDay: isLast ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1) };
}

type Reader = (groups: readonly string[]) => Days | null;

/** The closer forms first. */
const FORMS: readonly (readonly [RegExp, Reader])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})(?!\d)/g, ([y, m, d]) => dayOf(Number(y), Number(m), Number(d))],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH}),? (\\d{4})\\b`, "gi"),
    ([d, m, y]) => dayOf(Number(y), monthOf(m!), Number(d)),
  ],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi"),
    ([m, d, y]) => dayOf(Number(y), monthOf(m!), Number(d)),
  ],
  [new RegExp(`\\b(${MONTH}),? (\\d{4})\\b`, "gi"), ([m, y]) => monthsOf("month", Number(y), monthOf(m!))],
  [
    /(?<=\b(?:in|during|of|for|year|since|until|before|after|from|to|and) )(\d{4})(?![-\d:.,]\d)/gi,
    ([y]) => monthsOf("year", Number(y), 1),
  ],
];

/** Every date of a text, from left to right; none inside another, and none that is a part of one that no calendar has. */
export function datesIn(text: string): readonly WrittenDate[] {
  const cover = new Cover(text.length);
  const found: WrittenDate[] = [];
  for (const [form, read] of FORMS) {
    for (const match of text.matchAll(form)) {
      const span = { from: match.index, to: match.index + match[0].length };
      if (!cover.isFree(span)) continue;
      cover.take(span);
      const days = read(match.slice(1));
      if (days !== null) found.push({ ...span, ...days });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}
