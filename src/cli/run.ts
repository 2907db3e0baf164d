// `palimpsest run`: a plan, its trace as one line of canonical JSON; with --check, whether a trace still holds.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { PalimpsestError } from "../contract/errors.js";
import { parseExact } from "../contract/exact-json.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { ioError } from "../log/file-layer.js";
import { fileError } from "../log/native-file-layer.js";
import { planDigest } from "../plan/index.js";
import { withInterrupt } from "./interrupt.js";
import { print, printJson } from "./output.js";
import { readStore } from "./with-store.js";

export interface RunFlags {
  readonly check?: string;
}

async function readJson(path: string): Promise<JsonValue> {
  if (path === "-") return parseExact(await text(process.stdin));
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw ioError(fileError(error, path));
  }
  return parseExact(content);
}

const differs = (message: string, details: object): PalimpsestError =>
  new PalimpsestError("E_STATE", message, {
    details: { ...details },
    hint: "the trace, the store or the program is another than when the trace was made",
  });

async function check(store: string, plan: JsonValue | undefined, trace: JsonObject): Promise<void> {
  if (plan !== undefined && planDigest(plan) !== trace.plan_digest) {
    throw differs("the trace is that of another plan", { field: "plan_digest" });
  }
  await withInterrupt((signal) =>
    readStore(store, async (db) => {
      const difference = await db.check(trace, { signal });
      if (difference !== null) throw differs(difference.message, difference);
      await print(`same: trace ${trace.trace_digest as string}`);
    }),
  );
}

export async function run(store: string, planPath: string | undefined, flags: RunFlags): Promise<void> {
  const plan = planPath === undefined ? undefined : await readJson(planPath);
  if (flags.check !== undefined) {
    await check(store, plan, (await readJson(flags.check)) as JsonObject);
    return;
  }
  await withInterrupt((signal) => readStore(store, async (db) => printJson(await db.run(plan, { signal }))));
}
