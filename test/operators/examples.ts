// The examples of every declaration as a suite over any engine: the envelopes of docs/operators.md, by hand.
// The digest is not given by hand: it is recomputed here from its definition.
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/contract/digest.js";
import type { OperatorExample } from "../../src/operators/declaration.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import type { CaseStore } from "../conformance/cases.js";

const OUTSIDE_PAYLOAD = new Set(["op", "args", "pin", "erased", "notices", "result_digest"]);

/** The digest of an envelope without large numbers, from the words of the semantics. */
function digestOf(envelope: Record<string, unknown>): string {
  const payload = Object.fromEntries(Object.entries(envelope).filter(([name]) => !OUTSIDE_PAYLOAD.has(name)));
  const tx = (envelope.pin as { tx: number } | null)?.tx ?? null;
  return sha256Hex(canonicalize({ args: envelope.args, op: envelope.op, payload, tx })!);
}

async function opened(example: OperatorExample, makeStore: () => CaseStore | Promise<CaseStore>): Promise<CaseStore> {
  const store = await makeStore();
  for (const { ops, txTime } of example.store.batches) await store.write([...ops] as Record<string, unknown>[], txTime);
  return store;
}

export function examplesSuite(name: string, makeStore: () => CaseStore | Promise<CaseStore>): void {
  describe.each(DECLARATIONS)(`examples of $name on the ${name} engine`, (declaration) => {
    it.each(declaration.examples)("$title", async (example) => {
      const store = await opened(example, makeStore);
      try {
        const envelope = await callOperator(store.engine, declaration.name, example.args);
        expect(envelope).toEqual({ ...example.envelope, result_digest: digestOf(example.envelope) });
      } finally {
        await store.close();
      }
    });

    it.each(declaration.errors)("$code: $when", async ({ code, args, upstream }) => {
      const store = await opened(declaration.examples[0]!, makeStore);
      try {
        const options = upstream === undefined ? {} : { upstream };
        await expect(callOperator(store.engine, declaration.name, args, options)).rejects.toMatchObject({ code });
      } finally {
        await store.close();
      }
    });
  });
}
