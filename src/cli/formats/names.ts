// The names of the formats, for options and commands: knows none of them.
export const ANSWER_FORMATS = ["table", "json", "jsonl", "csv", "chart"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];
