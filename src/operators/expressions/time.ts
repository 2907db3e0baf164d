// duration overlap_from overlap_to allen over intervals, trunc and part over instants.
// An interval is a leaf with two ends, or two arguments; an empty or unknown one gives null.

import { partOf, periodBegins } from "../../calendar/units.js";
import { zoneOf } from "../../calendar/zones.js";
import type { JsonObject } from "../../contract/values.js";
import { durationUs, instantUs } from "./arithmetic.js";
import { asTime, type Call, type Compiled, invalidType, type Made, NULL, settled, wanted } from "./compiled.js";
import { relationOf } from "./intervals.js";
import { isForever, type Value } from "./types.js";

interface Ends {
  readonly from: bigint;
  readonly to: bigint;
}

/** The ends of each interval of a row; null where an end is unknown. */
function intervals<Row>({ fn, args, path }: Call<Row>): (row: Row) => Ends[] | null {
  if (args.length % 2 !== 0) throw invalidType(path, `${fn} takes intervals: a beginning and an end for each`);
  const reads = args.map((part) => {
    const end = wanted(asTime(part, "instant"), fn, ["instant", "instant_open"]);
    return end.read;
  });
  return (row) => {
    const ends: Ends[] = [];
    for (let i = 0; i < reads.length; i += 2) {
      const from = reads[i]!(row);
      const to = reads[i + 1]!(row);
      if (from === null || to === null) return null;
      ends.push({ from: from as bigint, to: to as bigint });
    }
    return ends;
  };
}

/** The common part; null where there is none. */
function overlap(ends: readonly Ends[]): Ends | null {
  let { from, to } = ends[0]!;
  for (const each of ends) {
    if (each.from > from) from = each.from;
    if (each.to < to) to = each.to;
  }
  return from < to ? { from, to } : null;
}

function relation([a, b]: readonly Ends[]): string | null {
  return a!.from < a!.to && b!.from < b!.to ? relationOf(a!.from, a!.to, b!.from, b!.to) : null;
}

function ofIntervals<Row>(call: Call<Row>): Made<Row> {
  const { fn, args, path } = call;
  const read = intervals(call);
  const made = (type: Made<Row>["type"], compute: (ends: Ends[]) => Value): Made<Row> => ({
    type,
    read: (row) => {
      const ends = read(row);
      return ends === null ? null : compute(ends);
    },
  });
  switch (fn) {
    case "duration":
      return made("duration", ([ends]) => {
        const { from, to } = ends!;
        return isForever(from) || isForever(to) ? null : durationUs(to - from);
      });
    case "overlap_from":
      return made("instant", (ends) => overlap(ends)?.from ?? null);
    case "overlap_to":
      return made("instant_open", (ends) => overlap(ends)?.to ?? null);
    default:
      if (args.length !== 4) throw invalidType(path, "allen takes two intervals");
      return made("string", relation);
  }
}

function ofCalendar<Row>(part: Compiled<Row>, fn: string, node: JsonObject, path: string): Made<Row> {
  const { type, read } = wanted(settled(asTime(part, "instant")), fn, ["instant", "instant_open"]);
  const unit = node.unit as string;
  const zone = zoneOf((node.zone as string | undefined) ?? "UTC", `${path}/zone`);
  if (type === "null") return NULL;
  const compute =
    fn === "part"
      ? (us: bigint): Value => partOf(us, unit, zone)
      : (us: bigint): Value => instantUs(periodBegins(us, unit, zone));
  return {
    type: fn === "part" ? "int" : "instant",
    read: (row) => {
      const us = read(row);
      return us === null || isForever(us) ? null : compute(us as bigint);
    },
  };
}

export function time<Row>(call: Call<Row>): Made<Row> {
  const { fn, args, node, path } = call;
  return fn === "trunc" || fn === "part" ? ofCalendar(args[0]!, fn, node, path) : ofIntervals(call);
}
