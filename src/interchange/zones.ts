// Zones for texts that name none: UTC and fixed offsets.
// Named zones are refused: the package has their rules, but loading does not use them yet.
import { PalimpsestError } from "../contract/errors.js";

const OFFSET = /^([+-])([01]\d|2[0-3]):?([0-5]\d)$/;

/** The offset to append to a text without zone. */
export function offsetOfZone(zone: string): string {
  if (/^(?:utc|z|gmt)$/i.test(zone)) return "Z";
  const match = OFFSET.exec(zone);
  if (match !== null) return `${match[1]}${match[2]}:${match[3]}`;
  throw new PalimpsestError("E_INVALID_ARG", `the zone ${JSON.stringify(zone)} is not one this version knows`, {
    details: { zone },
    hint: "give UTC or a fixed offset such as +02:00; names like Europe/Paris are not taken here yet",
  });
}
