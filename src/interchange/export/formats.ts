// The formats of an export, by name: all that help and checks of options need.
export const EXPORT_FORMATS = ["csv", "tsv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
