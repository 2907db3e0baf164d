// Local time in IANA zones, from the pinned zone table of the package (@js-joda/timezone), never the machine's.
// The table is loaded at the first zone that is not UTC. It lists transitions until 2499; later the last offset holds.
import { createRequire } from "node:module";
import type { ZoneRules } from "@js-joda/core";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";

/** What calendars ask of a zone. Days are counted from 1970-01-01, in local time. */
export interface Zone {
  /** The last day that has begun. */
  dayOf(us: bigint): number;
  /** The first instant of a local day: after the gap where its midnight does not exist, the earlier one where it is twice. */
  dayBegins(day: number): bigint;
  /** Local time minus UTC at an instant. */
  offsetAt(us: bigint): bigint;
  /** Local minus UTC over all time, in stretches; the first one holds for all time before it too. */
  offsets(): readonly OffsetStretch[];
  /** Local days that never were, because clocks went forward over all of them; ascending. */
  skippedDays(): readonly number[];
}

export interface OffsetStretch {
  readonly fromUs: bigint;
  readonly offsetUs: bigint;
}

const MICROS_PER_DAY = 86_400_000_000n;
const MICROS_PER_SECOND = 1_000_000n;

const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

/** A zone that has one offset for all time. */
export const fixedZone = (offsetUs: bigint): Zone => ({
  dayOf: (us) => Number(floorDiv(us + offsetUs, MICROS_PER_DAY)),
  dayBegins: (day) => BigInt(day) * MICROS_PER_DAY - offsetUs,
  offsetAt: () => offsetUs,
  offsets: () => [{ fromUs: 0n, offsetUs }],
  skippedDays: () => [],
});

// The table's transitions lie between these, at least six days and some hours apart.
const FIRST_TRANSITION_MS = Date.UTC(1840, 0);
const LAST_TRANSITION_MS = Date.UTC(2501, 0);
const STEP_MS = 6 * 86_400_000;
// An offset that grew by about a day stays so for years: far fewer steps find it.
const LONG_STEP_MS = 365 * 86_400_000;
const NEARLY_A_DAY_S = 20 * 3600;

/** The first millisecond of (low, high] that holds; `high` does, and so do all after the first. */
function firstMs(low: number, high: number, holds: (ms: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

type Joda = typeof import("@js-joda/core");

let loaded: Joda | undefined;

function joda(): Joda {
  if (loaded === undefined) {
    const require = createRequire(import.meta.url);
    loaded = require("@js-joda/core") as Joda;
    require("@js-joda/timezone");
  }
  return loaded;
}

class RuledZone implements Zone {
  private readonly rules: ZoneRules;
  private stretches: readonly OffsetStretch[] | undefined;
  private skipped: readonly number[] | undefined;

  constructor(
    private readonly core: Joda,
    name: string,
  ) {
    this.rules = core.ZoneId.of(name).rules();
  }

  dayOf(us: bigint): number {
    // Where clocks are set back over midnight, the local date falls back too, but the new day has begun and goes on.
    let day = this.dateAt(us) + 1;
    while (this.dayBegins(day) > us) day -= 1;
    return day;
  }

  offsetAt(us: bigint): bigint {
    const ms = Number(floorDiv(us, MICROS_PER_SECOND)) * 1000;
    return BigInt(this.secondsAt(ms)) * MICROS_PER_SECOND;
  }

  private dateAt(us: bigint): number {
    return Number(floorDiv(us + this.offsetAt(us), MICROS_PER_DAY));
  }

  private secondsAt(ms: number): number {
    return this.rules.offsetOfEpochMilli(ms).totalSeconds();
  }

  dayBegins(day: number): bigint {
    const midnight = this.core.LocalDate.ofEpochDay(day).atStartOfDay();
    const offsets = this.rules.validOffsets(midnight);
    // In a gap no offset is valid, and the day begins with the transition.
    const second =
      offsets.length === 0 ? this.rules.transition(midnight).toEpochSecond() : midnight.toEpochSecond(offsets[0]!);
    return BigInt(second) * MICROS_PER_SECOND;
  }

  offsets(): readonly OffsetStretch[] {
    this.stretches ??= this.findStretches();
    return this.stretches;
  }

  /** The rules tell the offset of an instant, but not the next transition: that is found by halving. */
  private findStretches(): OffsetStretch[] {
    const stretch = (ms: number, offset: number): OffsetStretch => ({
      fromUs: BigInt(ms) * 1000n,
      offsetUs: BigInt(offset) * MICROS_PER_SECOND,
    });
    let offset = this.secondsAt(FIRST_TRANSITION_MS);
    const found = [stretch(FIRST_TRANSITION_MS, offset)];
    for (let ms = FIRST_TRANSITION_MS; ms < LAST_TRANSITION_MS; ms += STEP_MS) {
      const after = this.secondsAt(ms + STEP_MS);
      if (after === offset) continue;
      const before = offset;
      found.push(
        stretch(
          firstMs(ms, ms + STEP_MS, (at) => this.secondsAt(at) !== before),
          after,
        ),
      );
      offset = after;
    }
    return found;
  }

  skippedDays(): readonly number[] {
    this.skipped ??= this.findSkippedDays();
    return this.skipped;
  }

  private findSkippedDays(): number[] {
    const days: number[] = [];
    for (let ms = FIRST_TRANSITION_MS; ms < LAST_TRANSITION_MS; ms += LONG_STEP_MS) {
      const before = this.secondsAt(ms);
      const isAfter = (at: number): boolean => this.secondsAt(at) - before >= NEARLY_A_DAY_S;
      if (!isAfter(ms + LONG_STEP_MS)) continue;
      const us = BigInt(firstMs(ms, ms + LONG_STEP_MS, isAfter)) * 1000n;
      for (let day = this.dateAt(us - 1n); day <= this.dateAt(us); day += 1) {
        if (this.dayBegins(day) === this.dayBegins(day + 1)) days.push(day);
      }
    }
    return days;
  }
}

const zones = new Map<string, Zone>([["UTC", fixedZone(0n)]]);

/** The zone of an IANA name; E_INVALID_ARG with the nearest names for any other. */
export function zoneOf(name: string, where: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const core = joda();
  const names = core.ZoneId.getAvailableZoneIds();
  if (!names.includes(name)) {
    const near = nearestNames(name, names);
    throw new PalimpsestError("E_INVALID_ARG", `${where}: ${JSON.stringify(name)} is no IANA zone`, {
      details: { path: where, nearest: near },
      hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : 'for example "Europe/Paris" or "UTC"',
    });
  }
  const zone = new RuledZone(core, name);
  zones.set(name, zone);
  return zone;
}

let namesInSmallLetters: ReadonlyMap<string, string> | undefined;

/** The IANA name that a text is, whatever the case of its letters; undefined for any other text. */
export function zoneNameOf(text: string): string | undefined {
  namesInSmallLetters ??= new Map(
    joda()
      .ZoneId.getAvailableZoneIds()
      .map((name) => [name.toLowerCase(), name]),
  );
  return namesInSmallLetters.get(text.toLowerCase());
}
