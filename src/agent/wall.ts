// The time that a caller gives to something: one signal more that ends it, told apart from the caller's own.
import { PalimpsestError } from "../contract/errors.js";
import { LONGEST_TIMER_MS } from "../contract/timers.js";

export interface Wall {
  readonly wallMs: number;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** What takes the time: `the question`. */
  readonly what: string;
}

/** Work under both signals. Where the wall ended it, E_CANCELLED says so. */
export async function withinWall<T>(
  { wallMs, signal, what }: Wall,
  work: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const wall = AbortSignal.timeout(Math.min(wallMs, LONGEST_TIMER_MS));
  try {
    return await work(signal === undefined ? wall : AbortSignal.any([signal, wall]));
  } catch (error) {
    const isOfWall = wall.aborted && signal?.aborted !== true;
    if (!isOfWall || !(error instanceof PalimpsestError) || error.code !== "E_CANCELLED") throw error;
    throw new PalimpsestError("E_CANCELLED", `${what} took longer than limits.wall_ms = ${wallMs}`, {
      details: { ...error.details, reason: "deadline", limit: "wall_ms" },
      hint: "raise limits.wall_ms, or ask for less",
      cause: error,
    });
  }
}
