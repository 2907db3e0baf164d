// Schemas in fewer bytes allow what they allowed before: every tool's, over the examples of its operator and over what is
// made of them by taking away, adding and exchanging members. The list of tools stays below its bound.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { compactSchema } from "../../src/mcp/compact-schema.js";
import { argumentsSchema, envelopeSchema } from "../../src/mcp/json-schema.js";
import { S1 } from "../../src/operators/example-stores.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { overHttp, writeStore } from "./clients.js";

const MOST_BYTES = 205_000;
const OTHERS = [null, 0, "x", [], {}, true, -1.5, ["x"]];

/** The value with each of its members, at any depth, taken away or exchanged, and with one more. */
function* varied(value: unknown): Generator<unknown> {
  for (const other of OTHERS) yield other;
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    yield [...value, ...value, null];
    for (const [i, member] of value.entries())
      for (const other of varied(member)) yield value.map((each, k) => (k === i ? other : each));
    return;
  }
  yield { ...value, no_such_member: 1 };
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    yield rest;
    for (const other of varied(member)) yield { ...value, [name]: other };
  }
}

it.each(DECLARATIONS.map((declaration) => [declaration.name, declaration] as const))("%s", (_, declaration) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let refused = 0;
  let count = 0;
  for (const [schema, of] of [
    [argumentsSchema(declaration.args), ({ args }: { args: unknown }) => args],
    [
      envelopeSchema(declaration),
      ({ envelope }: { envelope: unknown }) => ({ ...(envelope as object), result_digest: "x" }),
    ],
  ] as const) {
    const [before, after] = [ajv.compile(schema), ajv.compile(compactSchema(schema))];
    for (const example of declaration.examples) {
      const value = JSON.parse(JSON.stringify(of(example as never))) as unknown;
      expect([after(value), after.errors]).toEqual([true, null]);
      for (const other of varied(value)) {
        const isLegal = before(other);
        if (after(other) !== isLegal) expect([other, !isLegal]).toEqual([other, isLegal]);
        count += 1;
        if (!isLegal) refused += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(count / 20);
});

it(`the list of tools has at most ${MOST_BYTES} bytes`, async () => {
  const served = await overHttp(await writeStore(":memory:", S1));
  const { tools } = await (await served.client()).listTools();
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(MOST_BYTES);
  await served.close();
});
