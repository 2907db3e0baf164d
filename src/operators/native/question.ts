// Arguments of native calls: windows in microseconds, identities as texts.
// Reads resolved arguments only.
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import type { RefArgument, WindowArgument } from "../../contract/schemas.js";
import type { IdentityTexts } from "../../native/tables.js";

export interface WindowEnds {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

const ALL_TIME: WindowEnds = { from: null, to: null };

export function windowEnds(window: WindowArgument | null | undefined): WindowEnds {
  if (window === null || window === undefined) return ALL_TIME;
  const { from, to } = window;
  return {
    from: from === null ? null : parseInstant(from, "/window/from"),
    // A window that was resolved by an event in the last microsecond ends at the end of the calendar.
    to: to === null ? null : parseValidTo(to, "/window/to"),
  };
}

export function identityTexts(ref: RefArgument): IdentityTexts {
  return "uid" in ref ? [ref.uid] : [ref.src, ref.type, ref.dst, ref.key];
}
