// The columns that every exported table has, in their order: what a file of an export is known by.
export const FIRST_COLUMNS = {
  nodes: ["uid", "labels", "valid_from", "valid_to", "tx_from", "tx_to"],
  edges: ["src", "dst", "type", "key", "valid_from", "valid_to", "tx_from", "tx_to"],
} as const;
/** Before the name of a property. */
export const PROPERTY_PREFIX = "props.";
