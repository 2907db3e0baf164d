// Oracle plans over real data: each answer is what the files say, and the claims that code makes of it hold in the
// verifier and in the second one, which another hand wrote.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evidence } from "../../src/agent/claims/evidence.js";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import { evidenceOfTrace, verdictsOn } from "../../src/agent/trace-evidence.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { AskedStore } from "./asked.js";
import { isThere, openStore, type StoreName } from "./oracle/data.js";
import { claimsOf, mechanicalClaims } from "./oracle/pool.js";
import { expectSaid } from "./oracle/said.js";
import { ORACLE_PLANS } from "./oracle-plans.js";
import { verifyAgain } from "./second-verifier/verify.js";

const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
describe.each(STORES.filter(isThere))("oracle plans over %s", (name) => {
  let asked: AskedStore;
  beforeAll(async () => {
    asked = await openStore(name);
  });
  afterAll(() => asked?.close());

  it.each(ORACLE_PLANS.filter(({ store }) => store === name).map((plan) => [plan.name, plan] as const))(
    "%s",
    async (_, plan) => {
      const evidence: Evidence = await asked.ask(plan.plan, plan.mentions);
      const expected = plan.expected();
      const claims = await claimsOf(evidence, plan);
      const parts = await mechanicalClaims(evidence);
      for (const [i, value] of expected.entries()) {
        expectSaid(claims[i]!, value);
      }
      expect(parts).not.toContain(null);
      const verdicts = await Promise.all(claims.map((claim) => verifyClaim(evidence, claim)));
      const again = await Promise.all(claims.map((claim) => verifyAgain(evidence, claim)));
      const supported = claims.map(({ id }) => ({ id, verdict: "supported", reasons: [] }));
      expect(again).toEqual(supported);
      expect(verdicts).toEqual(supported);
      // Checked again, as `palimpsest run --check` does, the trace and its claims are the same.
      const kept = JSON.parse(canonicalJson(evidence.trace as unknown as JsonObject)) as unknown;
      const checked = await evidenceOfTrace(asked.state, kept, { mentions: plan.mentions ?? [] });
      expect(checked.difference).toBeNull();
      expect(await verdictsOn(checked, claims)).toEqual(supported);
    },
  );
});
