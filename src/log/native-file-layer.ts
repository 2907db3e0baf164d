// The file layer over the addon: real files, one I/O thread, flock. Folders and names go through node:fs.
// Turns errno into FileError; knows nothing of frames.
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import type { NativeFiles } from "../native/files.js";
import { FileError, type FileLayer, type LockMap, type OpenFile, type OpenMode } from "./file-layer.js";
import { makeFolder } from "./make-folder.js";

const MODES: Record<OpenMode, number> = { read: 0, write: 1, create: 2 };

/** An error of node:fs or the addon as the file error that it is; any other as it is. */
export function fileError(error: unknown, path: string): unknown {
  const { errno, syscall } = error as { errno?: unknown; syscall?: unknown };
  if (!(error instanceof Error) || typeof errno !== "number") return error;
  const osCode = getSystemErrorName(-Math.abs(errno));
  return new FileError(osCode, typeof syscall === "string" ? syscall : "", path, error.message);
}

function guarded<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fileError(error, path);
  }
}

async function settled<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw fileError(error, path);
  }
}

class NativeFile implements OpenFile {
  private isOpen = true;

  constructor(
    private readonly native: NativeFiles,
    readonly path: string,
    private readonly openDescriptor: number,
  ) {}

  /** A closed descriptor's number may by now name another file, so it is never used again. */
  private get descriptor(): number {
    if (!this.isOpen) throw new FileError("EBADF", "use", this.path, "the file was closed");
    return this.openDescriptor;
  }

  length(): number {
    return guarded(this.path, () => this.native.length(this.descriptor));
  }
  identity(): string {
    return guarded(this.path, () => this.native.identity(this.descriptor));
  }
  read(into: Uint8Array, at: number): Promise<number> {
    return settled(this.path, () => this.native.read(this.descriptor, into, at));
  }
  write(parts: readonly Uint8Array[], at: number, options: { sync: boolean }): Promise<void> {
    return settled(this.path, () => this.native.write(this.descriptor, parts, at, options.sync));
  }
  sync(): Promise<void> {
    return settled(this.path, () => this.native.sync(this.descriptor));
  }
  reserve(from: number, to: number): void {
    guarded(this.path, () => this.native.reserve(this.descriptor, from, to));
  }
  cut(length: number): Promise<void> {
    return settled(this.path, () => this.native.cut(this.descriptor, length));
  }
  lock(kind: "shared" | "exclusive"): boolean {
    return guarded(this.path, () => this.native.lock(this.descriptor, kind === "exclusive"));
  }
  unlock(): void {
    guarded(this.path, () => this.native.unlock(this.descriptor));
  }
  mapLock(options: { writable: boolean }): LockMap {
    const { native } = this;
    const header = guarded(this.path, () => native.mapHeader(this.descriptor, options.writable));
    return {
      read: () => native.readHeader(header),
      setDurableFrame: (frame) => native.setDurableFrame(header, frame),
      unmap: () => native.unmapHeader(header),
    };
  }
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.native.close(this.openDescriptor);
  }
}

function readBootId(): Uint8Array {
  const text = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").replace(/[^0-9a-f]/g, "");
  return new Uint8Array(Buffer.from(text, "hex"));
}

export function nativeFileLayer(native: NativeFiles): FileLayer {
  return {
    bootId: readBootId(),
    makeFolder: (path) => {
      guarded(path, () => makeFolder(path));
    },
    list: (path) => {
      try {
        return readdirSync(path).sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw fileError(error, path);
      }
    },
    open: (path, mode) =>
      new NativeFile(
        native,
        path,
        guarded(path, () => native.open(path, MODES[mode])),
      ),
    remove: (path) => guarded(path, () => rmSync(path)),
    rename: (path, to) => guarded(path, () => renameSync(path, to)),
    syncFolder: (path) => settled(path, () => native.syncFolder(path)),
    crc32c: (bytes, before) => native.crc32c(bytes, before),
  };
}
