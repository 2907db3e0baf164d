// The names of the formats, for options and commands: knows none of them.
export const ANSWER_FORMATS = ["table", "json", "jsonl", "csv", "chart"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];
/** Forms of columns, for `query` alone: nobody reads them on a screen. */
export const TYPED_FORMATS = ["arrow", "parquet"] as const;
export type TypedFormat = (typeof TYPED_FORMATS)[number];
