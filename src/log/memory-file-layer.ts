// Files in memory, with the same rules as real ones: for ":memory:" stores and for tests.
// Nothing is durable; locks hold within this layer.
import { crc32c } from "./crc32c.js";
import { FileError, type FileLayer, type LockMap, type OpenFile, type OpenMode } from "./file-layer.js";

const LOCK_BYTES = 64;
const DURABLE_OFFSET = 48;

/** The bytes of one file. Removing its name leaves it to those who have it open. */
export class MemoryFile {
  private static lastNumber = 0;
  readonly number = ++MemoryFile.lastNumber;
  private bytes = new Uint8Array(0);
  private used = 0;
  exclusive: object | null = null;
  readonly shared = new Set<object>();

  get length(): number {
    return this.used;
  }
  /** The bytes themselves, not a copy. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }
  copy(): MemoryFile {
    const file = new MemoryFile();
    file.put(this.view(), 0);
    return file;
  }
  put(from: Uint8Array, at: number): void {
    this.extend(at + from.length);
    this.bytes.set(from, at);
  }
  extend(length: number): void {
    if (length <= this.used) return;
    if (length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.bytes.length, 4096));
      larger.set(this.view());
      this.bytes = larger;
    }
    this.used = length;
  }
  cut(length: number): void {
    this.extend(length);
    this.bytes.fill(0, length, this.used);
    this.used = length;
  }
}

class MemoryOpenFile implements OpenFile {
  constructor(
    readonly path: string,
    private readonly file: MemoryFile,
  ) {}

  length(): number {
    return this.file.length;
  }
  identity(): string {
    return `memory:${this.file.number}`;
  }
  async read(into: Uint8Array, at: number): Promise<number> {
    const part = this.file.view().subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }
  async write(parts: readonly Uint8Array[], at: number): Promise<void> {
    let next = at;
    for (const part of parts) {
      this.file.put(part, next);
      next += part.length;
    }
  }
  async sync(): Promise<void> {}
  reserve(_from: number, to: number): void {
    this.file.extend(to);
  }
  async cut(length: number): Promise<void> {
    this.file.cut(length);
  }
  lock(kind: "shared" | "exclusive"): boolean {
    const { file } = this;
    if (file.exclusive !== null && file.exclusive !== this) return false;
    if (kind === "shared") {
      file.exclusive = null;
      file.shared.add(this);
      return true;
    }
    if ([...file.shared].some((holder) => holder !== this)) return false;
    file.shared.clear();
    file.exclusive = this;
    return true;
  }
  unlock(): void {
    this.file.shared.delete(this);
    if (this.file.exclusive === this) this.file.exclusive = null;
  }
  mapLock(options: { writable: boolean }): LockMap {
    const { file, path } = this;
    if (file.length < LOCK_BYTES) throw new FileError("EINVAL", "mmap", path, "shorter than its header");
    return {
      read: () => file.view().slice(0, LOCK_BYTES),
      setDurableFrame: (frame) => {
        if (!options.writable) throw new FileError("EACCES", "mmap", path, "mapped for reading");
        const word = new Uint8Array(8);
        new DataView(word.buffer).setBigUint64(0, BigInt(frame), true);
        file.put(word, DURABLE_OFFSET);
      },
      unmap: () => {},
    };
  }
  close(): void {
    this.unlock();
  }
}

export class MemoryFileLayer implements FileLayer {
  readonly files = new Map<string, MemoryFile>();
  readonly bootId = new Uint8Array(16).fill(1);
  readonly crc32c = crc32c;

  makeFolder(): void {}
  list(path: string): string[] {
    const prefix = `${path}/`;
    const names = new Set<string>();
    for (const name of this.files.keys()) {
      if (name.startsWith(prefix)) names.add(name.slice(prefix.length).split("/")[0]!);
    }
    return [...names].sort();
  }
  open(path: string, mode: OpenMode): OpenFile {
    let file = this.files.get(path);
    if (file === undefined) {
      if (mode !== "create") throw new FileError("ENOENT", "open", path, "no such file");
      file = new MemoryFile();
      this.files.set(path, file);
    }
    return new MemoryOpenFile(path, file);
  }
  remove(path: string): void {
    if (!this.files.delete(path)) throw new FileError("ENOENT", "unlink", path, "no such file");
  }
  rename(path: string, to: string): void {
    const file = this.files.get(path);
    if (file === undefined) throw new FileError("ENOENT", "rename", path, "no such file");
    this.files.delete(path);
    this.files.set(to, file);
  }
  async syncFolder(): Promise<void> {}
}

export function memoryFileLayer(): MemoryFileLayer {
  return new MemoryFileLayer();
}
