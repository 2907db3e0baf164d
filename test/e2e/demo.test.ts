// The demo: it ends well, in time, and says what it promises to say.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";

const cli = commandLine();

describe("palimpsest demo", () => {
  it("explains loading, believing, correcting and crashing in under 20 seconds", async () => {
    const started = performance.now();
    const { exitCode, out, err } = await cli.run("demo", "--keep", cli.path("kept"));
    expect([exitCode, err]).toEqual([0, ""]);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(out).toContain("2,000 messages are commit 1");
    expect(out).toContain("as believed on 2022-09-14: Magdalena Andersson");
    expect(out).toContain("as believed on 2022-09-16: nobody");
    expect(out).toContain("as believed on 2022-09-21: Magdalena Andersson");
    expect(out).toMatch(/retracted: Ulf Kristersson took office on 18 October 2022/);
    expect(out).toContain("removed: edge Q4935873 HOLDS Q687075");
    const digests = Array.from(out.matchAll(/store digest ([0-9a-f]{64})/g), (match) => match[1]);
    expect(digests).toHaveLength(2);
    expect(digests[0]).toBe(digests[1]);
    expect((await cli.run("digest", cli.path("kept/leaders"))).out.trim()).toBe(digests[0]);
  });

  it("shows questions that can be asked as they stand", async () => {
    const { out } = await cli.run("demo", "--keep", cli.path("asked"));
    const asked = Array.from(out.matchAll(/> (\w+) '(.*)'\n/g), ([, operator, args]) => [operator!, args!] as const);
    const questions = asked.filter(([operator]) => operator !== "write");
    expect(questions.map(([operator]) => operator)).toContain("version_history");
    for (const [operator, args] of questions) {
      const store = cli.path(`asked/${operator === "scan" ? "messages" : "leaders"}`);
      const answer = await cli.json("call", store, operator, args);
      expect(answer.rows_total, args).toEqual(expect.any(Number));
    }
  });

  it("does not write into a folder that is there", async () => {
    expect(existsSync(cli.path("kept"))).toBe(true);
    expect((await cli.run("demo", "--keep", cli.path("kept"))).err).toMatch(/^E_STATE: /);
  });
});
