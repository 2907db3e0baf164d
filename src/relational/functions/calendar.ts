// Calendar functions: DATE_TRUNC DATE_PART EXTRACT DAY_NAME MONTH_NAME FORMAT_TIME BUCKET, and instants moved by an INTERVAL.
// DuckDB sees local time as plain microseconds; offsets come from zones.ts.
import { PART_UNITS, TRUNC_UNITS } from "../../calendar/units.js";
import { parseStride, type Stride } from "../../contract/duration.js";
import { nearestNames } from "../../contract/nearest.js";
import type { Bound } from "../bound.js";
import { call } from "../nodes.js";
import { problem } from "../problems.js";
import { INSTANT, INT, STRING, type TqlType } from "../types.js";
import { reading } from "../values.js";
import {
  aConstantText,
  aDuration,
  anInstant,
  type ScalarRule,
  type Site,
  scalar,
  theConstant,
  written,
} from "./rule.js";
import { finite, floorDiv, floorTo, inCalendar, int, once, quoted } from "./sql.js";
import { type ZoneSql, zoneSql } from "./zones.js";

const DAY = 86_400_000_000n;
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4;

const SHORT: Readonly<Record<string, bigint>> = { hour: 3_600_000_000n, minute: 60_000_000n, second: 1_000_000n };
type PartUnit = (typeof PART_UNITS)[number];
/** Units by the function of DuckDB that gives them. */
const PARTS: Readonly<Record<PartUnit, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  week: "week",
  iso_year: "isoyear",
  day: "day",
  day_of_year: "dayofyear",
  day_of_week: "isodow",
  hour: "hour",
  minute: "minute",
  second: "second",
  microsecond: "microsecond",
};

const stamp = (localUs: string): string => `make_timestamp(${localUs})`;
const back = (timestamp: string, zone: ZoneSql): string => zone.toUtc(`epoch_us(${timestamp})`);

/** An instant that is not FOREVER, under a text short enough to be repeated. */
const onInstant = (type: TqlType, us: string, body: (us: string) => string): string =>
  once([type.kind === "instant_open" ? finite(us) : us], ([x]) => body(x!));

function zoneOfSite(site: Site, i: number): { readonly name: string; readonly sql: ZoneSql } {
  const name = i < site.args.length ? aConstantText(site, i, "the zone") : site.zone;
  return { name, sql: reading(written(site, i), "zone", () => zoneSql(name)) };
}

function unitOf<Unit extends string>(site: Site, units: readonly Unit[]): Unit {
  const unit = aConstantText(site, 0, "the unit").toLowerCase();
  const found = units.find((each) => each === unit);
  if (found !== undefined) return found;
  const near = nearestNames(unit, units);
  throw problem("unknown_unit", `${site.name} knows no unit ${JSON.stringify(unit)}`, written(site, 0), {
    code: "E_INVALID_ARG",
    hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : `known: ${units.join(", ")}`,
    near,
  });
}

function truncated(site: Site): Bound {
  const unit = unitOf(site, TRUNC_UNITS);
  const at = anInstant(site, 1);
  const { name, sql } = zoneOfSite(site, 2);
  const size = SHORT[unit];
  return call(`date_trunc ${unit} ${name}`, INSTANT, [at], ([us]) =>
    onInstant(at.type, us!, (x) => {
      if (size === undefined) return back(`date_trunc('${unit}', ${stamp(sql.toLocal(x))})`, sql);
      return once([sql.offset(x)], ([o]) => `(${floorTo(`(${x} + ${o})`, int(size))} - ${o})`);
    }),
  );
}

/** DATE_PART, which EXTRACT is read as. */
function part(unit: PartUnit, at: Bound, zone: { readonly name: string; readonly sql: ZoneSql }): Bound {
  return call(`date_part ${unit} ${zone.name}`, INT, [at], ([us]) =>
    onInstant(at.type, us!, (x) => {
      const value = `${PARTS[unit]}(${stamp(zone.sql.toLocal(x))})`;
      return unit === "microsecond" ? `(${value} % 1000000)` : value;
    }),
  );
}

const partOfSite = (site: Site): Bound => part(unitOf(site, PART_UNITS), anInstant(site, 1), zoneOfSite(site, 2));

const named =
  (sqlName: string) =>
  (site: Site): Bound => {
    const at = anInstant(site, 0);
    const { name, sql } = zoneOfSite(site, 1);
    return call(`${sqlName} ${name}`, STRING, [at], ([us]) =>
      onInstant(at.type, us!, (x) => `${sqlName}(${stamp(sql.toLocal(x))})`),
    );
  };

const FORMATS = "aAbBdfHIjmMpSuVwGyY%";

function formatted(site: Site): Bound {
  const at = anInstant(site, 0);
  const format = aConstantText(site, 1, "the format");
  const { name, sql } = zoneOfSite(site, 2);
  for (const [mark] of format.matchAll(/%(?:.|$)/gsu)) {
    if (mark.length === 2 && FORMATS.includes(mark[1]!)) continue;
    throw problem("unknown_format", `FORMAT_TIME knows no ${JSON.stringify(mark)}`, written(site, 1), {
      code: "E_INVALID_ARG",
      hint: `known: ${[...FORMATS].map((letter) => `%${letter}`).join(" ")}`,
    });
  }
  return call(`strftime ${name} ${format}`, STRING, [at], ([us]) =>
    onInstant(at.type, us!, (x) => `strftime(${stamp(sql.toLocal(x))}, ${quoted(format)})`),
  );
}

