// What clocks showed, by the zone table of Node.js: every minute around a local time is asked, and nothing is computed.

const MINUTE_MS = 60_000;
/** No zone is further from UTC. */
const MOST_MINUTES = 16 * 60;

/** `2004-06-01T09:00` of a zone at an instant. */
export function clockAt(zone: string): (ms: number) => string {
  const form = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (ms) => form.format(ms).replace(" ", "T");
}

const instantText = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** Every instant at which clocks showed this minute, `2004-06-01T09:00`. */
export function shownAt(zone: string, local: string): readonly string[] {
  const clock = clockAt(zone);
  const around = Date.parse(`${local}:00Z`);
  const minutes = Array.from({ length: 2 * MOST_MINUTES + 1 }, (_, i) => around + (i - MOST_MINUTES) * MINUTE_MS);
  return minutes.filter((ms) => clock(ms) === local).map(instantText);
}

/** The first minute of a local day, `2004-06-01`. */
export function dayBegins(zone: string, day: string): string {
  const clock = clockAt(zone);
  const around = Date.parse(`${day}T00:00:00Z`);
  for (let ms = around - MOST_MINUTES * MINUTE_MS; ms <= around + MOST_MINUTES * MINUTE_MS; ms += MINUTE_MS) {
    if (clock(ms).startsWith(day)) return instantText(ms);
  }
  throw new Error(`${zone} has no ${day}`);
}
