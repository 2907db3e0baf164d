// The commands that read whole logs, on stores with erasures: one that ended, one that was cut short behind its receipt, and
// one whose files are there without a receipt. Verify and replay change nothing; repair ends what was begun.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FileError } from "../../src/log/file-layer.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { Store } from "../../src/store/store.js";
import { digestOf } from "../support/fault-session.js";
import { knows, person } from "../support/small-batches.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const layer = nativeFileLayer(addon.files);
const CANARY = "canary";

async function written(name: string): Promise<Store> {
  const store = await Store.openOn(layer, cli.path(name), {});
  await store.write([person(CANARY, { text: `${CANARY} text` }), person("ann"), knows("ann", CANARY)]);
  await store.write([person("bob"), knows("ann", "bob")]);
  return store;
}

const contents = (name: string): Map<string, string> =>
  new Map(
    readdirSync(join(cli.path(name), "log"))
      .sort()
      .map((file) => [file, readFileSync(join(cli.path(name), "log", file), "hex")]),
  );
const holdsCanary = (name: string): boolean =>
  [...contents(name).values()].some((hex) => Buffer.from(hex, "hex").includes(CANARY));

let digest: string;
let chain: string;
let before: string;
beforeAll(async () => {
  const ended = await written("ended");
  before = ended.head().chain!;
  await ended.erase({ uid: CANARY }, { reason: "request" });
  digest = await digestOf(ended);
  await ended.close();

  // Every file is written and the receipt is durable; the names fail.
  const store = await written("cut");
  await store.close();
  const failing = {
    ...layer,
    rename: (path: string): never => {
      throw new FileError("EIO", "rename", path, "input/output error");
    },
  };
  const cut = await Store.openOn(failing, cli.path("cut"), {});
  await expect(cut.erase({ uid: CANARY }, { reason: "request" })).rejects.toMatchObject({ code: "E_IO" });
  await cut.close().catch(() => undefined);

  const begun = await written("begun");
  chain = begun.head().chain!;
  await begun.close();
  const [file] = readdirSync(join(cli.path("begun"), "log"));
  writeFileSync(join(cli.path("begun"), "log", `${file}.0123456789abcdef`), "half of a file");
});

describe("a store with an erasure that ended", () => {
  it("verifies, also by a head from before it, and replays to one digest on both engines", {
    timeout: 60_000,
  }, async () => {
    const files = contents("ended");
    expect(await cli.json("verify", "ended", "--head", before)).toMatchObject({ tx: 3, head_tx: 2, digest });
    for (const engine of ["native", "reference"]) {
      const { exitCode, out } = await cli.run("replay", "ended", `ended-${engine}`, "--engine", engine);
      expect([exitCode, out.trim()]).toEqual([0, digest]);
      expect(holdsCanary(`ended-${engine}`)).toBe(false);
    }
    expect(contents("ended")).toEqual(files);
    expect(await cli.json("repair", "ended")).toMatchObject({ tx: 3, digest });
    expect(await cli.json("verify", "ended-reference", "--head", before)).toMatchObject({ tx: 3, head_tx: 2, digest });
  });
});

describe("a store whose erasure was cut short behind its receipt", () => {
  it("counts as erased for verify and replay, which change nothing, and repair ends it", {
    timeout: 60_000,
  }, async () => {
    const files = contents("cut");
    expect([...files.keys()].some((name) => /\.plog\.[0-9a-f]{16}$/.test(name))).toBe(true);
    const told = await cli.json("verify", "cut");
    expect(told).toMatchObject({ tx: 3 });
    for (const engine of ["native", "reference"]) {
      const { exitCode, out } = await cli.run("replay", "cut", `cut-${engine}`, "--engine", engine);
      expect([exitCode, out.trim()]).toEqual([0, told.digest]);
      expect(holdsCanary(`cut-${engine}`)).toBe(false);
    }
    expect(contents("cut")).toEqual(files);
    const { exitCode, out, err } = await cli.run("repair", "cut");
    expect([exitCode, JSON.parse(out)]).toMatchObject([0, { tx: 3, digest: told.digest }]);
    expect(err).toMatch(/erasure/);
    expect(holdsCanary("cut")).toBe(false);
    expect([...contents("cut").keys()].every((name) => /^\d{10}\.plog$/.test(name))).toBe(true);
    expect(await cli.json("verify", "cut", "--head", String(told.chain))).toMatchObject({ tx: 3, digest: told.digest });
  });
});

describe("a store with the files of an erasure that has no receipt", () => {
  it("is what it was; repair takes the files away", { timeout: 60_000 }, async () => {
    const told = await cli.json("verify", "begun", "--head", chain);
    expect(told).toMatchObject({ tx: 2, chain });
    const { exitCode, out, err } = await cli.run("repair", "begun");
    expect([exitCode, JSON.parse(out)]).toMatchObject([0, { tx: 2, chain, digest: told.digest }]);
    expect(err).toMatch(/erasure/);
    expect([...contents("begun").keys()]).toEqual(["0000000001.plog"]);
  });
});
