// A file of an export: written under another name, packed where its name says so, and put in its place when all is there.
// Holds no more than what the disk has not taken yet.
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import { PalimpsestError } from "../../contract/errors.js";
import { isGzip } from "../byte-source.js";
import { temporaryName } from "../temporary-name.js";
import { putInPlace } from "./put-in-place.js";

const BUFFERED_BYTES = 1 << 18;

export class ExportFile {
  readonly temporary: string;
  private readonly file: WriteStream;
  private readonly packer: Gzip | null;
  private failure: Error | null = null;
  /** Wakes who waits for the disk. */
  private goOn: () => void = () => {};

  constructor(readonly path: string) {
    this.temporary = temporaryName(path);
    this.file = createWriteStream(this.temporary, { flush: true, highWaterMark: BUFFERED_BYTES });
    // Node writes no time into the header, so that equal contents are equal files.
    this.packer = isGzip(path) ? createGzip() : null;
    this.packer?.pipe(this.file);
    for (const stream of [this.file, this.packer]) {
      stream?.on("error", (error: Error) => {
        this.failure ??= error;
        this.goOn();
      });
      stream?.on("drain", () => this.goOn());
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const stream = this.packer ?? this.file;
    this.check();
    if (stream.write(bytes)) return;
    await new Promise<void>((resolve) => (this.goOn = resolve));
    this.check();
  }

  /** Everything is on the disk, still under the other name. */
  async finish(): Promise<void> {
    (this.packer ?? this.file).end();
    await finished(this.file).catch((error: Error) => (this.failure ??= error));
    this.check();
  }

  /** E_STATE where a file of that name may not be replaced. */
  async keep({ isReplacing = true } = {}): Promise<void> {
    await putInPlace(this.temporary, this.path, isReplacing).catch((error: Error) => {
      if (error instanceof PalimpsestError) throw error;
      this.failure ??= error;
    });
    this.check();
  }

  /** Takes away what was written. */
  async drop(): Promise<void> {
    this.packer?.destroy();
    this.file.destroy();
    if (!this.file.closed) await once(this.file, "close").catch(() => undefined);
    await rm(this.temporary, { force: true });
  }

  private check(): void {
    if (this.failure === null) return;
    throw new PalimpsestError("E_IO", `${this.path} cannot be written: ${this.failure.message}`, {
      details: { path: this.path },
      hint: "name a place that is there and may be written to",
      cause: this.failure,
    });
  }
}
