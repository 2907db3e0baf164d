// Files in memory whose log writes can be held back, and are counted: what is staged and not yet durable stays so.
import type { FileLayer, OpenFile } from "../../src/log/file-layer.js";
import { memoryFileLayer } from "../../src/log/memory-file-layer.js";

export interface HeldFileLayer extends FileLayer {
  /** Writes to log files so far: one for each group. */
  flushCount: number;
  /** Log writes wait from now on until `release`. */
  hold(): void;
  release(): void;
}

export function heldFileLayer(): HeldFileLayer {
  const layer = memoryFileLayer();
  let open = Promise.resolve();
  let release = (): void => {};
  const held = {
    bootId: layer.bootId,
    crc32c: layer.crc32c,
    makeFolder: () => layer.makeFolder(),
    list: (path: string) => layer.list(path),
    remove: (path: string) => layer.remove(path),
    rename: (path: string, to: string) => layer.rename(path, to),
    syncFolder: () => layer.syncFolder(),
    flushCount: 0,
    open(path: string, mode: "read" | "write" | "create"): OpenFile {
      const file = layer.open(path, mode);
      if (!path.endsWith(".plog") || mode === "read") return file;
      const write = file.write.bind(file);
      file.write = async (parts, at, options) => {
        held.flushCount += 1;
        await open;
        return write(parts, at, options);
      };
      return file;
    },
    hold(): void {
      open = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
  return held;
}
