// The fuzz entry of the log reader, for a fixed number of rounds; its seed is printed.
import { expect, test } from "vitest";
import { fuzzOnce, makeCorpus, randomOf } from "../support/fuzz-log.js";

test("any bytes give an error or a prefix", async () => {
  const seed = Date.now() % 2 ** 32;
  console.log(`seed ${seed}`);
  const corpus = await makeCorpus();
  const random = randomOf(seed);
  const outcomes = { whole: 0, prefix: 0, error: 0 };
  for (let round = 0; round < 400; round += 1) outcomes[await fuzzOnce(corpus, random)] += 1;
  expect(outcomes.prefix + outcomes.error).toBeGreaterThan(100);
});
