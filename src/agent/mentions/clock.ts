// The time of day beside a date, and the offset that is written to either of them.
import type { Span } from "./cover.js";
import { offsetOf, type QuestionZone, SIGN } from "./zones.js";

export interface Clock {
  /** Local microseconds since midnight. */
  readonly usOfDay: bigint;
  /** Null where none is written. */
  readonly offsetUs: bigint | null;
}

/** Nothing of the kind is there; or there is, and no day has it. */
export type Missing = "none" | "wrong";

const CLOCK = "(\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,20}))?)?";
const OWN_OFFSET = `Z(?!\\w)|${SIGN}\\d{2}:?\\d{2}(?![\\d:-])`;
const BEHIND = new RegExp(`(?:T|,?\\s+(?:at\\s+)?)${CLOCK}(${OWN_OFFSET})?(?!\\d)`, "iy");
const BEFORE = new RegExp(`(?<![\\d:.])${CLOCK}(${OWN_OFFSET})?$`, "i");
const OFFSET_OF_DATE = new RegExp(`Z(?!\\w)|${SIGN}\\d{2}:\\d{2}(?![\\d:-])`, "iy");
const LONGEST = 64;

const ownOffset = (text: string): bigint | undefined => (/^z$/i.test(text) ? 0n : offsetOf(text));

function read([hour, minute, second = "0", fraction = "", own]: readonly (string | undefined)[]): Clock | "wrong" {
  const offsetUs = own === undefined ? null : ownOffset(own);
  const isOfDay = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
  if (!isOfDay || /[1-9]/.test(fraction.slice(6)) || offsetUs === undefined) return "wrong";
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  return { usOfDay: seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0")), offsetUs };
}

/** `T09:00:00Z`, ` 09:00`, `, at 09:00`: directly behind a day that ends there. */
export function clockBehind(text: string, at: number): { readonly clock: Clock; readonly to: number } | Missing {
  BEHIND.lastIndex = at;
  const match = BEHIND.exec(text);
  if (match === null) return "none";
  const clock = read(match.slice(1));
  return clock === "wrong" ? clock : { clock, to: BEHIND.lastIndex };
}

/** `09:00 on the`, `09:00 in Asia/Tokyo on`: directly before a day that begins there; `zones` by their ends. */
export function clockBefore(
  text: string,
  at: number,
  zones: ReadonlyMap<number, QuestionZone>,
): { readonly clock: Clock; readonly from: number } | Missing {
  const head = (to: number): string => text.slice(Math.max(0, to - LONGEST), to);
  const on = /\s+(?:on|of)\s+(?:the\s+)?$/i.exec(head(at));
  if (on === null) return "none";
  const zone: Span | undefined = zones.get(at - on[0].length);
  const to = zone?.from ?? at - on[0].length;
  const link =
    zone === undefined ? "" : (/\s+(?:in\s+)?(?:the\s+)?(?:(?:time\s*)?zone\s+)?$/i.exec(head(to))?.[0] ?? "");
  const match = BEFORE.exec(head(to - link.length));
  if (match === null) return "none";
  const clock = read(match.slice(1));
  return clock === "wrong" ? clock : { clock, from: to - link.length - match[0].length };
}

/** `2004-06-01+02:00`: the offset of a date alone. */
export function offsetOfDate(text: string, at: number): { readonly offsetUs: bigint; readonly to: number } | Missing {
  OFFSET_OF_DATE.lastIndex = at;
  const match = OFFSET_OF_DATE.exec(text);
  if (match === null) return "none";
  const offsetUs = ownOffset(match[0]);
  return offsetUs === undefined ? "wrong" : { offsetUs, to: OFFSET_OF_DATE.lastIndex };
}
