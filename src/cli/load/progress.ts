// How far a load is: a bar on a terminal, nothing elsewhere, and one closing line for people.
// All of it on standard error.
import { SingleBar } from "cli-progress";
import { isGzip } from "../../interchange/byte-source.js";
import { grouped } from "../output.js";

const UPDATES_PER_SECOND = 5;

export function timeLeft(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s left`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s left`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min left`;
}

/** What the bar needs of a terminal. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

export class LoadProgress {
  private readonly bar: SingleBar | null;
  private readonly startedMs = performance.now();
  private stageMs = this.startedMs;
  rows = 0;
  private bytes = 0;
  /** Of a file that is read as a whole before its rows are written. */
  private rowsRead = 0;
  private stage = "reading";
  /** Rows that are to be written; null where that is not known before. */
  private totalRows: number | null = null;

  constructor(
    file: string,
    private readonly totalBytes: number,
    stream: ProgressStream = process.stderr,
  ) {
    this.bar = stream.isTTY === true ? this.draw(totalBytes, `bytes${isGzip(file) ? " packed" : ""}`, stream) : null;
  }

  private draw(totalBytes: number, unit: string, stream: ProgressStream): SingleBar {
    const bar = new SingleBar({
      format: "{stage} {bar} {percentage}% of {total} {unit} | {rows} rows | {rate} rows/s | {left}",
      fps: UPDATES_PER_SECOND,
      hideCursor: true,
      clearOnComplete: true,
      stream,
    });
    bar.start(totalBytes, 0, { stage: "reading", unit, rows: "0", rate: "0", left: "" });
    return bar;
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  /** `rows` where they are read as a whole before the first is written. */
  read(bytes: number, rows = 0): void {
    this.bytes = bytes;
    this.rowsRead = rows;
    this.show();
  }

  /** What goes on now: a file is read first, and then written; `totalRows` where they are known by then. */
  enter(stage: "reading" | "writing", totalRows: number | null = null): void {
    this.stage = stage;
    if (totalRows !== null) {
      this.totalRows = totalRows;
      this.stageMs = performance.now();
      this.bar?.setTotal(totalRows);
    }
    this.show();
  }

  took(rows: number): void {
    this.rows += rows;
    this.show();
  }

  private show(): void {
    const isOfRows = this.totalRows !== null;
    const rows = isOfRows ? this.rows : Math.max(this.rows, this.rowsRead);
    const rate = grouped(Math.round(rows / Math.max(this.stageSeconds, 0.001)));
    const { stage, left } = this;
    const shown = { stage, rows: grouped(rows), rate, left, ...(isOfRows ? { unit: "rows" } : {}) };
    this.bar?.update(isOfRows ? this.rows : this.bytes, shown);
  }

  private get stageSeconds(): number {
    return (performance.now() - this.stageMs) / 1000;
  }

  /** By the rows that are still to be written, or the bytes to be read; how long one last commit takes is not known. */
  private get left(): string {
    if (this.totalRows !== null) {
      return this.rows === 0 ? "" : timeLeft((this.stageSeconds * (this.totalRows - this.rows)) / this.rows);
    }
    if (this.stage !== "reading" || this.bytes === 0) return "";
    return timeLeft((this.seconds * (this.totalBytes - this.bytes)) / this.bytes);
  }

  stop(): void {
    this.bar?.stop();
  }
}
