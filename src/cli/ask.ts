// The commands that ask one thing and print it: call, info, digest.
// Arguments are read with every digit; answers are printed as canonical JSON.
import { PalimpsestError } from "../contract/errors.js";
import { parseExact } from "../contract/exact-json.js";
import type { JsonObject } from "../contract/values.js";
import { withInterrupt } from "./interrupt.js";
import { print, printJson } from "./output.js";
import { readStore } from "./with-store.js";

function argumentsOf(text: string): JsonObject {
  const value = parseExact(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new PalimpsestError("E_SCHEMA", "the arguments are not a JSON object", {
    details: { path: "" },
    hint: `write them as '{"uid": "a"}'`,
  });
}

export async function call(path: string, operator: string, argumentsText: string): Promise<void> {
  const args = argumentsOf(argumentsText);
  await withInterrupt((signal) =>
    readStore(path, async (db) => {
      await printJson(await db.call(operator, args, { signal }));
    }),
  );
}

export async function info(path: string): Promise<void> {
  await readStore(path, async (db) => printJson(await db.info()));
}

export async function digest(path: string): Promise<void> {
  await readStore(path, async (db) => print(await db.digest()));
}
