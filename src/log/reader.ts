// Reads the log commit by commit: checks every frame, tells reserved space, torn tails and damage apart.
// Never writes. What a commit means is the store's business; who may see it is the follower's.
import { PalimpsestError } from "../contract/errors.js";
import { Pace } from "../event-loop/pace.js";
import { CHAIN_START, nextChain, type Outcome } from "./chain.js";
import type { ReplacedItem } from "./erasure-item.js";
import { FileError, type FileLayer, ioError } from "./file-layer.js";
import { FileWindow } from "./file-window.js";
import { decodeFrameHeader, FRAME_HEADER_BYTES, type FrameHeader, sumIsRight } from "./frame.js";
import { type DecodedPayload, decodeInSteps, type LogItem, type StandIn } from "./items.js";
import { decodeLogHeader, isZero, LOG_HEADER_BYTES, logFileName, logFilePath, logFolder, sameBytes } from "./layout.js";
import { type BadPlace, isDamage, logFileNumbers } from "./resync.js";
import { StandIns } from "./stand-ins.js";

/** One commit or rejected batch, whole and checked. */
export interface LogCommit {
  /** 0 for a rejected batch. */
  readonly tx: number;
  readonly txTimeUs: bigint;
  readonly outcome: Outcome;
  readonly firstFrame: number;
  readonly lastFrame: number;
  readonly items: readonly LogItem[];
  /** How many of the items stand in each frame. */
  readonly itemCounts: readonly number[];
  /** h of the last frame. */
  readonly chain: Uint8Array;
}

/** Where reading stands: behind a whole commit. */
export interface LogPosition {
  readonly fileNo: number;
  /** 0: the file's header has not been read. */
  readonly offset: number;
  /** The frame that comes next. */
  readonly frameNo: number;
  readonly chain: Uint8Array;
  readonly tx: number;
  readonly txTimeUs: bigint;
}

export const LOG_START: LogPosition = {
  fileNo: 1,
  offset: 0,
  frameNo: 1,
  chain: CHAIN_START,
  tx: 0,
  txTimeUs: -(1n << 63n),
};

/** Why `next` gave nothing: the log ends here, the limit was met, or a torn tail begins in the place of `frameNo`. */
export type LogTail =
  | { readonly kind: "end" }
  | { readonly kind: "limit" }
  | { readonly kind: "torn"; readonly frameNo: number; readonly fileNo: number; readonly offset: number };

export interface FramePlace {
  readonly frameNo: number;
  readonly fileNo: number;
  readonly offset: number;
  readonly byteCount: number;
}

interface Frame {
  readonly kind: "frame";
  readonly header: FrameHeader;
  readonly items: readonly LogItem[];
  readonly root: Uint8Array;
  readonly standIns: readonly StandIn[];
  readonly place: FramePlace;
}
type Place = { fileNo: number; offset: number };
type Step = Frame | ({ readonly kind: "end" } & Readonly<Place>) | ({ readonly kind: "bad" } & BadPlace);

export function logCorrupt(file: string, offset: number, frame: number, what: string): PalimpsestError {
  return new PalimpsestError(
    "E_LOG_CORRUPT",
    `${file} is damaged at offset ${offset}, in the place of frame ${frame}: ${what}`,
    {
      details: { file, offset, frame },
      hint: "what comes before it is whole; restore the log from a copy",
    },
  );
}

export function notVouched(store: string): PalimpsestError {
  return new PalimpsestError(
    "E_LOG_CORRUPT",
    `the log of ${store} has items in the place of others, and not exactly those that receipts of erasures name`,
    { details: { file: logFolder(store) }, hint: "somebody changed the log's files: restore it from a copy" },
  );
}

/** Hashing the items of a large frame takes longer than the event loop may be held. */
async function decodeInTurns(payload: Uint8Array, itemCount: number): Promise<DecodedPayload | undefined> {
  const steps = decodeInSteps(payload, itemCount);
  const pace = new Pace();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (pace.isDue) await pace.rest();
  }
}

