// Names, magics and headers of the log's files, as native/core/store/FORMAT.md has them.
// Bytes in, values out; reads and writes no file.
import { randomBytes } from "node:crypto";
import { PalimpsestError } from "../contract/errors.js";

export const FORMAT_VERSION = 1;
export const LOG_HEADER_BYTES = 88;
export const LOCK_BYTES = 64;
export const STORE_ID_BYTES = 16;
export const HASH_BYTES = 32;

const LOG_MAGIC = Buffer.from("PALLOG\n\0", "latin1");
const LOCK_MAGIC = Buffer.from("PALLOCK\n", "latin1");
const LOG_NAME = /^(\d{10,})\.plog$/;

export type Checksum = (bytes: Uint8Array, before?: number) => number;

export const logFolder = (store: string): string => `${store}/log`;
export const lockPath = (store: string): string => `${store}/LOCK`;
/** Where the log of a copy stands until it is whole. */
export const unfinishedFolder = (store: string): string => `${store}/unfinished`;
/** What a copy is called until it is whole: nobody else uses the name. */
export const partialFolder = (store: string): string => `${store}.partial-${randomBytes(6).toString("hex")}`;
export const isPartialFolder = (path: string): boolean => /\.partial-[0-9a-f]{12}$/.test(path);
export const logFileName = (fileNo: number): string => `${String(fileNo).padStart(10, "0")}.plog`;
export const logFilePath = (store: string, fileNo: number): string => `${logFolder(store)}/${logFileName(fileNo)}`;

/** The number of a log file, or undefined for another name. */
export function logFileNumber(name: string): number | undefined {
  const match = LOG_NAME.exec(name);
  const fileNo = match === null ? 0 : Number(match[1]);
  return fileNo > 0 && logFileName(fileNo) === name ? fileNo : undefined;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A u64 that counts something; undefined beyond 2^53, which nothing here reaches. */
export function readCount(view: DataView, at: number): number | undefined {
  const high = view.getUint32(at + 4, true);
  return high < 1 << 21 ? high * 2 ** 32 + view.getUint32(at, true) : undefined;
}

export function writeCount(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}

export function startsWith(bytes: Uint8Array, magic: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

const ZEROS = new Uint8Array(4096);

export function isZero(bytes: Uint8Array): boolean {
  if (bytes.length < 64) return bytes.every((byte) => byte === 0);
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length);
    if (Buffer.compare(part, ZEROS.subarray(0, part.length)) !== 0) return false;
  }
  return true;
}

function refuseNewer(version: number, path: string): never {
  throw new PalimpsestError(
    "E_FORMAT",
    `${path} has format version ${version}, this version of Palimpsest reads up to ${FORMAT_VERSION}`,
    { details: { file: path, found: version, supported: FORMAT_VERSION }, hint: "open it with a newer Palimpsest" },
  );
}

export interface LogFileHeader {
  readonly storeId: Uint8Array;
  readonly fileNo: number;
  readonly firstFrame: number;
  /** h(firstFrame - 1). */
  readonly chainBefore: Uint8Array;
}

function headerSum(bytes: Uint8Array, checksum: Checksum): number {
  return checksum(bytes.subarray(16, LOG_HEADER_BYTES), checksum(bytes.subarray(0, 12)));
}

export function encodeLogHeader(header: LogFileHeader, checksum: Checksum): Uint8Array {
  const bytes = new Uint8Array(LOG_HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(LOG_MAGIC, 0);
  view.setUint32(8, FORMAT_VERSION, true);
  bytes.set(header.storeId, 16);
  writeCount(view, 32, header.fileNo);
  writeCount(view, 40, header.firstFrame);
  bytes.set(header.chainBefore, 48);
  view.setUint32(12, headerSum(bytes, checksum), true);
  return bytes;
}

/** The header in the first 88 bytes, or undefined when they are none. E_FORMAT for a newer version. */
export function decodeLogHeader(bytes: Uint8Array, path: string, checksum: Checksum): LogFileHeader | undefined {
  if (bytes.length < LOG_HEADER_BYTES || !startsWith(bytes, LOG_MAGIC)) return undefined;
  const head = bytes.subarray(0, LOG_HEADER_BYTES);
  const view = viewOf(head);
  if (view.getUint32(12, true) !== headerSum(head, checksum)) return undefined;
  const version = view.getUint32(8, true);
  if (version > FORMAT_VERSION) refuseNewer(version, path);
  const fileNo = readCount(view, 32);
  const firstFrame = readCount(view, 40);
  if (version !== FORMAT_VERSION || !fileNo || !firstFrame || !isZero(head.subarray(80))) return undefined;
  return { storeId: head.slice(16, 32), fileNo, firstFrame, chainBefore: head.slice(48, 80) };
}

export interface LockFields {
  readonly pid: number;
  readonly bootId: Uint8Array;
  readonly storeId: Uint8Array;
  readonly durableFrame: number;
}

export function encodeLock(fields: LockFields): Uint8Array {
  const bytes = new Uint8Array(LOCK_BYTES);
  const view = viewOf(bytes);
  bytes.set(LOCK_MAGIC, 0);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, fields.pid, true);
  bytes.set(fields.bootId, 16);
  bytes.set(fields.storeId, 32);
  writeCount(view, 48, fields.durableFrame);
  return bytes;
}

/** What LOCK says, or undefined when it says nothing. E_FORMAT for a newer version. */
export function decodeLock(bytes: Uint8Array, path: string): LockFields | undefined {
  if (bytes.length < LOCK_BYTES || !startsWith(bytes, LOCK_MAGIC)) return undefined;
  const view = viewOf(bytes);
  const version = view.getUint32(8, true);
  if (version > FORMAT_VERSION) refuseNewer(version, path);
  const durableFrame = readCount(view, 48);
  if (durableFrame === undefined) return undefined;
  return { pid: view.getUint32(12, true), bootId: bytes.slice(16, 32), storeId: bytes.slice(32, 48), durableFrame };
}
