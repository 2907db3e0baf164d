// How far the load of an export is: bytes of all its files while they are read, versions while they are written, and on a
// terminal rows per second and the time that is left in both.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { LoadProgress } from "../../src/cli/load/progress.js";
import { type Database, open } from "../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-progress-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const EDGES = 9_000;
const COMMITS = 3;

async function store(): Promise<Database> {
  const db = await open(":memory:");
  const count = EDGES / COMMITS;
  for (let commit = 0; commit < COMMITS; commit += 1) {
    await db.ingest(
      {
        src: Array.from({ length: count }, (_, i) => `n${i % 100}`),
        dst: Array.from({ length: count }, (_, i) => `n${(i * 7) % 100}`),
        time: BigInt64Array.from({ length: count }, (_, i) => BigInt(commit * count + i) * 1_000_000n),
      },
      { type: "T", nodeLabels: ["N"] },
    );
  }
  return db;
}

describe.each(["csv", "jsonl", "parquet", "arrow"] as const)("an export to %s that is loaded", (format) => {
  it("says how many bytes of how many are read, and versions of how many written", async () => {
    const db = await store();
    const path = join(folder, format);
    await db.export(path, { format, history: true });
    await db.close();
    const totalBytes = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
    const read: (readonly [number, number])[] = [];
    const written: number[] = [];
    let announced: readonly [number, number] = [0, 0];
    const back = await open(":memory:");
    const { versions, commits } = await back.import(path, {
      onRead: (bytes, soFar) => read.push([bytes, soFar]),
      onCommits: (count, of) => {
        announced = [count, of];
      },
      onRows: (count) => written.push(count),
    });
    await back.close();
    expect(versions).toBeGreaterThanOrEqual(EDGES);
    expect(announced).toEqual([commits, versions]);
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(versions);
    expect(read.at(-1)).toEqual([totalBytes, versions]);
    for (const [i, [bytes, soFar]] of read.entries()) {
      expect(bytes).toBeGreaterThanOrEqual(read[i - 1]?.[0] ?? 0);
      expect(soFar).toBeGreaterThanOrEqual(read[i - 1]?.[1] ?? 0);
    }
    expect(read.some(([bytes]) => bytes > 0 && bytes < totalBytes)).toBe(true);
  });
});

class Terminal extends Writable {
  readonly isTTY = true;
  readonly columns = 200;
  text = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
  cursorTo(): void {}
  clearLine(): void {}
  clearScreenDown(): void {}
  moveCursor(): void {}
}

describe("the bar of a load", () => {
  /** What the bar shows last of some reports, a while after it began. */
  async function shown(report: (progress: LoadProgress) => void): Promise<string> {
    const terminal = new Terminal();
    const progress = new LoadProgress("folder", 1000, terminal as never);
    const until = performance.now() + 5;
    while (performance.now() < until);
    report(progress);
    progress.stop();
    return terminal.text;
  }

  it("shows rows per second and time left while files are read", async () => {
    const text = await shown((progress) => progress.read(500, 40));
    expect(text).toMatch(/reading .* 50% of 1000 bytes \| 40 rows \| [\d,]+ rows\/s \| \d+ s left/);
  });

  it("shows them while the rows are written, of which it is known how many they are", async () => {
    const text = await shown((progress) => {
      progress.read(1000, 80);
      progress.enter("writing", 80);
      progress.took(20);
    });
    expect(text).toMatch(/writing .* 25% of 80 rows \| 20 rows \| [\d,]+ rows\/s \| \d+ s left/);
  });
});
