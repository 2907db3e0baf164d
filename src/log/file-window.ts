// A log file read through a window: contiguous pieces at any place, without ever holding the whole file.
// Pieces stay valid when the window moves on, since each window has bytes of its own. Knows nothing of frames.
import type { OpenFile } from "./file-layer.js";
import { isZero } from "./layout.js";

const WINDOW_BYTES = 1 << 20;

export class FileWindow {
  private from = 0;
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(private readonly file: OpenFile) {}

  get path(): string {
    return this.file.path;
  }
  length(): number {
    return this.file.length();
  }

  /** Bytes [at, at + byteCount), or fewer where the file ends. */
  async piece(at: number, byteCount: number): Promise<Uint8Array> {
    const held = this.held(at, byteCount);
    if (held !== undefined) return held;
    const bytes = new Uint8Array(Math.min(Math.max(byteCount, WINDOW_BYTES), Math.max(0, this.length() - at)));
    const got = await this.file.read(bytes, at);
    this.from = at;
    this.bytes = bytes.subarray(0, got);
    return this.bytes.subarray(0, byteCount);
  }

  /** Forgets what was read: the next piece comes from the file as it is then. */
  refresh(): void {
    this.from = 0;
    this.bytes = new Uint8Array(0);
  }

  /** Whether everything from `at` on is zero: reserved space. */
  async isZeroFrom(at: number): Promise<boolean> {
    for (let next = at; ; next += WINDOW_BYTES) {
      const piece = await this.piece(next, WINDOW_BYTES);
      if (!isZero(piece)) return false;
      if (piece.length < WINDOW_BYTES) return true;
    }
  }

  close(): void {
    this.file.close();
  }

  private held(at: number, byteCount: number): Uint8Array | undefined {
    const start = at - this.from;
    if (start < 0 || start + byteCount > this.bytes.length) return undefined;
    return this.bytes.subarray(start, start + byteCount);
  }
}
