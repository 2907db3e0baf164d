// The times of commits: a hybrid logical clock, strictly increasing, never at or below the floor that instant pins raise.
// The only reader of the wall clock on the way of a write.
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";

/** Now in microseconds since 1970, at the resolution that JavaScript has. */
export function wallClockUs(): bigint {
  return BigInt(Date.now()) * 1000n;
}

/** Where pins raise the floor, and where the time of the next commit is made known to them. */
export interface ClockFloor {
  readonly clockFloor: bigint;
  /** False when the time is not above the floor: a pin was faster. */
  announceCommit(us: bigint): boolean;
}

export class CommitClock {
  /** `lastUs`: the time of the newest batch, applied or rejected. */
  constructor(
    private lastUs: bigint,
    private readonly floor: ClockFloor,
  ) {}

  /** max(wall clock, last + 1 µs), above the floor: the time of the commit that is sealed next. */
  next(): bigint {
    for (;;) {
      const time = this.earliest();
      if (this.floor.announceCommit(time)) return this.spend(time);
    }
  }

  /** The same for a batch that is rejected: its time is spent, and no commit has it. */
  nextOfRejected(): bigint {
    return this.spend(this.earliest());
  }

  /** Takes a time that the caller sets; E_STATE when it is not later than the last, E_INVALID_ARG when it is to come. */
  take(txTimeUs: bigint): bigint {
    this.check(txTimeUs);
    if (!this.floor.announceCommit(txTimeUs)) throw this.tooEarly(txTimeUs);
    return this.spend(txTimeUs);
  }

  takeOfRejected(txTimeUs: bigint): bigint {
    this.check(txTimeUs);
    return this.spend(txTimeUs);
  }

  private check(txTimeUs: bigint): void {
    const now = wallClockUs();
    if (txTimeUs > now) {
      throw new PalimpsestError("E_INVALID_ARG", `txTime ${formatInstant(txTimeUs)} is after the wall clock`, {
        details: { txTime: formatInstant(txTimeUs), now: formatInstant(now) },
        hint: "leave txTime out to take the present",
      });
    }
    if (txTimeUs <= this.leastUs()) throw this.tooEarly(txTimeUs);
  }

  private tooEarly(txTimeUs: bigint): PalimpsestError {
    const least = formatInstant(this.leastUs());
    return new PalimpsestError("E_STATE", `txTime ${formatInstant(txTimeUs)} is not later than the last commit`, {
      details: { txTime: formatInstant(txTimeUs), last: least },
      hint: `give a time after ${least}, which is the last commit's or was asked for as a pin`,
    });
  }

  private earliest(): bigint {
    const least = this.leastUs() + 1n;
    const now = wallClockUs();
    return now > least ? now : least;
  }

  private spend(time: bigint): bigint {
    this.lastUs = time;
    return time;
  }

  private leastUs(): bigint {
    const floor = this.floor.clockFloor;
    if (floor > this.lastUs) return floor;
    return this.lastUs;
  }
}
