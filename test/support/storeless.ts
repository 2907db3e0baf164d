// An engine that refuses to be asked anything but what a call may hold: for operators that read no store.
import type { Envelope } from "../../src/contract/envelope.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { type CallOptions, callOperator } from "../../src/operators/pipeline.js";

const NO_ENGINE = new Proxy({} as OperatorEngine, {
  get(_, name): undefined {
    if (name !== "callMemoryBytes") throw new Error(`the engine was asked for ${String(name)}`);
  },
});

export const callCompute = (args: object, options: CallOptions = {}): Promise<Envelope> =>
  callOperator(NO_ENGINE, "compute", args, options);

/** All rows of an answer, page by page. */
export async function allRows(args: object, limit = 10_000): Promise<unknown[]> {
  const rows: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Envelope = await callCompute({ ...args, limit, cursor });
    rows.push(...page.rows!);
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}
