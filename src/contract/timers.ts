// How long a timer may wait.

/** A timer of more fires at once, and a signal with one of much more is refused. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
