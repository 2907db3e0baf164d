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
    const beliefs = Array.from(out.matchAll(/AS OF DATE '(2022-09-\d\d)'[\s\S]*?─\n(?=(.*)\n)/g), ([, on, row]) => [
      on,
      row!.includes("Magdalena Andersson"),
    ]);
    expect(beliefs).toEqual([
      ["2022-09-14", true],
      ["2022-09-16", false],
      ["2022-09-21", true],
    ]);
    expect(out).toMatch(/retracted +Ulf Kristersson took office that day/);
    expect(out).toMatch(/corrected +she had resigned and stayed on until then/);
    expect(out).toMatch(/removed +edge +Q4935873 +Q687075/);
    expect(out).toMatch(/messages {2}[▁▂▃▄▅▆▇█]{8} {2}min \d+, max \d+/);
    expect(out).toMatch(/a>b,b>a,a>b +15\n/);
    const digests = Array.from(out.matchAll(/store digest ([0-9a-f]{64})/g), (match) => match[1]);
    expect(digests).toHaveLength(2);
    expect(digests[0]).toBe(digests[1]);
    expect((await cli.run("digest", cli.path("kept/leaders"))).out.trim()).toBe(digests[0]);
  });

  it("shows statements that can be asked as they stand", async () => {
    const { out } = await cli.run("demo", "--keep", cli.path("asked"));
    const asked = Array.from(out.matchAll(/^tql> (.*(?:\n {2}-> .*)*)/gm), ([, text]) =>
      text!.replaceAll("\n  -> ", "\n"),
    );
    const reads = asked.filter((text) => !/^(?:DELETE|SET) /m.test(text));
    expect([asked.length, reads.length]).toEqual([15, 13]);
    for (const [store, texts] of [
      ["messages", reads.slice(0, 5)],
      ["leaders", reads.slice(5)],
    ] as const) {
      const { exitCode, err } = await cli.run("query", cli.path(`asked/${store}`), texts.join("\n"));
      expect([exitCode, err.match(/^E_.*/m)]).toEqual([0, null]);
    }
  });

  it("does not write into a folder that is there", async () => {
    expect(existsSync(cli.path("kept"))).toBe(true);
    expect((await cli.run("demo", "--keep", cli.path("kept"))).err).toMatch(/^E_STATE: /);
  });
});
