// Verifying judges batches again: a log that tells another outcome than its batches have is damaged, whatever its chain says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { type LogCommit, LogReader } from "../../src/log/reader.js";
import { addon } from "../../src/native/addon.js";
import { LogVerifier } from "../../src/store/verifier.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-verifier-"));
const commits: LogCommit[] = [];

beforeAll(async () => {
  const store = join(folder, "store");
  const db = await open(store);
  await db.write([{ op: "assert_node", uid: "a", valid_from: "2020-01-01" }]);
  const retraction = { op: "retract", ref: { uid: "b" }, valid_from: "2020-01-01" } as const;
  await db.write([{ op: "assert_node", uid: "c", valid_from: "2020-01-01" }, retraction]).catch(() => undefined);
  await db.write([{ op: "retract", ref: { uid: "a" }, valid_from: "2021-01-01" }]);
  await db.close();
  const reader = new LogReader(nativeFileLayer(addon.files), store);
  for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) commits.push(commit);
  reader.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(changed: LogCommit[]): Promise<void> {
  const verifier = new LogVerifier();
  try {
    for (const commit of changed) await verifier.apply(commit);
    verifier.finish();
  } finally {
    verifier.close();
  }
}

describe("a log verified", () => {
  it("passes as it was written", async () => {
    expect(commits.map((commit) => commit.outcome.kind)).toEqual(["applied", "not_found", "applied"]);
    await verify(commits);
  });

  it("is damaged when a rejected batch fails elsewhere, or not at all", async () => {
    const [first, rejected, last] = commits as [LogCommit, LogCommit, LogCommit];
    const elsewhere = { ...rejected, outcome: { kind: "not_found", operation: 0 } as const };
    await expect(verify([first, elsewhere, last])).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
    const applies = { ...last, tx: 0, outcome: { kind: "not_found", operation: 0 } as const };
    await expect(verify([first, applies])).rejects.toMatchObject({ code: "E_LOG_CORRUPT", details: { operation: 0 } });
  });

  it("is damaged when an applied batch does not apply", async () => {
    const [, rejected, last] = commits as [LogCommit, LogCommit, LogCommit];
    await expect(verify([{ ...last, tx: 1 }])).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
    await expect(verify([{ ...rejected, tx: 1, outcome: { kind: "applied" } }])).rejects.toMatchObject({
      code: "E_LOG_CORRUPT",
    });
  });
});
