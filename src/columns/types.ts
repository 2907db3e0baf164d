// The scalar types of columns: those of output schemas (docs/contract.md A3).

export type ScalarType = "int" | "double" | "string" | "bool" | "instant" | "instant_open" | "duration" | "json";

/** A column of rows: its name, and how its values read. */
export interface TypedName {
  readonly name: string;
  readonly type: ScalarType;
}
