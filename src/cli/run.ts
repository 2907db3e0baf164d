// `palimpsest run`: a plan, its trace as one line of canonical JSON; with --check, whether a trace still holds.
import { text } from "node:stream/consumers";
import { PalimpsestError } from "../contract/errors.js";
import { parseExact, parseUnambiguous } from "../contract/exact-json.js";
import { isPlainObject, type JsonValue } from "../contract/values.js";
import { planDigest } from "../plan/index.js";
import { contentOfFile } from "./file-content.js";
import { withInterrupt } from "./interrupt.js";
import { print, printJson } from "./output.js";
import { readStore } from "./with-store.js";

export interface RunFlags {
  readonly check?: string;
}

async function contentOf(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  return contentOfFile(path);
}

const differs = (message: string, details: object): PalimpsestError =>
  new PalimpsestError("E_STATE", message, {
    details: { ...details },
    hint: "the trace, the store or the program is another than when the trace was made",
  });

async function check(store: string, plan: JsonValue | undefined, trace: JsonValue): Promise<void> {
  const told = isPlainObject(trace) ? trace : {};
  if (plan !== undefined && planDigest(plan) !== told.plan_digest) {
    throw differs("the trace is that of another plan", { field: "plan_digest" });
  }
  await withInterrupt((signal) =>
    readStore(store, async (db) => {
      const difference = await db.check(trace, { signal });
      if (difference !== null) throw differs(difference.message, difference);
      await print(`same: trace ${told.trace_digest as string}`);
    }),
  );
}

export async function run(store: string, planPath: string | undefined, flags: RunFlags): Promise<void> {
  const plan = planPath === undefined ? undefined : parseExact(await contentOf(planPath));
  if (flags.check !== undefined) {
    await check(store, plan, parseUnambiguous(await contentOf(flags.check)));
    return;
  }
  await withInterrupt((signal) => readStore(store, async (db) => printJson(await db.run(plan, { signal }))));
}
