// Claims that two calls verify at once over one trace: each keeps those of the other.
import { expect, it } from "vitest";
import { verifyClaimsTool } from "../../src/mcp/claim-tools.js";
import { keepClaims, keepTrace } from "../../src/mcp/grounds.js";
import { Kept } from "../../src/mcp/kept.js";
import type { Held } from "../../src/mcp/tool.js";
import { paymentsStore } from "../agent/payments.js";

it("are all kept, and a trace that is gone stays gone", async () => {
  const db = await paymentsStore();
  const trace = await db.run({
    steps: [{ id: "s1", op: "scan", args: { of: "edges" } }],
    answer: { kind: "count", from: "s1.rows_total" },
  });
  const { trace_digest } = trace;
  const held = { grounds: new Kept(), traces: new Kept() } as unknown as Held;
  keepTrace(held, trace);
  const context = { db, held, signal: new AbortController().signal, progress: { at: () => {} } };
  const verify = (id: string) => {
    const claims = [{ id, type: "count", cell: "s1.rows_total" }];
    return verifyClaimsTool.run({ trace_digest, claims }, context as never);
  };
  await Promise.all([verify("c1"), verify("c2")]);
  expect(held.grounds.get(trace_digest)?.claims).toMatchObject([{ id: "c1" }, { id: "c2" }]);
  keepClaims(held, "0".repeat(64), [{ id: "c1" }]);
  expect(held.grounds.get("0".repeat(64))).toBeUndefined();
  await db.close();
});
