// Boundaries of buckets as the kernels take them: int64 microseconds, for some buckets of a resolved window.
// Many are made in slices, so that a long history in a zone with rules does not hold the event loop.

import { type Bucket, bucketsOf } from "../calendar/buckets.js";
import { Pace } from "../event-loop/pace.js";

const AT_ONCE = 500;

export interface Boundaries {
  /** One more than there are buckets; each begins where the one before ends. */
  readonly us: BigInt64Array;
  readonly isFirstPartial: boolean;
  readonly isLastPartial: boolean;
}

/** A window whose ends are both known, `fromUs < toUs`. */
export interface ClosedWindow {
  readonly stride: string;
  readonly zone: string;
  readonly fromUs: bigint;
  readonly toUs: bigint;
}

/** Those of buckets `skip` to `skip + take`, of which there is one or more. */
export async function boundariesOf(window: ClosedWindow, skip: number, take: number): Promise<Boundaries> {
  const { stride, zone, fromUs, toUs } = window;
  const us = new BigInt64Array(take + 1);
  const pace = new Pace();
  let first: Bucket | undefined;
  let last: Bucket | undefined;
  for (let made = 0; made < take; ) {
    if (pace.isDue) await pace.rest();
    for (const bucket of bucketsOf(stride, zone, fromUs, toUs, skip + made, Math.min(AT_ONCE, take - made))) {
      us[made] = bucket.fromUs;
      made += 1;
      first ??= bucket;
      last = bucket;
    }
  }
  us[take] = last!.toUs;
  return { us, isFirstPartial: first!.partial, isLastPartial: last!.partial };
}
