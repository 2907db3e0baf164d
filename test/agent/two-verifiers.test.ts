// Two verifiers of claims, written from one text by two hands, say the same of random claims over the traces of oracle
// plans. A failure prints the claim.
import { describe, expect, it } from "vitest";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import { CASE_COUNT } from "../support/case-count.js";
import { Random } from "../support/random.js";
import { isThere, openStore, type StoreName } from "./oracle/data.js";
import { ClaimMaker } from "./oracle/random-claims.js";
import { ORACLE_PLANS } from "./oracle-plans.js";
import { verifyAgain } from "./second-verifier/verify.js";

const SEED = 20_260_711;
const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
const CASES = Math.max(10_000, 40 * CASE_COUNT);

describe.each(STORES.filter(isThere))("two verifiers over %s", (name) => {
  it("agree on random claims", { timeout: 3_600_000 }, async () => {
    const asked = await openStore(name);
    const plans = ORACLE_PLANS.filter(({ store }) => store === name);
    const perPlan = Math.ceil((CASES * plans.length) / ORACLE_PLANS.length / plans.length);
    const verdicts = new Map<string, number>();
    const differing: unknown[] = [];
    for (const [i, { name: of, plan, mentions = [] }] of plans.entries()) {
      const evidence = await asked.ask(plan, mentions);
      const maker = new ClaimMaker(
        new Random(SEED + i),
        evidence,
        mentions.map(({ id }) => id),
      );
      for (let n = 0; n < perPlan; n += 1) {
        const claim = maker.claim();
        const [first, second] = [await verifyClaim(evidence, claim), await verifyAgain(evidence, claim)];
        const told = [first.verdict, ...first.reasons].join(" ");
        verdicts.set(told, (verdicts.get(told) ?? 0) + 1);
        if (JSON.stringify(first) !== JSON.stringify(second)) differing.push({ of, claim, first, second });
      }
    }
    await asked.close();
    console.log(
      name,
      [...verdicts].sort((a, b) => b[1] - a[1]),
    );
    expect(differing.slice(0, 20)).toEqual([]);
  });
});
