// The examples of every operator through a real client, which validates each envelope against the tool's outputSchema.
import type { Client } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { OperatorExample, StoreScript } from "../../src/operators/declaration.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { objectOf } from "./clients.js";

interface Example extends OperatorExample {
  readonly op: string;
}

/** All examples by the store that they are asked of. */
export function examplesByStore(): { readonly store: StoreScript; readonly examples: Example[] }[] {
  const byStore = new Map<string, { store: StoreScript; examples: Example[] }>();
  for (const { name, examples } of DECLARATIONS) {
    for (const example of examples) {
      const key = JSON.stringify(example.store);
      const group = byStore.get(key) ?? { store: example.store, examples: [] };
      group.examples.push({ ...example, op: name });
      byStore.set(key, group);
    }
  }
  return [...byStore.values()];
}

/** Asks all of them; gives how many. The list of tools comes first: from it the client takes its validators. */
export async function askExamples(client: Client, examples: readonly Example[]): Promise<number> {
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false });
  for (const { op, args, envelope, title } of examples) {
    const tool = tools.find(({ name }) => name === op)!;
    // A client may hold arguments against the schema that it was shown.
    expect([op, title, ajv.validate(tool.inputSchema, args), ajv.errors ?? null]).toEqual([op, title, true, null]);
    const result = await client.callTool({ name: op, arguments: args });
    const { result_digest, ...rest } = objectOf(result);
    expect([result.isError ?? false, rest]).toEqual([false, envelope]);
    expect(result_digest).toMatch(/^[0-9a-f]{64}$/);
  }
  return examples.length;
}
