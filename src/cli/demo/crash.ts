// Last part of the demo: a process that writes is killed without warning, and nothing that was promised is lost.
// The writer is this same program, started as a child with a hidden option.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { PalimpsestError } from "../../contract/errors.js";
import { type Database, open } from "../../index.js";
import type { Narration } from "./narration.js";

const COMMITS = 50;
const CHILD_LIMIT_MS = 15_000;

/** Writes commits one by one, says what it has at the end, and then waits to be killed with its store open. */
export async function crashingWriter(store: string): Promise<void> {
  const db = await open(store);
  for (let n = 1; n <= COMMITS; n += 1) {
    await db.write([
      { op: "assert_edge", src: "ada", type: "CALLED", dst: "bea", key: String(n), valid_from: "2024-06-03T09:00:00Z" },
    ]);
  }
  const { tx } = await db.head();
  process.stdout.write(`${JSON.stringify({ tx, digest: await db.digest() })}\n`);
  await delay(CHILD_LIMIT_MS);
}

interface LastWords {
  readonly tx: number;
  readonly digest: string;
}

/** Starts the writer, hears its last words, and kills it (SIGKILL: no handler runs, nothing is closed). */
async function killWriter(store: string): Promise<LastWords> {
  const args = [...process.execArgv, process.argv[1]!, "demo", "--writer", store];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let words: LastWords | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    words = JSON.parse(line) as LastWords;
    child.kill("SIGKILL");
  }
  await ended;
  if (words !== null) return words;
  throw new PalimpsestError("E_INTERNAL", "the writer of the demo ended before it was killed");
}

/** Takes a closed store; gives it back open. */
export async function crashPart(store: string, tell: Narration): Promise<Database> {
  tell.heading("Crash: kill -9 while the store is open");
  tell.say(`Another process opens the store, writes ${COMMITS} commits, and is killed without closing anything.`);
  const words = await killWriter(store);
  tell.found(`before the kill: commit ${words.tx}, store digest ${words.digest}`);
  const db = await open(store);
  const { tx } = await db.head();
  const digest = await db.digest();
  tell.found(`after reopening: commit ${tx}, store digest ${digest}`);
  if (digest !== words.digest) throw new PalimpsestError("E_INTERNAL", "the store is not the one that was killed");
  tell.say("The digest covers every version with both its times: the log gave back the same store, to the byte.");
  return db;
}
