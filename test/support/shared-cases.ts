// The random stores and calls with agreed answers of ../shared/cases, as the tests read them.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseExactJson } from "./exact-json.js";

export interface SharedCase {
  readonly number: number;
  readonly batches: ReadonlyArray<{
    txTime: string;
    ops: Record<string, unknown>[];
    answer: { tx?: number; error?: string };
  }>;
  readonly digest: string;
  readonly calls: ReadonlyArray<{
    op: string;
    args: Record<string, unknown>;
    answer: { result_digest?: string; rows_total?: number; error?: string; envelope?: Record<string, unknown> };
  }>;
}

const FOLDER = fileURLToPath(new URL("../../../shared/cases/", import.meta.url));
const CASE_COUNT = 40;

/** Empty, with a printed line, where the folder is absent. */
export function sharedCases(): SharedCase[] {
  if (!existsSync(FOLDER)) {
    console.log("skipped: ../shared/cases is not there");
    return [];
  }
  const read = (name: string) => parseExactJson(readFileSync(`${FOLDER}${name}.json`, "utf8"));
  return Array.from({ length: CASE_COUNT }, (_, i) => {
    const number = i + 1;
    const asked = read(`case-${number}`) as Pick<SharedCase, "batches" | "calls">;
    const answers = read(`answers-${number}`) as { batches: never[]; calls: never[]; digest: string };
    return {
      number,
      digest: answers.digest,
      batches: asked.batches.map((batch, k) => ({ ...batch, answer: answers.batches[k]! })),
      calls: asked.calls.map((call, k) => ({ ...call, answer: answers.calls[k]! })),
    };
  });
}
