// `palimpsest demo`: a store from nothing, explained line by line, in well under 20 seconds.
// Its parts are in demo/; this file gives them a store and takes it away again.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PalimpsestError } from "../contract/errors.js";
import { type Database, open } from "../index.js";
import { askedPart } from "./demo/asked.js";
import { ASKED_FOR, beliefsPart } from "./demo/beliefs.js";
import { crashingWriter, crashPart } from "./demo/crash.js";
import { messagesPart } from "./demo/messages.js";
import { narration } from "./demo/narration.js";

export interface DemoFlags {
  readonly keep?: string;
  /** Hidden: be the child that is killed. */
  readonly writer?: string;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A question pinned to the past: its digest must be the same before and after the crash. */
const PINNED = `SETTING DEFAULT TRANSACTION_TIME AS OF TX 84 SELECT h.src, h.dst FROM EDGES(HOLDS) FOR VALID_TIME AS OF DATE '${ASKED_FOR}' AS h`;

async function pinnedDigest(db: Database): Promise<string | null> {
  const { result_digest: digest } = await db.query(PINNED);
  return digest;
}

async function tellAll(store: string): Promise<void> {
  const tell = narration(print);
  const started = performance.now();
  print("Palimpsest keeps what was true apart from what was believed. This is what that is for.");
  const leaders = await open(join(store, "leaders"));
  let pinned: string | null;
  try {
    await withMessages(join(store, "messages"), tell);
    await beliefsPart(leaders, tell);
    await askedPart(leaders, tell);
    pinned = await pinnedDigest(leaders);
  } finally {
    await leaders.close();
  }
  const reopened = await crashPart(join(store, "leaders"), tell);
  try {
    const again = await pinnedDigest(reopened);
    if (again !== pinned) throw new PalimpsestError("E_INTERNAL", "a past answer has changed");
    tell.say("And a question pinned to commit 84 has the same result digest as before all that:");
    tell.found(String(again));
  } finally {
    await reopened.close();
  }
  print("");
  print(`That was all of it, in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

async function withMessages(path: string, tell: ReturnType<typeof narration>): Promise<void> {
  const db = await open(path);
  try {
    await messagesPart(db, tell);
  } finally {
    await db.close();
  }
}

/** Somebody at a terminal may go on by asking; nobody else is kept waiting. */
async function offerRepl(folder: string): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return;
  print("");
  print("Now you: this is the REPL, on the store of heads of government. Try, for a start,");
  print("  .as-of 2022-09-16");
  print("  MATCH (p:Person)-[h:HOLDS]->(o {uid: 'Q687075'}) FOR VALID_TIME AS OF DATE '2022-06-01' RETURN p.name;");
  print(`  .open ${join(folder, "messages")}`);
  const { repl } = await import("./repl/command.js");
  await repl(join(folder, "leaders"), { write: true });
}

export async function demo(flags: DemoFlags): Promise<void> {
  if (flags.writer !== undefined) {
    await crashingWriter(flags.writer);
    return;
  }
  if (flags.keep !== undefined) {
    if (existsSync(flags.keep)) {
      throw new PalimpsestError("E_STATE", `${flags.keep} is there already`, { hint: "name a folder that is not" });
    }
    await tellAll(flags.keep);
    print(`Its two stores are kept: try palimpsest repl ${join(flags.keep, "leaders")}`);
    await offerRepl(flags.keep);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-demo-"));
  try {
    await tellAll(folder);
    await offerRepl(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