export class LogReader {
  position: LogPosition;
  tail: LogTail = { kind: "end" };
  storeId: Uint8Array | undefined;
  /** The newest frame known durable: by a frame that was read, or by what the reader was told. */
  durableFrame = 0;
  /** Frames read after that one, in order; kept for a writer, which says what it knows durable. */
  readonly unsynced: FramePlace[] = [];
  private readonly standIns = new StandIns();
  private window: { fileNo: number; file: FileWindow; identity: string } | undefined;

  constructor(
    private readonly layer: FileLayer,
    private readonly store: string,
    private readonly options: {
      from?: LogPosition;
      /** Of the store, where reading does not begin with its first file. */
      storeId?: Uint8Array | undefined;
      /** What is known durable from outside the log (LOCK). Never used to tell damage from a torn tail. */
      knownDurable?: (storeId: Uint8Array) => number;
      /** The erasure whose rewritten files are read in the place of the old ones, where they wait for their names. */
      erasure?: string | undefined;
    } = {},
  ) {
    this.position = options.from ?? LOG_START;
    this.storeId = options.storeId;
  }

  /**
   * The next whole commit whose frames are all at or below `frameLimit`; undefined at the end, and then `tail` says why.
   * E_LOG_CORRUPT for damage, E_FORMAT for a newer version, E_IO. After an error the position is unchanged.
   */
  async next(frameLimit = Number.POSITIVE_INFINITY): Promise<LogCommit | undefined> {
    try {
      return await this.readCommit(frameLimit);
    } catch (error) {
      throw ioError(error);
    }
  }

  /**
   * Of a log that was read from its beginning: whether exactly the items that receipts name stand in the place of others.
   * False also while an erasure is under way, or ended while this read: then the log is to be read anew.
   */
  get isVouched(): boolean {
    return this.standIns.areVouched;
  }

  /** What the receipt of an erasure says that has still to be written. */
  expect(replaced: readonly ReplacedItem[]): void {
    for (const item of replaced) this.standIns.expect(item);
  }

  /** Forgets what was read ahead: a file may have grown since. */
  refresh(): void {
    this.window?.file.refresh();
  }

  /** False when another file has the name of the one that is being read by now: places in it mean nothing any more. */
  isCurrent(): boolean {
    const { window } = this;
    if (window === undefined) return true;
    try {
      const now = this.layer.open(this.pathOf(window.fileNo), "read");
      try {
        return now.identity() === window.identity;
      } finally {
        now.close();
      }
    } catch (error) {
      // Gone, and nothing in its place: the open one is all there is.
      if (error instanceof FileError && error.osCode === "ENOENT") return true;
      throw ioError(error);
    }
  }

  close(): void {
    this.window?.file.close();
    this.window = undefined;
  }

  private async readCommit(frameLimit: number): Promise<LogCommit | undefined> {
    const { position } = this;
    const frames: Frame[] = [];
    const place: Place = { fileNo: position.fileNo, offset: position.offset };
    let chain = position.chain;
    for (;;) {
      const frameNo = position.frameNo + frames.length;
      if (frameNo > frameLimit) {
        this.tail = { kind: "limit" };
        return undefined;
      }
      const step = await this.readFrame(place, frameNo, chain);
      if (step.kind !== "frame") return this.stop(step, frames[0]?.place);
      this.checkOrder(step, frames[0]);
      frames.push(step);
      chain = nextChain(chain, { ...step.header, root: step.root });
      place.fileNo = step.place.fileNo;
      place.offset = step.place.offset + step.place.byteCount;
      if (!step.header.continues) break;
    }
    return this.accept(frames, place, chain);
  }

