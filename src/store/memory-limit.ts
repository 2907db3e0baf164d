// How much memory a store may hold: by default half of the smaller of the machine's and its cgroup's.
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { PalimpsestError } from "../contract/errors.js";

function cgroupLimitBytes(): number {
  for (const path of ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]) {
    try {
      const limit = Number(readFileSync(path, "latin1").trim());
      if (Number.isFinite(limit) && limit > 0) return limit;
    } catch {
      // Not this kind of cgroup, or none: the machine's memory decides.
    }
  }
  return Number.POSITIVE_INFINITY;
}

export function defaultMemoryLimitBytes(): number {
  return Math.floor(Math.min(totalmem(), cgroupLimitBytes()) / 2);
}

const OF_WRITING = { what: "", hint: "raise memoryLimitBytes of open, or write less" };

/** E_LIMIT when a store of `heldBytes` would pass its limit with `moreBytes`; nothing has been written then. */
export function checkMemory(heldBytes: number, moreBytes: number, limitBytes: number, said = OF_WRITING): void {
  if (heldBytes + moreBytes <= limitBytes) return;
  const why = said.what === "" ? "" : `: ${said.what}`;
  throw new PalimpsestError("E_LIMIT", `the store would hold ${heldBytes + moreBytes} bytes in memory${why}`, {
    details: { held_bytes: heldBytes, more_bytes: moreBytes, limit_bytes: limitBytes, outcome: "not_applied" },
    hint: said.hint,
  });
}
