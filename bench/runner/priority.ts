// The priority of what is measured: above everything else on the machine where the system permits it, for ourselves and for others.

import { setPriority } from "node:os";

const NICENESS = -15;

/** Whether it was permitted. Without an id: this process. */
export function takePriority(pid = 0): boolean {
  try {
    setPriority(pid, NICENESS);
    return true;
  } catch {
    // Only a privileged user may; the disturbance beside each figure says what came of it.
    return false;
  }
}
