// Patterns for times that are neither numbers nor ISO 8601: a small part of strptime's letters.
// A pattern reads one text into a local time and says how fine it is; zones and bounds are for others.
import { daysFromCivil, daysInMonth } from "../contract/calendar.js";
import { PalimpsestError } from "../contract/errors.js";
import { RefusedValue } from "./refusal.js";

/** The finest part that a pattern names: what one step of it is. */
export type Precision = "year" | "month" | "day" | "hour" | "minute" | "second" | "microsecond";

export interface LocalTime {
  readonly localUs: bigint;
  /** Microseconds to subtract, where the text named its offset. */
  readonly offsetUs: bigint | null;
}

const LETTERS: Readonly<
  Record<string, { readonly form: string; readonly part: string; readonly precision?: Precision }>
> = {
  Y: { form: "(\\d{4})", part: "year", precision: "year" },
  m: { form: "(\\d{1,2})", part: "month", precision: "month" },
  b: { form: "([A-Za-z]{3})", part: "monthName", precision: "month" },
  d: { form: "(\\d{1,2})", part: "day", precision: "day" },
  H: { form: "(\\d{1,2})", part: "hour", precision: "hour" },
  M: { form: "(\\d{1,2})", part: "minute", precision: "minute" },
  S: { form: "(\\d{1,2})", part: "second", precision: "second" },
  f: { form: "(\\d{1,6})", part: "fraction", precision: "microsecond" },
  z: { form: "(Z|[+-]\\d\\d:?\\d\\d)", part: "offset" },
};
export const PATTERN_LETTERS =
  "%Y year, %m month, %b Jan to Dec, %d day, %H %M %S time of day, %f fraction, %z offset, %% a percent sign";
const ORDER: readonly Precision[] = ["year", "month", "day", "hour", "minute", "second", "microsecond"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

type Parts = Record<string, string | undefined>;

interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly micros: bigint;
}

function microsOfDay({ hour = "0", minute = "0", second = "0", fraction = "" }: Parts): bigint {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw new RefusedValue("names a time of day that does not exist");
  }
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

function civilOf(parts: Parts): Civil {
  const year = Number(parts.year);
  const named = parts.monthName === undefined ? -1 : MONTHS.indexOf(parts.monthName.toLowerCase());
  const month = parts.monthName === undefined ? Number(parts.month ?? "1") : named + 1;
  const day = Number(parts.day ?? "1");
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new RefusedValue("names a day that does not exist");
  }
  return { year, month, day, micros: microsOfDay(parts) };
}

const localOf = ({ year, month, day, micros }: Civil): bigint =>
  BigInt(daysFromCivil(year, month, day)) * 86_400_000_000n + micros;

const STEP_MICROS = { hour: 3_600_000_000n, minute: 60_000_000n, second: 1_000_000n, microsecond: 1n } as const;

/** The first moment behind the year, month, day … that a text names. */
function behind(civil: Civil, precision: Precision): bigint {
  const { year, month } = civil;
  if (precision === "year") return localOf({ ...civil, year: year + 1 });
  if (precision === "month")
    return localOf(month === 12 ? { ...civil, year: year + 1, month: 1 } : { ...civil, month: month + 1 });
  if (precision === "day") return localOf(civil) + 86_400_000_000n;
  return localOf(civil) + STEP_MICROS[precision];
}

function offsetOf(text: string): bigint {
  if (text === "Z") return 0n;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return BigInt(text.startsWith("-") ? -minutes : minutes) * 60_000_000n;
}

export class TimePattern {
  private readonly form: RegExp;
  private readonly parts: readonly string[];
  private readonly precision: Precision;

  constructor(readonly pattern: string) {
    const parts: string[] = [];
    let form = "";
    let finest = -1;
    for (let i = 0; i < pattern.length; i += 1) {
      const sign = pattern[i]!;
      const letter = sign === "%" ? (pattern[i + 1] ?? "") : "";
      if (sign === "%") i += 1;
      if (sign !== "%" || letter === "%") {
        form += sign.replace(SPECIAL, "\\$&");
        continue;
      }
      const known = Object.hasOwn(LETTERS, letter) ? LETTERS[letter]! : this.refuse(`%${letter} is not known`);
      if (parts.includes(known.part)) this.refuse(`%${letter} stands twice`);
      parts.push(known.part);
      form += this.formOf(letter, known.form, pattern[i + 1], i === 1);
      if (known.precision !== undefined) finest = Math.max(finest, ORDER.indexOf(known.precision));
    }
    if (!parts.includes("year")) this.refuse("it names no year (%Y)");
    if (parts.includes("month") && parts.includes("monthName")) this.refuse("%m and %b stand for the same");
    this.checkCoarser(parts, finest);
    this.form = new RegExp(`^${form}$`);
    this.parts = parts;
    this.precision = ORDER[finest]!;
  }

  /** Digits that run into digits are of one width; a year that stands free may have a sign and any number of digits. */
  private formOf(letter: string, form: string, next: string | undefined, isFirst: boolean): string {
    const runsOn = next === "%" || /\d/.test(next ?? "");
    if (letter === "Y" && !runsOn) return isFirst ? "(-?\\d{1,6})" : "(\\d{1,6})";
    return runsOn && form === "(\\d{1,2})" ? "(\\d{2})" : form;
  }

  private checkCoarser(parts: readonly string[], finest: number): void {
    const has = (precision: Precision): boolean =>
      precision === "microsecond"
        ? parts.includes("fraction")
        : parts.includes(precision) || (precision === "month" && parts.includes("monthName"));
    const missing = ORDER.slice(0, finest).find((precision) => !has(precision));
    if (missing !== undefined) this.refuse(`it has the ${ORDER[finest]} without the ${missing}`);
  }

  private refuse(what: string): never {
    throw new PalimpsestError("E_INVALID_ARG", `the time format ${JSON.stringify(this.pattern)}: ${what}`, {
      details: { format: this.pattern },
      hint: `known: ${PATTERN_LETTERS}; or the word iso`,
    });
  }

  /** The time that a text names, or null where it has another form. `isLast`: the first moment behind what it names. */
  read(text: string, isLast: boolean): LocalTime | null {
    const match = this.form.exec(text);
    if (match === null) return null;
    const parts: Parts = Object.fromEntries(this.parts.map((part, i) => [part, match[i + 1]]));
    const civil = civilOf(parts);
    return {
      localUs: isLast ? behind(civil, this.precision) : localOf(civil),
      offsetUs: parts.offset === undefined ? null : offsetOf(parts.offset),
    };
  }
}
