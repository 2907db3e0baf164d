// The log file that is written to: where its frames end, and how much space behind them is reserved.
// Knows bytes and places, not what a frame is.
import type { OpenFile } from "./file-layer.js";

export class LogTip {
  private reservedTo: number;

  constructor(
    private readonly file: OpenFile,
    readonly fileNo: number,
    /** Behind the last byte written. */
    public end: number,
    private readonly reserveStepBytes: number,
  ) {
    this.reservedTo = file.length();
  }

  /** Space for `byteCount` bytes from `end` on; throws ENOSPC and changes nothing when there is none. */
  reserve(byteCount: number): void {
    const needed = this.end + byteCount;
    if (needed <= this.reservedTo) return;
    const to = Math.ceil(needed / this.reserveStepBytes) * this.reserveStepBytes;
    try {
      this.file.reserve(this.reservedTo, to);
      this.reservedTo = to;
    } catch {
      // A disk without room for a whole step may have room for the batch.
      this.file.reserve(this.reservedTo, needed);
      this.reservedTo = needed;
    }
  }

  async append(parts: readonly Uint8Array[], byteCount: number, options: { sync: boolean }): Promise<void> {
    await this.file.write(parts, this.end, options);
    this.end += byteCount;
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  /** Gives reserved space back. */
  async trim(): Promise<void> {
    await this.file.cut(this.end);
    this.reservedTo = this.end;
  }

  close(): void {
    this.file.close();
  }
}