  private accept(frames: Frame[], end: Place, chain: Uint8Array): LogCommit {
    const first = frames[0]!.header;
    const last = frames.at(-1)!.header;
    for (const frame of frames) {
      this.durableFrame = Math.max(this.durableFrame, frame.header.durableFrame);
      for (const standIn of frame.standIns) this.standIns.add(frame.header.frameNo, standIn);
    }
    const items = ([] as LogItem[]).concat(...frames.map((frame) => frame.items));
    for (const item of items) {
      if (item.kind === "erasure") for (const replaced of item.replaced) this.standIns.expect(replaced);
    }
    if (this.options.knownDurable !== undefined) this.noteUnsynced(frames);
    this.position = {
      ...end,
      frameNo: last.frameNo + 1,
      chain,
      tx: first.tx === 0 ? this.position.tx : first.tx,
      txTimeUs: first.txTimeUs,
    };
    return {
      tx: first.tx,
      txTimeUs: first.txTimeUs,
      outcome: first.outcome,
      firstFrame: first.frameNo,
      lastFrame: last.frameNo,
      items,
      itemCounts: frames.map((frame) => frame.items.length),
      chain,
    };
  }

  private noteUnsynced(frames: readonly Frame[]): void {
    for (const frame of frames) this.unsynced.push(frame.place);
    const first = this.unsynced.findIndex((place) => place.frameNo > this.durableFrame);
    this.unsynced.splice(0, first < 0 ? this.unsynced.length : first);
  }

  /** A frame with a good sum that does not follow from the one before it was not written by a torn write. */
  private checkOrder(frame: Frame, first: Frame | undefined): void {
    const { header } = frame;
    const isWrong = (what: string): never => {
      const { fileNo, offset } = frame.place;
      throw logCorrupt(logFilePath(this.store, fileNo), offset, header.frameNo, what);
    };
    if (first !== undefined) {
      const { tx, txTimeUs, outcome } = first.header;
      const isSame = tx === header.tx && txTimeUs === header.txTimeUs && outcome.kind === header.outcome.kind;
      if (!isSame) isWrong("it does not go on with the commit before it");
      return;
    }
    if (header.tx !== 0 && header.tx !== this.position.tx + 1) isWrong(`tx ${header.tx} after tx ${this.position.tx}`);
    if (header.txTimeUs <= this.position.txTimeUs) isWrong("its time is not later than that of the commit before it");
  }

  /** Nothing more to read: reserved space, or bad bytes that are judged now. */
  private async stop(step: Exclude<Step, Frame>, unfinished: FramePlace | undefined): Promise<undefined> {
    if (step.kind === "bad" && (await isDamage(this.layer, this.store, step))) {
      const frameNo = step.frameNo === 0 ? this.position.frameNo : step.frameNo;
      throw logCorrupt(logFilePath(this.store, step.fileNo), step.offset, frameNo, "a later frame knew it durable");
    }
    const { fileNo, offset } = unfinished ?? step;
    const isTorn = unfinished !== undefined || step.kind === "bad";
    this.tail = isTorn ? { kind: "torn", frameNo: this.position.frameNo, fileNo, offset } : { kind: "end" };
    // The next frame belongs where this one was looked for, but behind a header that cannot be read nothing belongs.
    if (offset > 0) this.position = { ...this.position, fileNo, offset };
    return undefined;
  }

  /** The frame at `place`, moving on to the next file where one ends. Bad bytes are read again before they count. */
  private async readFrame(place: Place, frameNo: number, chain: Uint8Array): Promise<Step> {
    const step = await this.tryFrame({ ...place }, frameNo, chain);
    if (step.kind !== "bad") return step;
    // A writer may have started since this window was read; what it finished is not bad.
    this.close();
    return this.tryFrame({ ...place }, frameNo, chain);
  }

  private async tryFrame(place: Place, frameNo: number, chain: Uint8Array): Promise<Step> {
    for (;;) {
      const bad: Step = { kind: "bad", ...place, storeId: this.storeId, frameNo };
      if (place.offset === 0) {
        const header = await this.readHeader(place.fileNo, frameNo, chain);
        if (header === "absent") {
          const isGap = logFileNumbers(this.layer, this.store).some((fileNo) => fileNo > place.fileNo);
          return isGap ? bad : { kind: "end", ...place };
        }
        if (header === "bad") return { ...bad, frameNo: 0 };
        if (header === "ahead") return bad;
        place.offset = LOG_HEADER_BYTES;
        continue;
      }
      const file = this.openWindow(place.fileNo);
      if (file === undefined) return bad;
      const head = await file.piece(place.offset, FRAME_HEADER_BYTES);
      if (!isZero(head)) return (await this.decode(file, head, place, frameNo)) ?? bad;
      if (!(await file.isZeroFrom(place.offset))) return bad;
      const next = await this.nextFile(place.fileNo, frameNo, chain);
      if (next === "end") return { kind: "end", ...place };
      if (next === "ahead") return bad;
      place.fileNo += 1;
      place.offset = 0;
    }
  }

