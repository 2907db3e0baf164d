// The scalar types of columns: those of output schemas (docs/contract.md A3).

export type ScalarType = "int" | "double" | "string" | "bool" | "instant" | "instant_open" | "duration" | "json";
