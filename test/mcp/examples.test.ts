// Every operator's envelope of its registry examples, validated in the client, over HTTP and over stdio.
import { afterAll, describe, expect, it } from "vitest";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { commandLine } from "../e2e/command-line.js";
import { ERAS, overHttp, overStdio, temporaryFolder, writeStore } from "./clients.js";
import { askExamples, examplesByStore } from "./examples.js";

const cli = commandLine();
const folder = temporaryFolder();
afterAll(folder.remove);
const total = DECLARATIONS.reduce((sum, { examples }) => sum + examples.length, 0);

describe.each(ERAS)("examples of all operators, protocol %s", (era) => {
  it("over HTTP", { timeout: 60_000 }, async () => {
    let asked = 0;
    for (const { store, examples } of examplesByStore()) {
      const served = await overHttp(await writeStore(":memory:", store));
      asked += await askExamples(await served.client(era), examples);
      expect(served.warnings).toEqual([]);
      await served.close();
    }
    expect(asked).toBe(total);
  });

  it("over stdio, from stores on disk", { timeout: 120_000 }, async () => {
    let asked = 0;
    for (const [i, { store, examples }] of examplesByStore().entries()) {
      const path = folder.path(`${era}-${i}.store`);
      await (await writeStore(path, store)).close();
      const client = await overStdio(cli.program, path, era);
      asked += await askExamples(client, examples);
      await client.close();
    }
    expect(asked).toBe(total);
  });
});
