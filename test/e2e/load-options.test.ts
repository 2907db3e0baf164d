// Options of `load` through the command line: times of belief, odd times, types and labels by column, refused records.
// Expected values are written by hand.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const OBSERVED = [
  "when\tactor\tother\tkind\tseconds",
  "13/06/2019 09:35\tEWINE\t\tInvisible\t34",
  "13/06/2019 09:36\tEWINE\tMALI\tGrooming\t30",
  "14/06/2019 00:10\tMALI\tEWINE\tPlaying\t0",
];
const OBSERVING = [
  ...["--src", "actor", "--dst", "other", "--time", "when", "--time-format", "%d/%m/%Y %H:%M"],
  ...["--zone", "Europe/Paris", "--duration", "seconds", "--type-column", "kind", "--on-error", "skip"],
];

describe("load", () => {
  it("reads local times in a form of their own, lengths, and types by row", async () => {
    const file = cli.file("observed.tsv", `${OBSERVED.join("\n")}\n`);
    const rejects = cli.path("refused.jsonl");
    const store = cli.path("observed");
    const said = await cli.json("load", store, file, ...OBSERVING, "--rejects", rejects, "--json");
    expect(said).toMatchObject({ rows: 2, refused: 1, edges: 2 });
    expect(JSON.parse(readFileSync(rejects, "utf8"))).toEqual({
      ...{ line: 2, column: "other", value: "", code: "E_INVALID_ARG", reason: "is missing" },
      record: OBSERVED[1],
    });
    const db = await open(store, { readOnly: true });
    try {
      const { rows } = await db.call("scan", { of: "edges", columns: ["type", "valid_from", "valid_to"] });
      expect((rows as unknown as { [name: string]: unknown }[]).map((row) => Object.values(row))).toEqual([
        ["Grooming", "2019-06-13T07:36:00Z", "2019-06-13T07:36:30Z"],
        ["Playing", "2019-06-13T22:10:00Z", "2019-06-13T22:10:00.000001Z"],
      ]);
    } finally {
      await db.close();
    }
  });

  it("makes a commit of each time of belief, and answers as of them", async () => {
    const rows = ["a,b,2020-01-01,2024-03-02", "c,d,2020-01-02,2024-03-01", "e,f,2020-01-03,2024-03-02"];
    const file = cli.file("believed.csv", `src,dst,time,tt\n${rows.join("\n")}\n`);
    const store = cli.path("believed");
    const said = await cli.json("load", store, file, "--tx-time", "tt", "--json");
    expect(said).toMatchObject({ rows: 3, tx_from: 1, tx_to: 2, edges: 3, nodes: 6 });
    const info = await cli.json("info", store);
    expect(info.tx_extent).toEqual({ from: "2024-03-01T00:00:00Z", to: "2024-03-02T00:00:00Z" });
    // The same times again are not later than the last commit, and then nothing is written.
    const digest = (await cli.run("digest", store)).out;
    const again = await cli.run("load", store, file, "--tx-time", "tt");
    expect([again.exitCode, again.err.split(":")[0]]).toEqual([1, "E_STATE"]);
    expect((await cli.run("digest", store)).out).toBe(digest);
  });

  it("writes nothing before the last row of a file with times of belief was read", async () => {
    const file = cli.file("half.csv", "src,dst,time,tt\na,b,2020-01-01,2024-03-02\nc,d,2020-01-02,soon\n");
    const refused = await cli.run("load", cli.path("half"), file, "--tx-time", "tt");
    expect(refused.err).toContain('line 3, column "tt" (4)');
    expect(existsSync(cli.path("half"))).toBe(false);
  });

  it("gives nodes labels by row and times of belief", async () => {
    const text = "id,kind,name,tt\na,Person;Boss,Ada,2024-01-02\nb,Company,,2024-01-01\n";
    const file = cli.file("nodes.csv", text);
    const store = cli.path("nodes");
    const more = ["--nodes", "--label-column", "kind", "--tx-time", "tt", "--all-props", "--json"];
    expect(await cli.json("load", store, file, ...more)).toMatchObject({ rows: 2, tx_to: 2, nodes: 2, edges: 0 });
    expect((await cli.json("info", store)).labels).toMatchObject(["Boss", "Company", "Person"]);
  });

  it.each([
    [["--rejects", "x"], "--rejects needs --on-error skip"],
    [["--duration", "a", "--valid-to", "b"], "--duration does not go with --valid-to"],
    [["--tx-time", "a", "--batch", "5"], "--tx-time does not go with --batch"],
    [["--end-inclusive"], "--end-inclusive needs --valid-to"],
    [["--time-format", "%d/%m"], 'the time format "%d/%m": it names no year (%Y)'],
    [["--time-format", "%Y", "--unit", "s"], "--time-format says nothing about numbers of unit s"],
    [["--epoch", "2014-01-01"], "--epoch says nothing about texts"],
    [["--zone", "Europe/Atlantis"], 'zone: "Europe/Atlantis" is no IANA zone'],
    [["--label-column", "kind"], "--label-column needs --nodes"],
    [["--nodes", "--type-column", "kind"], "--type-column does not go with --nodes"],
    [["--clock", ""], "--clock is empty"],
  ])("refuses %j", async (args, message) => {
    const file = cli.file("any.csv", "src,dst,time\na,b,2020-01-01\n");
    const { exitCode, err } = await cli.run("load", cli.path("none"), file, ...args);
    expect([exitCode, err.split("\n")[0]]).toEqual([1, `E_INVALID_ARG: ${message}`]);
    expect(existsSync(cli.path("none"))).toBe(false);
  });
});
