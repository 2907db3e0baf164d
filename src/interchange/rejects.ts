// The file of refused records: one JSON object a line, with the place, the reason and the record itself.
// It appears under its name when the load ends, also with none refused; records that are no UTF-8 stand in base64.
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { sep } from "node:path";
import { PalimpsestError } from "../contract/errors.js";
import { temporaryName } from "./temporary-name.js";

const BUFFERED_BYTES = 1 << 16;

function recordShown(record: Uint8Array): object {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  return isUtf8(record) ? { record: bytes.toString("utf8") } : { record_base64: bytes.toString("base64") };
}

/** Whatever the two are called: links lead to the same file. */
function checkPlace(path: string, loaded: string): void {
  const [there, source] = [path, loaded].map((each) => statSync(each, { bigint: true, throwIfNoEntry: false }));
  if (there === undefined || source === undefined) return;
  const isSource = there.dev === source.dev && there.ino === source.ino;
  const isInside = source.isDirectory() && realpathSync(path).startsWith(`${realpathSync(loaded)}${sep}`);
  if (!isSource && !isInside) return;
  throw new PalimpsestError("E_INVALID_ARG", `${path}: refused records would take the place of what is loaded`, {
    details: { file: path },
    hint: "name another file with --rejects",
  });
}

export class RejectsFile {
  private readonly temporary: string;
  private readonly descriptor: number;
  private waiting: string[] = [];
  private waitingLength = 0;
  private isOpen = true;
  private isKept = false;

  /** E_INVALID_ARG where the file would take the place of what is loaded. */
  constructor(
    private readonly path: string,
    loaded: string,
  ) {
    this.doing(() => checkPlace(path, loaded));
    this.temporary = temporaryName(path);
    this.descriptor = this.doing(() => openSync(this.temporary, "w"));
  }

  /** `record`: its bytes, where the reader of the format can give them. */
  add(error: PalimpsestError, record?: Uint8Array): void {
    const { line = null, column = null, value = null, reason = error.message } = error.details;
    const shown = record === undefined ? {} : recordShown(record);
    const text = `${JSON.stringify({ line, column, value, code: error.code, reason: String(reason).replace(/^: /, ""), ...shown })}\n`;
    this.waiting.push(text);
    this.waitingLength += text.length;
    if (this.waitingLength > BUFFERED_BYTES) this.write();
  }

  private write(): void {
    const text = Buffer.from(this.waiting.join(""), "utf8");
    this.waiting = [];
    this.waitingLength = 0;
    this.doing(() => {
      for (let at = 0; at < text.length; ) at += writeSync(this.descriptor, text, at);
    });
  }

  /** Puts the file in its place. */
  keep(): void {
    this.write();
    this.shut();
    this.doing(() => renameSync(this.temporary, this.path));
    this.isKept = true;
  }

  /** Takes away what was not kept. */
  drop(): void {
    if (this.isKept) return;
    this.shut();
    rmSync(this.temporary, { force: true });
  }

  private shut(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.descriptor);
  }

  private doing<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (error instanceof PalimpsestError) throw error;
      const text = error instanceof Error ? error.message : String(error);
      throw new PalimpsestError("E_IO", `${this.path}: ${text}`, { details: { file: this.path }, cause: error });
    }
  }
}
