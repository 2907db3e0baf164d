// A GTFS feed as lines of JSON: each ride from a stop to the next one, on each day of a stretch of days; or its stops.
// Times stay local, as the feed has them: load them with --zone. Hours may pass 24 there: that is the next day.
// Run: npx tsx examples/load/gtfs.ts FEED.zip 2016-04-04 7 > rides.jsonl; npx tsx examples/load/gtfs.ts FEED.zip --stops > stops.jsonl
import { readFileSync } from "node:fs";
import { zipEntries } from "./zip-entries.js";

type Row = Record<string, string>;

const [feed, first, dayCount = "7"] = process.argv.slice(2);
if (feed === undefined || first === undefined) throw new Error("name a feed, and a day or --stops");
const entries = zipEntries(readFileSync(feed));

function fieldsOf(line: string): string[] {
  const fields = Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g));
  return fields.map(([, quoted, bare]) => (quoted === undefined ? bare! : quoted.replaceAll('""', '"')));
}

function rows(name: string): Row[] {
  const bytes = entries.get(name);
  if (bytes === undefined) return [];
  const [header, ...lines] = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  const names = fieldsOf(header!);
  return lines.map((line) => Object.fromEntries(fieldsOf(line).map((field, i) => [names[i]!, field])));
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const DAY_MS = 86_400_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");

/** Services that run on a day: those of its weekday, with the exceptions of the day. */
function servicesOn(dayMs: number): Set<string> {
  const day = compact(dayMs);
  const weekday = WEEKDAYS[new Date(dayMs).getUTCDay()]!;
  const regular = rows("calendar.txt").filter(
    (service) => service[weekday] === "1" && service.start_date! <= day && day <= service.end_date!,
  );
  const services = new Set(regular.map((service) => service.service_id!));
  for (const { service_id, date, exception_type } of rows("calendar_dates.txt")) {
    if (date !== day) continue;
    if (exception_type === "1") services.add(service_id!);
    else services.delete(service_id!);
  }
  return services;
}

function seconds(clock: string): number {
  const [hour, minute, second] = clock.trim().split(":").map(Number);
  return (hour! * 60 + minute!) * 60 + second!;
}

function rides(): void {
  const stopTimes = new Map<string, Row[]>();
  for (const row of rows("stop_times.txt")) stopTimes.set(row.trip_id!, [...(stopTimes.get(row.trip_id!) ?? []), row]);
  const trips = rows("trips.txt");
  for (let day = 0; day < Number(dayCount); day += 1) {
    const dayMs = Date.parse(first!) + day * DAY_MS;
    const services = servicesOn(dayMs);
    for (const trip of trips.filter(({ service_id }) => services.has(service_id!))) {
      const stops = (stopTimes.get(trip.trip_id!) ?? []).sort(
        (a, b) => Number(a.stop_sequence) - Number(b.stop_sequence),
      );
      for (const [i, to] of stops.slice(1).entries()) {
        const from = stops[i]!;
        const departure = seconds(from.departure_time!);
        const time = new Date(dayMs + departure * 1000).toISOString().slice(0, 19);
        const seconds_long = seconds(to.arrival_time!) - departure;
        const key = `${trip.trip_id} ${compact(dayMs)} ${from.stop_sequence}`;
        print({
          src: from.stop_id,
          dst: to.stop_id,
          time,
          seconds: seconds_long,
          key,
          trip: trip.trip_id,
          route: trip.route_id,
        });
      }
    }
  }
}

function stops(): void {
  for (const { stop_id, stop_name, stop_lat, stop_lon, zone_id } of rows("stops.txt")) {
    print({ uid: stop_id, name: stop_name, lat: Number(stop_lat), lon: Number(stop_lon), zone: zone_id });
  }
}

if (first === "--stops") stops();
else rides();
