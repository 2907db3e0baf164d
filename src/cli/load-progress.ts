// How far a load is: a bar on a terminal, nothing elsewhere, and one closing line for people.
// All of it on standard error.
import { SingleBar } from "cli-progress";
import { isGzip } from "../interchange/byte-source.js";
import { grouped } from "./output.js";

const UPDATES_PER_SECOND = 5;

export function timeLeft(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s left`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s left`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min left`;
}

export class LoadProgress {
  private readonly bar: SingleBar | null;
  private readonly startedMs = performance.now();
  rows = 0;
  private bytes = 0;
  private stage = "reading";

  constructor(
    file: string,
    private readonly totalBytes: number,
  ) {
    this.bar = process.stderr.isTTY ? this.draw(totalBytes, isGzip(file) ? " packed" : "") : null;
  }

  private draw(totalBytes: number, packed: string): SingleBar {
    const bar = new SingleBar({
      format: `{stage} {bar} {percentage}% of {total} bytes${packed} | {rows} rows | {rate} rows/s | {left}`,
      fps: UPDATES_PER_SECOND,
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    });
    bar.start(totalBytes, 0, { stage: "reading", rows: "0", rate: "0", left: "" });
    return bar;
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  read(bytes: number): void {
    this.bytes = bytes;
    this.show();
  }

  /** What goes on now: a file is read first, and then written as one commit. */
  enter(stage: "reading" | "writing"): void {
    this.stage = stage;
    this.show();
  }

  took(rows: number): void {
    this.rows += rows;
    this.show();
  }

  private show(): void {
    const rate = grouped(Math.round(this.rows / Math.max(this.seconds, 0.001)));
    this.bar?.update(this.bytes, { stage: this.stage, rows: grouped(this.rows), rate, left: this.left });
  }

  /** By the bytes that are still to be read; how long the last commit takes is not known before. */
  private get left(): string {
    if (this.stage !== "reading" || this.bytes === 0) return "";
    return timeLeft((this.seconds * (this.totalBytes - this.bytes)) / this.bytes);
  }

  stop(): void {
    this.bar?.stop();
  }
}
