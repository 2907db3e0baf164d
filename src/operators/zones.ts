// Local time in IANA zones, from the pinned zone table of the package (@js-joda/timezone), never the machine's.
// The table is loaded at the first zone that is not UTC. It lists transitions until 2037; later the last offset holds.
import { createRequire } from "node:module";
import type { ZoneRules } from "@js-joda/core";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";

/** What buckets ask of a zone. Days are counted from 1970-01-01, in local time. */
export interface Zone {
  /** The last day that has begun. */
  dayOf(us: bigint): number;
  /** The first instant of a local day: after the gap where its midnight does not exist, the earlier one where it is twice. */
  dayBegins(day: number): bigint;
  /** Local minus UTC over all time, in stretches; the first one holds for all time before it too. */
  offsets(): readonly OffsetStretch[];
}

export interface OffsetStretch {
  readonly fromUs: bigint;
  readonly offsetUs: bigint;
}

const MICROS_PER_DAY = 86_400_000_000n;
const MICROS_PER_SECOND = 1_000_000n;

const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

const UTC: Zone = {
  dayOf: (us) => Number(floorDiv(us, MICROS_PER_DAY)),
  dayBegins: (day) => BigInt(day) * MICROS_PER_DAY,
  offsets: () => [{ fromUs: 0n, offsetUs: 0n }],
};

// The table's transitions lie between these, at least six days and some hours apart.
const FIRST_TRANSITION_MS = Date.UTC(1840, 0);
const LAST_TRANSITION_MS = Date.UTC(2501, 0);
const STEP_MS = 6 * 86_400_000;

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

  private dateAt(us: bigint): number {
    const second = floorDiv(us, MICROS_PER_SECOND);
    const offset = this.rules.offset(this.core.Instant.ofEpochSecond(Number(second))).totalSeconds();
    return Number(floorDiv(us + BigInt(offset) * MICROS_PER_SECOND, MICROS_PER_DAY));
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
    const offsetAt = (ms: number): number => this.rules.offsetOfEpochMilli(ms).totalSeconds();
    const stretch = (ms: number, offset: number): OffsetStretch => ({
      fromUs: BigInt(ms) * 1000n,
      offsetUs: BigInt(offset) * MICROS_PER_SECOND,
    });
    let offset = offsetAt(FIRST_TRANSITION_MS);
    const found = [stretch(FIRST_TRANSITION_MS, offset)];
    for (let ms = FIRST_TRANSITION_MS; ms < LAST_TRANSITION_MS; ms += STEP_MS) {
      const after = offsetAt(ms + STEP_MS);
      if (after === offset) continue;
      let [low, high] = [ms, ms + STEP_MS];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle) === offset) low = middle;
        else high = middle;
      }
      found.push(stretch(high, after));
      offset = after;
    }
    return found;
  }
}

const zones = new Map<string, Zone>([["UTC", UTC]]);

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
