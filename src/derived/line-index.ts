// What is remembered of a file of lines: where each stands and what its reader keeps of it, so that what was read once is not
// read again where the file has only grown. Names may be erased while it lives: its reader keeps nothing that could be.
import { createHash, type Hash } from "node:crypto";
import { Pace } from "../event-loop/pace.js";
import {
  type DigestedLine,
  type LinePlace,
  NOTHING_READ,
  type ReadThrough,
  readLines,
  type SkippedLine,
  TORN,
} from "./lines.js";

const PIECE_BYTES = 1 << 20;

/** The commit that something was derived at, and the hash of the log up to there; null where the line does not say. */
export interface Origin {
  readonly builtTx: number | null;
  readonly chain: string | null;
}

export interface IndexedLine<T> {
  readonly origin: Origin;
  readonly place: LinePlace;
  readonly kept: T;
}

export interface IndexedLines<T> extends ReadThrough {
  readonly lines: readonly IndexedLine<T>[];
  readonly skipped: readonly SkippedLine[];
}

interface Known<T> extends IndexedLines<T> {
  /** Of the bytes up to the last line end. */
  readonly digest: string;
}

export function originOf({ built_tx: builtTx, chain }: DigestedLine): Origin {
  return {
    builtTx: typeof builtTx === "number" && Number.isSafeInteger(builtTx) && builtTx >= 1 ? builtTx : null,
    chain: typeof chain === "string" && /^[0-9a-f]{64}$/.test(chain) ? chain : null,
  };
}

async function addTo(hash: Hash, bytes: Uint8Array): Promise<Hash> {
  const pace = new Pace();
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    hash.update(bytes.subarray(from, from + PIECE_BYTES));
    if (pace.isDue) await pace.rest();
  }
  return hash;
}

const digestOf = (hash: Hash): string => hash.copy().digest("hex");

export class LineIndex<T> {
  private known: Known<T> = { ...NOTHING_READ, lines: [], skipped: [], digest: digestOf(createHash("sha256")) };
  private readonly nothing = this.known;

  constructor(private readonly keep: (line: DigestedLine) => T) {}

  /** The lines of the bytes. Only those behind what is known are read, where all that is known is there byte by byte. */
  async read(bytes: Uint8Array): Promise<IndexedLines<T>> {
    const { known, nothing, keep } = this;
    let hash = await addTo(createHash("sha256"), bytes.subarray(0, known.endedBytes));
    const hasGrown = known.endedBytes <= bytes.length && digestOf(hash) === known.digest;
    if (!hasGrown) hash = createHash("sha256");
    const before = hasGrown ? known : nothing;
    const take = (line: DigestedLine, place: LinePlace): IndexedLine<T> => ({
      origin: originOf(line),
      place,
      kept: keep(line),
    });
    const { lines, skipped, endedBytes, lineCount } = await readLines(bytes, take, before);
    const all = lines.length === 0 ? before.lines : [...before.lines, ...lines];
    // A torn end may be the beginning of a line yet.
    const ended = skipped.filter(({ why }) => why !== TORN);
    if (endedBytes > before.endedBytes || !hasGrown) {
      await addTo(hash, bytes.subarray(before.endedBytes, endedBytes));
      const digest = digestOf(hash);
      this.known = { lines: all, skipped: [...before.skipped, ...ended], endedBytes, lineCount, digest };
    }
    return { lines: all, skipped: [...before.skipped, ...skipped], endedBytes, lineCount };
  }
}
