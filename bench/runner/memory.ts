// Memory of this process, in MB of 10^6 bytes or in bytes, once the garbage of JavaScript is gone.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  collect();
}

export function residentBytes(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

/** The most that was ever resident. */
export function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
