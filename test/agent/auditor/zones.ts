// The zones that a question names, read apart from the agent: by words, with the zone table of Node.js.

/** Minutes that local time is before UTC at an instant; null where it is no whole number of them. */
export type LocalTime = (ms: number) => number | null;

const MINUTE_MS = 60_000;

function ofTable(name: string): LocalTime {
  const form = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return (ms) => {
    const shown = form.formatToParts(ms).find(({ type }) => type === "timeZoneName")!.value;
    const [, sign, hours = "0", minutes = "0", seconds] = /^GMT(?:([+-])(\d{2}):(\d{2})(:\d{2})?)?$/.exec(shown)!;
    if (seconds !== undefined) return null;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

/** A word as a zone, and its name. */
function zoneOfWord(word: string): readonly [name: string, time: LocalTime] | null {
  const offset = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(word.replace("\u2212", "-"));
  if (/^(?:utc|gmt)$/i.test(word)) return ["0", () => 0];
  if (offset !== null && (/^[ug]/i.test(word) || offset[3] !== undefined)) {
    const minutes = (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? "0"));
    return [String(minutes), () => minutes];
  }
  if (!word.includes("/")) return null;
  try {
    return [new Intl.DateTimeFormat("en-US", { timeZone: word }).resolvedOptions().timeZone, ofTable(word)];
  } catch {
    return null;
  }
}

export interface WordedZone {
  readonly word: string;
  /** The same for two words of one zone. */
  readonly name: string;
  readonly time: LocalTime;
}

/** What stands in quotes is no zone; an offset alone is one behind a time of day. */
export function zonesOfQuestion(question: string): readonly WordedZone[] {
  const words = question
    .replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, " ")
    .split(/[\s,;!?()]+/)
    .map((word) => word.replace(/[.:]+$/, ""));
  return words.flatMap((word, i): WordedZone[] => {
    const zone = zoneOfWord(word);
    const isBare = /^[+\-\u2212]/.test(word);
    if (zone === null || (isBare && !/\d:\d{2}$/.test(words[i - 1] ?? ""))) return [];
    const [name, time] = zone;
    return [{ word, name, time }];
  });
}

/** The zone that times are told in, where there is just one. */
export const zoneToTellIn = (zones: readonly WordedZone[]): LocalTime | null =>
  new Set(zones.map(({ name }) => name)).size === 1 ? zones[0]!.time : null;

/** The form that a question's one zone gives to an instant, `2004-06-01T09:00:00+02:00`. */
export function inZone(instant: string, time: LocalTime): string {
  const ms = Date.parse(`${instant.slice(0, 19)}Z`);
  const minutes = time(ms);
  if (minutes === null || minutes === 0) return instant;
  const local = new Date(ms + minutes * MINUTE_MS).toISOString().slice(0, 19);
  const fraction = /\.\d+(?=Z$)/.exec(instant)?.[0] ?? "";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
    String(n).padStart(2, "0"),
  );
  return `${local}${fraction}${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** Every instant that shows this local time; none where clocks skip it. */
export function instantsOf(localMs: number, time: LocalTime): readonly number[] {
  const offsets = new Set([-1, 0, 1].map((day) => time(localMs + day * 86_400_000)));
  return [...offsets].flatMap((minutes) => {
    const ms = localMs - (minutes ?? 0) * MINUTE_MS;
    return minutes !== null && time(ms) === minutes ? [ms] : [];
  });
}
