// What kind of name stands where: the slots that completion fills.

export type Slot =
  | "label_or_type"
  | "property"
  | "argument"
  | "operator"
  | "function"
  | "value"
  | "variable"
  | "new_name"
  | "table"
  | "column"
  | "cohort"
  | "window"
  | "unit"
  | "type_name"
  | "key";
