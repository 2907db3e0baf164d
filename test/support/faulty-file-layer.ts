// A file layer with a disk that can fail: any call by its number, torn writes, lost unsynced bytes and names, no space.
// Keeps two images of every file: what the running system sees, and what the disk has.
import { crc32c } from "../../src/log/crc32c.js";
import { FileError, type FileLayer, type LockMap, type OpenFile, type OpenMode } from "../../src/log/file-layer.js";
import { MemoryFile } from "../../src/log/memory-file-layer.js";

const CALL_KINDS = [
  "makeFolder",
  "list",
  "open",
  "remove",
  "rename",
  "syncFolder",
  "read",
  "write",
  "sync",
  "reserve",
  "cut",
  "lock",
  "mapLock",
] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** Calls that opening, writing, rotating and closing make: only erasures and backups rename. */
export const USUAL_CALLS: readonly CallKind[] = CALL_KINDS.filter((kind) => kind !== "rename");

export interface Failure {
  readonly kind: CallKind;
  /** The n-th call of its kind, from 1. */
  readonly call: number;
  readonly osCode?: string;
  /** Bytes of the write that get through before it fails. */
  readonly tornAt?: number;
}

const SECTOR_BYTES = 512;

interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One file: `seen` by processes, `disk` after a crash, and the writes that are only in the first. */
class SimulatedFile {
  constructor(
    readonly seen = new MemoryFile(),
    readonly disk = new MemoryFile(),
    public unsynced: Write[] = [],
  ) {}

  write(bytes: Uint8Array, at: number): void {
    this.seen.put(bytes, at);
    this.unsynced.push({ at, bytes: bytes.slice() });
  }
  sync(): void {
    for (const write of this.unsynced) this.disk.put(write.bytes, write.at);
    this.unsynced = [];
  }
}

export class FaultyFileLayer implements FileLayer {
  readonly crc32c = crc32c;
  readonly calls = new Map<CallKind, number>();
  /** Bytes that all files together may take; `reserve` beyond it is ENOSPC. */
  capacityBytes = Number.POSITIVE_INFINITY;
  failure: Failure | undefined;
  /** Set once the failure has happened. */
  hasFailed = false;
  /** Files that were opened and not closed. */
  openCount = 0;
  readonly bootId: Uint8Array;
  private names = new Map<string, SimulatedFile>();
  private durableNames = new Map<string, SimulatedFile>();

  constructor(boot = 1) {
    this.bootId = new Uint8Array(16).fill(boot);
  }

  count(kind: CallKind): number {
    return this.calls.get(kind) ?? 0;
  }

  /** The process dies, the machine goes on: everything written is there, locks are free. */
  killed(): FaultyFileLayer {
    const layer = new FaultyFileLayer(this.bootId[0]);
    layer.names = new Map(
      [...this.names].map(([path, file]) => [
        path,
        new SimulatedFile(file.seen.copy(), file.disk.copy(), [...file.unsynced]),
      ]),
    );
    layer.durableNames = new Map(
      [...this.durableNames.keys()].map((path) => [path, layer.names.get(path) ?? new SimulatedFile()]),
    );
    return layer;
  }

  /** The machine dies: synced bytes and names are there, of unsynced writes the sectors that `keeps` chooses. */
  crashed(keeps: (sector: number) => boolean = () => false): FaultyFileLayer {
    const layer = new FaultyFileLayer((this.bootId[0] ?? 0) + 1);
    for (const [path, file] of this.durableNames) {
      const disk = file.disk.copy();
      let sector = 0;
      for (const { at, bytes } of file.unsynced) {
        for (let from = 0; from < bytes.length; from += SECTOR_BYTES) {
          if (keeps(sector++)) disk.put(bytes.subarray(from, from + SECTOR_BYTES), at + from);
        }
      }
      layer.names.set(path, new SimulatedFile(disk, disk.copy()));
    }
    layer.durableNames = new Map(layer.names);
    return layer;
  }

  bytesOf(path: string): Uint8Array {
    return this.file(path, "look").seen.view().slice();
  }
  /** Replaces a file's bytes, on disk too. */
  setBytes(path: string, bytes: Uint8Array): void {
    const file = new SimulatedFile();
    file.write(bytes, 0);
    file.sync();
    this.names.set(path, file);
    this.durableNames.set(path, file);
  }
  paths(): string[] {
    return [...this.names.keys()].sort();
  }

  /** Counts a call, and fails it when its turn has come. */
  enter(kind: CallKind, path: string): void {
    const call = this.count(kind) + 1;
    this.calls.set(kind, call);
    if (this.failure?.kind !== kind || this.failure.call !== call) return;
    this.hasFailed = true;
    throw new FileError(this.failure.osCode ?? "EIO", kind, path, "made to fail");
  }

