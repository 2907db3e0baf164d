// `palimpsest load` of a CSV file, as a user runs it: a process of its own, one durable commit a file.
// The rate is by the seconds that the command itself reports; the whole process stands in the notes.

import { execFile } from "node:child_process";
import { createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { events, nodeName } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { commandPath } from "../runner/command.js";
import { atLeast, type Figure } from "../runner/figures.js";
import { statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";

const ROUNDS = 3;
const ROWS_PER_SECOND_GATE = 500_000;
const LINES_AT_ONCE = 50_000;

function* pieces(header: string, count: number, line: (row: number) => string): Generator<string> {
  yield `${header}\n`;
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(count, from + LINES_AT_ONCE); row++) lines.push(line(row));
    yield lines.join("");
  }
}

async function writeLines(path: string, header: string, count: number, line: (row: number) => string): Promise<void> {
  await pipeline(Readable.from(pieces(header, count, line)), createWriteStream(path));
}

async function loadFigure(context: Context, family: string, csv: string, options: readonly string[]): Promise<Figure> {
  const { scale, folder, progress } = context;
  const rates: number[] = [];
  const processRates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const store = `${csv}-store-${round}`;
    const begun = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [commandPath(), "load", store, csv, "--format", "csv", "--src", "src", "--dst", "dst", "--time", "time"].concat(
        options,
        ["--node-label", "Node", "--json"],
      ),
      { cwd: folder, maxBuffer: 1 << 26 },
    );
    const wholeSeconds = (performance.now() - begun) / 1e3;
    const result = JSON.parse(stdout.trim().split("\n").at(-1) as string) as { rows: number; seconds: number };
    if (result.rows !== scale) throw new Error(`${family}: ${result.rows} rows loaded, expected ${scale}`);
    rates.push(scale / result.seconds);
    processRates.push(scale / wholeSeconds);
    progress(`${family}: ${result.seconds} s, process ${wholeSeconds.toFixed(2)} s`);
  }
  const rate = statistics(rates);
  return {
    name: `load from CSV text, ${family}`,
    unit: "rows/s",
    value: rate.median,
    repetitions: ROUNDS,
    gate: atLeast(ROWS_PER_SECOND_GATE),
    notes: {
      least: rate.least,
      rows_per_second_of_whole_process: statistics(processRates).median,
      bytes_of_text: statSync(csv).size,
    },
  };
}

export const workload: Workload = {
  summary: "palimpsest load of a CSV file",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale, folder, progress } = context;
    const messages = join(folder, "power-law.csv");
    const { nodes, seed } = powerLawShape(scale);
    const list = powerLaw(scale, nodes, seed);
    await writeLines(
      messages,
      "src,dst,time",
      scale,
      (row) => `${list.src[row]},${list.dst[row]},${list.second[row]}\n`,
    );

    const intervals = join(folder, "intervals.csv");
    const data = events(scale);
    await writeLines(intervals, "src,dst,time,valid_to", scale, (row) => {
      const ends = `${nodeName(data.src[row] as number)},${nodeName(data.dst[row] as number)}`;
      return `${ends},${data.validFrom[row]},${data.validTo[row]}\n`;
    });
    progress("text files written");

    return [
      await loadFigure(context, "power-law events", messages, ["--unit", "s", "--type", "E"]),
      await loadFigure(context, "interval edges", intervals, ["--unit", "us", "--type", "R", "--valid-to", "valid_to"]),
    ];
  },
};
