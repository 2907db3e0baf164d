// What a property may be called. Files bring names of their own, in headers and in keys; one that cannot be stored is
// refused where it stands.
import { LIMITS } from "../contract/values.js";
import { RefusedValue } from "./refusal.js";

export const PROPERTY_NAME_RULE = `a property's name has 1 to ${LIMITS.nameBytes} bytes of UTF-8`;

export function canBeProperty(name: string): boolean {
  return name !== "" && name.isWellFormed() && Buffer.byteLength(name) <= LIMITS.nameBytes;
}

/** For a value that stands under a name that no property can have. */
export function unfitName(): RefusedValue {
  return new RefusedValue(
    `stands in a column that cannot be a property: ${PROPERTY_NAME_RULE}`,
    "E_INVALID_ARG",
    "give it another name",
  );
}
