// One durable write at a time in a loaded store, beside a raw append + fdatasync of as many bytes, turn by turn in one run.
// The raw files lie in the same folder; the difference of the medians is what the database costs.

import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Events, events } from "../data/corrected-intervals.js";
import { shuffledOrder } from "../data/shuffle.js";
import { atMost, type Figure } from "../runner/figures.js";
import { elapsedMs, statistics } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { bytesUnder, open } from "../stores/database.js";
import { correctionOf, loadIntervals } from "../stores/interval-store.js";

const TURNS = 300;
const WARM_UP_TURNS = 20;
const SEED = 43;
const WEIGHT = 5;
const OVERHEAD_MS_GATE = 0.3;
const SIZING_SCALE = 1_000;
const SIZING_WRITES = 20;

function correctionAt(data: Events, event: number) {
  return correctionOf(data, event, WEIGHT, data.validFrom[event] as bigint, data.validTo[event] as bigint);
}

function assertionAt(turn: number) {
  return {
    op: "assert_edge" as const,
    src: "n1",
    type: "R",
    dst: "n2",
    key: `turn-${turn}`,
    props: {},
    valid_from: BigInt(turn),
    valid_to: null,
  };
}

/** Bytes of log for one correction, from a small store closed before and after some: an open log has space reserved. */
async function frameBytes(path: string): Promise<number> {
  const data = events(SIZING_SCALE);
  let db = await open(path);
  await loadIntervals(db, SIZING_SCALE, data);
  await db.close();
  const before = bytesUnder(path);
  db = await open(path);
  for (let event = 0; event < SIZING_WRITES; event++) await db.write([correctionAt(data, event)]);
  await db.close();
  return Math.ceil((bytesUnder(path) - before) / SIZING_WRITES);
}

/** A file to which frames are written one after the other, each made durable. */
class RawFile {
  readonly samples: number[] = [];
  readonly #file: number;
  readonly #frame: Buffer;
  #position = 0;

  /** With `reservedFrames` the file has its final length before: a flush then has no new length to record. */
  constructor(path: string, frameLength: number, reservedFrames: number) {
    this.#file = openSync(path, "w");
    this.#frame = Buffer.alloc(frameLength, 0x5a);
    writeSync(this.#file, Buffer.alloc(frameLength * reservedFrames));
    fsyncSync(this.#file);
  }

  async append(): Promise<void> {
    const ms = await elapsedMs(() => {
      writeSync(this.#file, this.#frame, 0, this.#frame.length, this.#position);
      fdatasyncSync(this.#file);
    });
    this.#position += this.#frame.length;
    this.samples.push(ms);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export const workload: Workload = {
  summary: "single durable write beside a raw append + fdatasync, interleaved",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const data = events(scale);
    const order = shuffledOrder(scale, SEED);
    const frameLength = await frameBytes(join(folder, "sizing"));
    const db = await open(join(folder, "store"));
    await loadIntervals(db, scale, data);
    progress("store loaded");

    const turns = WARM_UP_TURNS + TURNS;
    const growing = new RawFile(join(folder, "growing"), frameLength, 0);
    const reserved = new RawFile(join(folder, "reserved"), frameLength, turns);
    const corrections: number[] = [];
    const assertions: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const correction = [correctionAt(data, order[turn] as number)];
      const assertion = [assertionAt(turn)];
      await growing.append();
      corrections.push(await elapsedMs(() => db.write(correction)));
      await reserved.append();
      assertions.push(await elapsedMs(() => db.write(assertion)));
    }
    growing.close();
    reserved.close();
    await db.close();

    const timed = (name: string, samples: readonly number[]): Figure => {
      const { median, p95, repetitions } = statistics(samples.slice(WARM_UP_TURNS));
      return { name, unit: "ms", value: median, p95, repetitions };
    };
    const raw = timed(`raw append of ${frameLength} bytes + fdatasync`, growing.samples);
    const writes = [timed("single durable correction", corrections), timed("single durable assertion", assertions)];
    return [
      raw,
      timed(`raw write of ${frameLength} bytes into reserved space + fdatasync`, reserved.samples),
      ...writes.flatMap((write): Figure[] => [
        write,
        {
          name: `${write.name}, above raw append`,
          unit: "ms",
          value: write.value - raw.value,
          gate: atMost(OVERHEAD_MS_GATE),
        },
      ]),
    ];
  },
};
