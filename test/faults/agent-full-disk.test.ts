// A full disk, for real, under what the agent keeps beside the log: notes are all there or none, an answer of a model that cannot
// be kept is an answer, nothing half written stays, and all goes on when there is room.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAgent, notesOf } from "../../src/agent/index.js";
import { open } from "../../src/database.js";
import { dayText, load, messages } from "../agent/memory/noted-store.js";
import { planServer } from "../agent/payees.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const place = temporaryFolder();
const ALL = messages(600, 1);
const WINDOW = { from: dayText(7), to: dayText(14) };
const QUESTION = `How many messages did "s1" send from ${WINDOW.from} up to ${WINDOW.to}?`;
const STEP = {
  id: "s1",
  op: "aggregate_events",
  args: { window: WINDOW, where: { src: { uids: ["s1"] } }, aggregates: [{ fn: "count", as: "n" }] },
};
const PLAN = { thought: "", steps: [STEP], answer: { kind: "count", from: "s1.rows[0].n" } };
const REPORT = { text: "{c1} messages.", claims: [{ id: "c1", type: "count", cell: "s1.rows[0].n" }] };
const SENT = ALL.filter(({ src, day }) => src === "s1" && day >= 7 && day < 14).length;

/** Fills a file system up to so many bytes. */
function fill(disk: string, left: number): void {
  const ballast = join(disk, "ballast");
  rmSync(ballast, { force: true });
  const write = (): void => writeFileSync(ballast, new Uint8Array(8 << 20));
  expect(write).toThrow(/ENOSPC/);
  const { size } = statSync(ballast);
  writeFileSync(ballast, new Uint8Array(size - left));
}

const canMount = (() => {
  const folder = join("/tmp", `palimpsest-mount-agent-${process.pid}`);
  mkdirSync(folder);
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "palimpsest-test", folder]).status === 0;
  if (isMounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true, force: true });
  if (!isMounted) console.log("skipped: no right to mount a small file system");
  return isMounted;
})();

test.skipIf(!canMount)("a full disk costs the agent no answer, and leaves nothing half written", async () => {
  const disk = join(place(), "disk");
  mkdirSync(disk);
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "palimpsest-test", disk]);
  const server = await planServer([PLAN], [REPORT]);
  const path = join(disk, "store");
  const notes = join(path, "agent", "notes.jsonl");
  const answers = join(path, "agent", "answers");
  const db = await open(path);
  const ask = async () => {
    const model = { base_url: server.url, capability: "text", retries: 0 } as const;
    return (await createAgent(db, { model, cache: "store", memory: "read" }).ask(QUESTION)).answer;
  };
  const kept = (): string[] => (existsSync(answers) ? readdirSync(answers) : []);
  const text = `${SENT} messages.`;
  try {
    await load(db, ALL);
    for (const left of [0, 4096, 8192]) {
      fill(disk, left);
      await expect(notesOf(db).build()).rejects.toMatchObject({ code: "E_IO", details: { os_code: "ENOSPC" } });
      expect(statSync(notes).size).toBe(0);
      expect(await notesOf(db).list()).toEqual({ notes: [], said: [] });
    }
    fill(disk, 0);
    expect(await ask()).toMatchObject({
      text,
      notices: [expect.stringMatching(/^answers of the model are not kept: E_IO: .*ENOSPC/)],
    });
    expect(kept()).toEqual([]);

    rmSync(join(disk, "ballast"));
    expect(await notesOf(db).build()).toMatchObject({ windows: 4, built: 4 });
    const whole = statSync(notes).size;
    expect(await ask()).toMatchObject({ text, notices: [] });
    expect(kept()).toHaveLength(2);
    const asked = server.asked.length;
    expect(await ask()).toMatchObject({ text, notices: [], usage: { calls: 0 } });
    expect(server.asked).toHaveLength(asked);

    fill(disk, 0);
    await expect(db.write([{ op: "erase", ref: { uid: "s2" } }] as never)).rejects.toMatchObject({ code: "E_IO" });
    expect(statSync(notes).size).toBe(whole);
    expect(kept()).toHaveLength(2);
    rmSync(join(disk, "ballast"));
    await db.write([{ op: "erase", ref: { uid: "s2" } }] as never);
    expect(existsSync(notes)).toBe(false);
    expect(kept()).toEqual([]);
  } finally {
    await db.close();
    await server.stop();
    spawnSync("umount", [disk]);
  }
});
