// `palimpsest run`: a plan, its trace as one line of canonical JSON; with --check, whether a trace still holds.
import { text } from "node:stream/consumers";
import { parseExact, parseUnambiguous } from "../contract/exact-json.js";
import type { JsonValue } from "../contract/values.js";
import { planDigest } from "../plan/index.js";
import { differs } from "./differs.js";
import { contentOfFile } from "./file-content.js";
import { withInterrupt } from "./interrupt.js";
import { checkKept, planDigestOf } from "./kept-answer.js";
import { plural, print, printJson } from "./output.js";
import { readStore } from "./with-store.js";

export interface RunFlags {
  readonly check?: string;
}

async function contentOf(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  return contentOfFile(path);
}

async function check(store: string, plan: JsonValue | undefined, given: JsonValue): Promise<void> {
  if (plan !== undefined && planDigest(plan) !== planDigestOf(given)) {
    throw differs("the trace is that of another plan", { field: "plan_digest" });
  }
  await withInterrupt((signal) =>
    readStore(store, async (db) => {
      const { traceDigest, claimCount } = await checkKept(db, given, signal);
      await print(`same: trace ${traceDigest}${claimCount === null ? "" : `, ${plural(claimCount, "claim")}`}`);
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
