// The file layer as the addon shows it (native/node/file_glue.cc). Types only.

/** `files` of the addon (native/node/file_glue.cc). Descriptors and offsets are numbers; errors carry errno. */
export interface NativeFiles {
  open(path: string, mode: number): number;
  close(descriptor: number): void;
  length(descriptor: number): number;
  identity(descriptor: number): string;
  read(descriptor: number, into: Uint8Array, at: number): Promise<number>;
  write(descriptor: number, parts: readonly Uint8Array[], at: number, sync: boolean): Promise<void>;
  sync(descriptor: number): Promise<void>;
  syncFolder(path: string): Promise<void>;
  cut(descriptor: number, length: number): Promise<void>;
  reserve(descriptor: number, from: number, to: number): void;
  lock(descriptor: number, exclusive: boolean): boolean;
  unlock(descriptor: number): void;
  mapHeader(descriptor: number, writable: boolean): NativeLockHeader;
  readHeader(header: NativeLockHeader): Uint8Array;
  setDurableFrame(header: NativeLockHeader, frame: number): void;
  unmapHeader(header: NativeLockHeader): void;
  crc32c(bytes: Uint8Array, before?: number): number;
}

/** A mapped header; only the addon looks inside. */
export type NativeLockHeader = object & { readonly __lockHeader?: never };