  /** What stands behind a file whose frames have ended. */
  private async nextFile(fileNo: number, frameNo: number, chain: Uint8Array): Promise<"end" | "ahead" | "there"> {
    const header = await this.readHeader(fileNo + 1, frameNo, chain);
    if (header === "ahead") return "ahead";
    if (header !== "absent") return "there";
    return logFileNumbers(this.layer, this.store).some((other) => other > fileNo) ? "ahead" : "end";
  }

  private async decode(file: FileWindow, head: Uint8Array, place: Place, frameNo: number): Promise<Step | undefined> {
    const header = decodeFrameHeader(head);
    if (header === undefined || header.frameNo !== frameNo || !sameBytes(header.storeId, this.storeId!))
      return undefined;
    const byteCount = FRAME_HEADER_BYTES + header.payloadBytes;
    const bytes = await file.piece(place.offset, byteCount);
    if (bytes.length < byteCount) return undefined;
    const payload = bytes.subarray(FRAME_HEADER_BYTES);
    if (!sumIsRight(bytes.subarray(0, FRAME_HEADER_BYTES), payload, this.layer.crc32c)) return undefined;
    const decoded = await decodeInTurns(payload, header.itemCount);
    if (decoded === undefined) return undefined;
    return { kind: "frame", header, ...decoded, place: { frameNo, ...place, byteCount } };
  }

  /**
   * Reads a file's header and compares it with what it must follow. "ahead": frames are missing before it. A header
   * that is whole and yet belongs to another place or store is damage: it was synced before it was used.
   */
  private async readHeader(
    fileNo: number,
    frameNo: number,
    chain: Uint8Array,
  ): Promise<"good" | "bad" | "ahead" | "absent"> {
    const file = this.openWindow(fileNo);
    if (file === undefined) return "absent";
    const header = decodeLogHeader(await file.piece(0, LOG_HEADER_BYTES), file.path, this.layer.crc32c);
    if (header === undefined) return "bad";
    if (header.fileNo !== fileNo || (this.storeId !== undefined && !sameBytes(header.storeId, this.storeId))) {
      throw logCorrupt(file.path, 0, frameNo, "the file belongs to another place");
    }
    if (this.storeId === undefined) {
      this.storeId = header.storeId;
      this.durableFrame = Math.max(this.durableFrame, this.options.knownDurable?.(header.storeId) ?? 0);
    }
    if (header.firstFrame > frameNo) return "ahead";
    if (header.firstFrame < frameNo)
      throw logCorrupt(file.path, 0, frameNo, `it begins with frame ${header.firstFrame}`);
    if (!sameBytes(header.chainBefore, chain)) throw logCorrupt(file.path, 0, frameNo, "the chain before it differs");
    return "good";
  }

  private openWindow(fileNo: number): FileWindow | undefined {
    if (this.window?.fileNo === fileNo) return this.window.file;
    if (!logFileNumbers(this.layer, this.store).includes(fileNo)) return undefined;
    this.close();
    const file = this.layer.open(this.pathOf(fileNo), "read");
    this.window = { fileNo, file: new FileWindow(file), identity: file.identity() };
    return this.window.file;
  }

  private pathOf(fileNo: number): string {
    const path = logFilePath(this.store, fileNo);
    const { erasure } = this.options;
    if (erasure === undefined) return path;
    const name = `${logFileName(fileNo)}.${erasure}`;
    return this.layer.list(logFolder(this.store)).includes(name) ? `${logFolder(this.store)}/${name}` : path;
  }
}
