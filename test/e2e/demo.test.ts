// The demo: it ends well, in time, and says what it promises to say.
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelServer } from "../agent/model-server.js";
import { commandLine } from "./command-line.js";

const cli = commandLine();

beforeEach(() => {
  vi.stubEnv("PALIMPSEST_LLM_URL", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("palimpsest demo", () => {
  it("explains loading, believing, correcting, asking and crashing in under 20 seconds", async () => {
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
    // One office, held in two versions now; the six are those of the list above.
    expect(out).toContain("(PALIMPSEST_LLM_URL names none)");
    expect(out).toContain(
      "\n     Magdalena Andersson held Prime Minister of Sweden (`Q687075`). 6 versions of that were believed at some time, of which 2 are in force.\n",
    );
    expect(out.match(/^ {5}c[123] {2}.* s[12]\./gm)).toHaveLength(3);
    expect(out.match(/sha256 [0-9a-f]{16}$/gm)).toHaveLength(3);
    const digests = Array.from(out.matchAll(/store digest ([0-9a-f]{64})/g), (match) => match[1]);
    expect(digests).toHaveLength(2);
    expect(digests[0]).toBe(digests[1]);
    expect((await cli.run("digest", cli.path("kept/leaders"))).out.trim()).toBe(digests[0]);
  });

  it("asks the model that is named, and goes on without one that is not there", async () => {
    const server = await ModelServer.start(() => ({ text: "I do not know." }));
    try {
      vi.stubEnv("PALIMPSEST_LLM_URL", server.url);
      const named = await cli.run("demo");
      expect([named.exitCode, named.err]).toEqual([0, ""]);
      expect(named.out).toContain("The model behind PALIMPSEST_LLM_URL plans and words");
      expect(named.out).toMatch(/It gave no answer \((?:failed|abstained)\)/);
      const prompts = server.asked.flatMap(({ body }) => body.messages.map(({ content }) => content));
      expect(prompts.some((text) => text.includes("Which offices has Magdalena Andersson held"))).toBe(true);
    } finally {
      await server.stop();
    }
    vi.stubEnv("PALIMPSEST_LLM_URL", "http://127.0.0.1:9/v1");
    vi.stubEnv("PALIMPSEST_LLM_MODEL", "m");
    const gone = await cli.run("demo");
    expect([gone.exitCode, gone.err]).toEqual([0, ""]);
    expect(gone.out).toMatch(/It gave no answer \(E_MODEL\)[\s\S]*Magdalena Andersson held Prime Minister of Sweden/);
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