/** The number of the local day that has begun last, as buckets count days (docs/contract.md A10). */
const dayOf = (us: string, zone: ZoneSql): string =>
  once(
    [floorDiv(zone.toLocal(us), int(DAY))],
    ([day]) => `(${day} + CASE WHEN ${zone.toUtc(`(${day} + 1) * ${int(DAY)}`)} <= ${us} THEN 1 ELSE 0 END)`,
  );
const dayBegins = (day: string, zone: ZoneSql): string => zone.toUtc(`((${day}) * ${int(DAY)})`);

const monthOf = (timestamp: string): string => `((year(${timestamp}) - 1970) * 12 + month(${timestamp}) - 1)`;
const monthBegins = (month: string): string => `epoch_us(make_timestamp(0) + to_months((${month})::INTEGER))`;

function calendarBucket(us: string, stride: Stride & { kind: "calendar" }, zone: ZoneSql): string {
  const count = int(stride.count);
  const day = dayOf(us, zone);
  if (stride.unit === "D") return dayBegins(floorTo(day, count), zone);
  if (stride.unit === "W") {
    return dayBegins(`${floorTo(`(${day} - ${FIRST_MONDAY})`, int(stride.count * 7))} + ${FIRST_MONDAY}`, zone);
  }
  const months = int(stride.unit === "M" ? stride.count : stride.count * 12);
  const month = once([stamp(`${day} * ${int(DAY)}`)], ([t]) => monthOf(t!));
  return zone.toUtc(monthBegins(floorTo(month, months)));
}

function bucket(site: Site): Bound {
  const at = anInstant(site, 0);
  const step = site.args[1]!;
  if (step.type.kind === "interval") {
    const stride = calendarStep(theConstant(site, 1, "the step") as string, site, 1);
    if (site.args.length > 2) {
      throw problem("origin", "a calendar step counts from 1970 and takes no origin", written(site, 2), {
        code: "E_INVALID_ARG",
        hint: "leave the origin out, or take a DURATION",
      });
    }
    const zone = zoneSql(site.zone);
    return call(`bucket ${stride.count}${stride.unit} ${site.zone}`, INSTANT, [at], ([us]) =>
      onInstant(at.type, us!, (x) => calendarBucket(x, stride, zone)),
    );
  }
  aDuration(site, 1);
  const size = theConstant(site, 1, "the step") as bigint;
  if (size <= 0n)
    throw problem("step", "the step of BUCKET must be above PT0S", written(site, 1), { code: "E_INVALID_ARG" });
  const origin = site.args.length > 2 ? [anInstant(site, 2)] : [];
  return call(`bucket ${size}`, INSTANT, [at, ...origin], ([us, from]) =>
    onInstant(at.type, us!, (x) =>
      from === undefined ? floorTo(x, int(size)) : `(${from} + ${floorTo(`(${x} - ${from})`, int(size))})`,
    ),
  );
}

function calendarStep(text: string, site: Site, i: number): Stride & { kind: "calendar" } {
  const stride = reading(written(site, i), "step", () => parseStride(text, "step"));
  if (stride.kind === "calendar") return stride;
  throw problem("step", `INTERVAL '${text}' is no calendar step`, written(site, i), {
    code: "E_INVALID_ARG",
    hint: `write DURATION '${text}'`,
  });
}

/** An instant moved by a calendar interval in local time; a day of month that is not there becomes the last one. */
export function moved(at: Bound, text: string, sign: 1 | -1, zoneName: string): Bound {
  const stride = parseStride(text, "interval");
  const zone = zoneSql(zoneName);
  return call(`moved ${sign} ${text} ${zoneName}`, INSTANT, [at], ([us]) =>
    inCalendar(
      onInstant(at.type, us!, (x) => {
        if (stride.kind === "exact") return `(${x} + ${int(BigInt(sign) * stride.us)})`;
        const count = sign * stride.count;
        const days = stride.unit === "D" ? count : stride.unit === "W" ? count * 7 : null;
        const step = days === null ? `to_months(${stride.unit === "M" ? count : count * 12})` : `to_days(${days})`;
        return back(`${stamp(zone.toLocal(x))} + ${step}`, zone);
      }),
    ),
  );
}

const UNITS = "unit, instant [, zone]";
export const CALENDAR_RULES: readonly ScalarRule[] = [
  scalar("DATE_TRUNC", `DATE_TRUNC(${UNITS}) → INSTANT, the start of the period`, 2, 3, truncated),
  scalar("DATE_PART", `DATE_PART(${UNITS}) → INT64, as EXTRACT(unit FROM instant ZONE zone)`, 2, 3, partOfSite),
  scalar("DAY_NAME", "DAY_NAME(instant [, zone]) → STRING, in English", 1, 2, named("dayname")),
  scalar("MONTH_NAME", "MONTH_NAME(instant [, zone]) → STRING, in English", 1, 2, named("monthname")),
  scalar(
    "FORMAT_TIME",
    "FORMAT_TIME(instant, format [, zone]) → STRING; %Y %m %d %H %M %S and the like",
    2,
    3,
    formatted,
  ),
  scalar("BUCKET", "BUCKET(instant, DURATION | INTERVAL [, origin]) → INSTANT, the start of the step", 2, 3, bucket),
];