  makeFolder(path: string): void {
    this.enter("makeFolder", path);
  }
  list(path: string): string[] {
    this.enter("list", path);
    const prefix = `${path}/`;
    const inside = [...this.names.keys()].filter((name) => name.startsWith(prefix));
    return [...new Set(inside.map((name) => name.slice(prefix.length).split("/")[0]!))].sort();
  }
  open(path: string, mode: OpenMode): OpenFile {
    this.enter("open", path);
    if (mode === "create" && !this.names.has(path)) this.names.set(path, new SimulatedFile());
    const file = new FaultyOpenFile(this, path, this.file(path, "open"));
    this.openCount += 1;
    return file;
  }
  remove(path: string): void {
    this.enter("remove", path);
    this.file(path, "unlink");
    this.names.delete(path);
  }
  rename(path: string, to: string): void {
    this.enter("rename", path);
    this.names.set(to, this.file(path, "rename"));
    this.names.delete(path);
  }
  async syncFolder(path: string): Promise<void> {
    this.enter("syncFolder", path);
    for (const name of new Set([...this.names.keys(), ...this.durableNames.keys()])) {
      if (name.slice(0, name.lastIndexOf("/")) !== path) continue;
      const file = this.names.get(name);
      if (file === undefined) this.durableNames.delete(name);
      else this.durableNames.set(name, file);
    }
  }

  checkSpace(path: string, extra: number): void {
    const used = [...this.names.values()].reduce((sum, file) => sum + file.seen.length, 0);
    if (used + extra > this.capacityBytes) throw new FileError("ENOSPC", "fallocate", path, "no space left");
  }

  private file(path: string, call: string): SimulatedFile {
    const file = this.names.get(path);
    if (file === undefined) throw new FileError("ENOENT", call, path, "no such file");
    return file;
  }
}

class FaultyOpenFile implements OpenFile {
  private isOpen = true;

  constructor(
    private readonly layer: FaultyFileLayer,
    readonly path: string,
    private readonly file: SimulatedFile,
  ) {}

  length(): number {
    return this.file.seen.length;
  }
  identity(): string {
    return `simulated:${this.file.seen.number}`;
  }
  async read(into: Uint8Array, at: number): Promise<number> {
    this.layer.enter("read", this.path);
    const part = this.file.seen.view().subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }
  async write(parts: readonly Uint8Array[], at: number, options: { sync: boolean }): Promise<void> {
    const bytes = new Uint8Array(Buffer.concat(parts));
    try {
      this.layer.enter("write", this.path);
    } catch (error) {
      this.file.write(bytes.subarray(0, this.layer.failure?.tornAt ?? 0), at);
      throw error;
    }
    this.file.write(bytes, at);
    if (options.sync) await this.sync();
  }
  async sync(): Promise<void> {
    try {
      this.layer.enter("sync", this.path);
    } catch (error) {
      // As after a real failed fsync: the pages count as clean, and are not on disk.
      this.file.unsynced = [];
      throw error;
    }
    this.file.sync();
  }
  reserve(_from: number, to: number): void {
    this.layer.enter("reserve", this.path);
    this.layer.checkSpace(this.path, Math.max(0, to - this.file.seen.length));
    this.file.seen.extend(to);
    this.file.disk.extend(to);
  }
  async cut(length: number): Promise<void> {
    this.layer.enter("cut", this.path);
    this.file.seen.cut(length);
    this.file.disk.cut(length);
    this.file.unsynced = this.file.unsynced.filter((write) => write.at < length);
  }
  lock(kind: "shared" | "exclusive"): boolean {
    this.layer.enter("lock", this.path);
    const { seen } = this.file;
    if (seen.exclusive !== null && seen.exclusive !== this) return false;
    if (kind === "exclusive") seen.exclusive = this;
    return true;
  }
  unlock(): void {
    if (this.file.seen.exclusive === this) this.file.seen.exclusive = null;
  }
  mapLock(): LockMap {
    this.layer.enter("mapLock", this.path);
    return {
      read: () => this.file.seen.view().slice(0, 64),
      setDurableFrame: (frame) => {
        const word = new Uint8Array(8);
        new DataView(word.buffer).setBigUint64(0, BigInt(frame), true);
        this.file.seen.put(word, 48);
      },
      unmap: () => {},
    };
  }
  close(): void {
    this.unlock();
    if (this.isOpen) this.layer.openCount -= 1;
    this.isOpen = false;
  }
}
