// The formats of an export, by name: all that help and checks of options need.
const TEXT_FORMATS = ["csv", "tsv", "jsonl"] as const;
export const EXPORT_FORMATS = [...TEXT_FORMATS, "parquet", "arrow"] as const;
export type TextExportFormat = (typeof TEXT_FORMATS)[number];
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
