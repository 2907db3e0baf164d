// A result as series over time: when a chart can be drawn of it, and the evenly spaced slots that it is drawn in.
// A slot without a row is a gap, so that silence is seen; nothing is interpolated.
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";
import { type AnswerColumn, isInstant, isNumber, type Table } from "./answer.js";

export interface Series {
  readonly name: string;
  /** One a slot; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly flagged: readonly boolean[];
}

export interface Chart {
  readonly from: string;
  readonly to: string;
  readonly series: readonly Series[];
  /** False: the rows follow no step, so each stands for itself and distances mean nothing. */
  readonly isEven: boolean;
}

/** More lines than this are no longer read as a chart. */
const MOST_SERIES = 24;
/** More slots than this for one row are a sparse list and no series. */
const MOST_SLOTS_PER_ROW = 50;
/** A day of 23 or 25 hours, or a leap second's worth of noise, is still one step. */
const STEP_TOLERANCE = 0.1;

interface Shape {
  readonly time: AnswerColumn;
  readonly numbers: readonly AnswerColumn[];
  /** The column whose texts name the lines, where there is one. */
  readonly split: AnswerColumn | null;
}

const isFlag = (column: AnswerColumn): boolean => column.name === "side" || column.name === "flagged";
/** What describes a bucket or its score, beside the numbers. */
const isBeside = (column: AnswerColumn): boolean =>
  isInstant(column) || column.type === "bool" || column.type === "period" || column.name === "reason";

function shapeOf({ columns }: Table): Shape | string {
  const [time, ...rest] = columns;
  if (time === undefined || !isInstant(time)) return "its first column is no instant";
  const numbers = rest.filter(isNumber);
  if (numbers.length === 0) return "no column of numbers follows";
  const others = rest.filter((column) => !isNumber(column) && !isBeside(column) && !isFlag(column));
  if (others.length > 1) return `${others[1]!.name} is no number`;
  const split = others[0] ?? null;
  if (split !== null && split.type !== "string") return `${split.name} is no number`;
  return { time, numbers, split };
}

/** Months since year 0 where every instant is the first moment of a month in UTC. */
function monthNumbers(texts: readonly string[]): number[] | null {
  const found = texts.map((text) => /^([+-]?\d{4,5})-(\d\d)-01T00:00:00Z$/.exec(text));
  if (found.some((match) => match === null)) return null;
  return found.map((match) => Number(match![1]) * 12 + Number(match![2]));
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** The slot of each instant, ascending; null where they follow no step. */
function slotsOf(texts: readonly string[]): number[] | null {
  const months = monthNumbers(texts);
  if (months !== null) {
    const step = months.slice(1).reduce((divisor, month, i) => greatestDivisor(divisor, month - months[i]!), 0);
    return months.map((month) => (step === 0 ? 0 : (month - months[0]!) / step));
  }
  const us = texts.map((text) => Number(parseInstant(text, "instant")));
  const gaps = us.slice(1).map((instant, i) => instant - us[i]!);
  const step = Math.min(...gaps);
  const slots = [0];
  for (const gap of gaps) {
    const steps = Math.round(gap / step);
    if (Math.abs(gap / step - steps) > STEP_TOLERANCE * Math.max(1, Math.sqrt(steps))) return null;
    slots.push(slots.at(-1)! + steps);
  }
  return slots.at(-1)! > MOST_SLOTS_PER_ROW * texts.length ? null : slots;
}

const numberOf = (value: JsonValue | undefined): number | null =>
  typeof value === "number" || typeof value === "bigint" ? Number(value) : null;

/** The chart, or why there is none. */
export function chartOf(table: Table): Chart | string {
  const shape = shapeOf(table);
  if (typeof shape === "string") return shape;
  const { time, numbers, split } = shape;
  const instants = table.rows.map((row) => row[time.name]);
  if (instants.length === 0) return "it has no rows";
  if (!instants.every((instant) => typeof instant === "string")) return `${time.name} is missing in a row`;
  const texts = [...new Set(instants)];
  const ordered = [...texts].sort((a, b) => (parseInstant(a, time.name) < parseInstant(b, time.name) ? -1 : 1));
  const even = slotsOf(ordered);
  const slots = even ?? ordered.map((_, i) => i);
  const slotOf = new Map(ordered.map((text, i) => [text, slots[i]!]));

  const labels = split === null ? [""] : [...new Set(table.rows.map((row) => String(row[split.name] ?? "NULL")))];
  if (labels.length * numbers.length > MOST_SERIES) return `it would have more than ${MOST_SERIES} lines`;
  if (split === null && texts.length < instants.length) return "several rows share an instant";
  const slotCount = slots.at(-1)! + 1;
  const series: Series[] = [];
  for (const label of labels) {
    const rows = split === null ? table.rows : table.rows.filter((row) => String(row[split.name] ?? "NULL") === label);
    if (new Set(rows.map((row) => row[time.name])).size < rows.length) return "several rows share an instant";
    for (const [rank, column] of numbers.entries()) {
      const values: (number | null)[] = new Array<null>(slotCount).fill(null);
      const flagged = new Array<boolean>(slotCount).fill(false);
      for (const row of rows) {
        const slot = slotOf.get(row[time.name] as string)!;
        values[slot] = numberOf(row[column.name]);
        // One row of marks is enough for all numbers of a row.
        flagged[slot] = rank === 0 && (row.side ?? row.flagged ?? false) !== false;
      }
      const name = label === "" ? column.name : numbers.length === 1 ? label : `${label} ${column.name}`;
      series.push({ name, values, flagged });
    }
  }
  return { from: ordered[0]!, to: ordered.at(-1)!, series, isEven: even !== null };
}
