// Misspelt options and columns are refused: taken as left out they would commit wrong data.
import { expect, it } from "vitest";
import { open } from "../../src/index.js";

const columns = { src: ["a"], dst: ["b"], time: BigInt64Array.of(5n) };

it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
  ["a column", { ...columns, validTo: BigInt64Array.of(500n) }, { type: "M" }, "validTo"],
  ["another column", { ...columns, properties: [] }, { type: "M" }, "properties"],
  ["an option of ingest", columns, { type: "M", node_labels: ["P"] }, "node_labels"],
])("refuses %s that is not there", async (_, input, options, name) => {
  const db = await open(":memory:");
  await expect(db.ingest(input as never, options as never)).rejects.toMatchObject({
    code: "E_SCHEMA",
    details: { path: name },
  });
  expect((await db.head()).tx).toBe(0);
  await db.close();
});

it("refuses options of write, call and open that are not there", async () => {
  const db = await open(":memory:");
  const ops = [{ op: "assert_node", uid: "a", valid_from: "2020-01-01" }] as const;
  await expect(db.write(ops, { txtime: "2000-01-01" } as never)).rejects.toMatchObject({
    code: "E_SCHEMA",
    hint: "did you mean txTime?",
  });
  await expect(db.call("scan", { of: "nodes" }, { deadline: 1 } as never)).rejects.toMatchObject({ code: "E_SCHEMA" });
  await expect(open(":memory:", { readonly: true } as never)).rejects.toMatchObject({ code: "E_SCHEMA" });
  await db.close();
});
