// The zones that words of a question name beyond doubt: IANA names with their area, UTC and GMT, and offsets where they stand
// as a zone. Never abbreviations, which several zones share, and no city or country alone: that is a name.
import { offsetText } from "../../calendar/offset-text.js";
import { fixedZone, type Zone, zoneNameOf, zoneOf } from "../../calendar/zones.js";
import type { Span } from "./cover.js";

/** What a zone is, however it was written. */
export interface ZoneMeaning {
  /** The IANA name; of an offset that none has, the offset. */
  readonly name: string;
  readonly isIana: boolean;
  readonly zone: Zone;
}

export interface QuestionZone extends ZoneMeaning, Span {}

const US_PER_MINUTE = 60_000_000n;
const US_PER_HOUR = 60n * US_PER_MINUTE;

/** Plus, and minus as it is typed and as it is set. */
export const SIGN = "[+\\-\\u2212]";
// A zone is a word of its own, no part of a path, an address or a file name.
const ALONE_BEFORE = "(?<![\\p{L}\\p{M}\\p{N}_/.@+-])";
const ALONE_AFTER = "(?![\\p{L}\\p{M}\\p{N}_/@+-]|\\.[\\p{L}\\p{N}]|:\\p{N})";

const AREA_NAME = "(?<iana>[A-Za-z]{2,16}(?:/[A-Za-z0-9_+-]{1,24}){1,2})";
// `UTC +2` may be a sum, and `UTC+2 hours` is two hours later: neither is a zone, nor is its UTC one.
const UTC = "(?:[Uu][Tt][Cc]|[Gg][Mm][Tt])";
const NO_HOURS = "(?! ?(?:h|hrs?|hours?|min|minutes?)\\b)";
const UTC_OFFSET = `${UTC}(?: ?(?<long>${SIGN}\\d{1,2}:\\d{2})|(?<short>${SIGN}(?:\\d{4}|\\d{1,2})))${NO_HOURS}`;
const UTC_ALONE = `(?<utc>${UTC})(?! ?${SIGN} ?\\d)`;
// An offset alone stands behind a time, a date or a word for zones.
const CLOCK = "\\d:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?";
const AFTER_CLOCK = `(?<=${CLOCK} \\(?)(?<ofClock>${SIGN}\\d{2}:?\\d{2})`;
const ZONE_WORD = "\\b(?:[Ii]n|(?:[Tt]ime ?)?[Zz]one:?|[Oo]ffset(?: of|:)?)";
const AFTER_WORD = `(?<=(?:\\d{4}-\\d{2}-\\d{2}|${ZONE_WORD}) )(?<ofWord>${SIGN}\\d{2}:\\d{2})`;
const ZONE = new RegExp(
  `(?:${ALONE_BEFORE}(?:${AREA_NAME}|${UTC_OFFSET}|${UTC_ALONE})|${AFTER_CLOCK}|${AFTER_WORD})${ALONE_AFTER}`,
  "gu",
);

const OFFSET = new RegExp(`^(${SIGN})(\\d{1,2}?):?(\\d{2})?$`);

/** Microseconds of `+2`, `+02`, `+0200` or `+02:00`; undefined for what RFC 3339 does not have. */
export function offsetOf(text: string): bigint | undefined {
  const [, sign, hours, minutes = "0"] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const us = BigInt(Number(hours) * 60 + Number(minutes)) * US_PER_MINUTE;
  return sign === "+" ? us : -us;
}

const ofIana = (name: string): ZoneMeaning => ({ name, isIana: true, zone: zoneOf(name, "zone") });

/** Whole hours that are in use have an IANA name, whose sign is the other one. */
function ofOffset(offsetUs: bigint): ZoneMeaning {
  if (offsetUs === 0n) return ofIana("UTC");
  const hours = -offsetUs / US_PER_HOUR;
  const name = -hours * US_PER_HOUR === offsetUs ? zoneNameOf(`Etc/GMT${hours > 0n ? "+" : ""}${hours}`) : undefined;
  return name === undefined ? { name: offsetText(offsetUs), isIana: false, zone: fixedZone(offsetUs) } : ofIana(name);
}

function meaningOf({
  iana,
  utc,
  long,
  short,
  ofClock,
  ofWord,
}: Record<string, string | undefined>): ZoneMeaning | null {
  if (utc !== undefined) return ofIana("UTC");
  if (iana !== undefined) {
    const name = zoneNameOf(iana);
    return name === undefined ? null : ofIana(name);
  }
  const offsetUs = offsetOf((long ?? short ?? ofClock ?? ofWord)!);
  return offsetUs === undefined ? null : ofOffset(offsetUs);
}

/** Every zone of a text, from left to right. Takes time in proportion to its length. */
export function zonesIn(text: string): readonly QuestionZone[] {
  return Array.from(text.matchAll(ZONE)).flatMap(({ 0: word, index, groups }): QuestionZone[] => {
    const meaning = meaningOf(groups!);
    return meaning === null ? [] : [{ from: index, to: index + word.length, ...meaning }];
  });
}

/** The one zone that is named, however often; null for none, and for several. */
export function onlyZone(zones: readonly QuestionZone[]): ZoneMeaning | null {
  const [first] = zones;
  return first !== undefined && zones.every(({ name }) => name === first.name) ? first : null;
}
