// The times of commits: a hybrid logical clock, strictly increasing, never at or below the floor that instant pins raise.
// The only reader of the wall clock on the way of a write.
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";

/** Now in microseconds since 1970, at the resolution that JavaScript has. */
export function wallClockUs(): bigint {
  return BigInt(Date.now()) * 1000n;
}

export class CommitClock {
  /** `lastUs`: the time of the newest batch, applied or rejected. */
  constructor(
    private lastUs: bigint,
    private readonly floorUs: () => bigint,
  ) {}

  /** max(wall clock, last + 1 µs), above the floor. */
  next(): bigint {
    const least = this.leastUs() + 1n;
    const now = wallClockUs();
    this.lastUs = now > least ? now : least;
    return this.lastUs;
  }

  /** Takes a time that the caller sets; E_STATE when it is not later than the last, E_INVALID_ARG when it is to come. */
  take(txTimeUs: bigint): bigint {
    const now = wallClockUs();
    if (txTimeUs > now) {
      throw new PalimpsestError("E_INVALID_ARG", `txTime ${formatInstant(txTimeUs)} is after the wall clock`, {
        details: { txTime: formatInstant(txTimeUs), now: formatInstant(now) },
        hint: "leave txTime out to take the present",
      });
    }
    const least = this.leastUs();
    if (txTimeUs <= least) {
      throw new PalimpsestError("E_STATE", `txTime ${formatInstant(txTimeUs)} is not later than the last commit`, {
        details: { txTime: formatInstant(txTimeUs), last: formatInstant(least) },
        hint: `give a time after ${formatInstant(least)}, which is the last commit's or was asked for as a pin`,
      });
    }
    this.lastUs = txTimeUs;
    return txTimeUs;
  }

  private leastUs(): bigint {
    const floor = this.floorUs();
    if (floor > this.lastUs) return floor;
    return this.lastUs;
  }
}
