// What was derived from one store and is kept beside its log: notes of windows, and answers of models. All of it can be made
// again. Nothing is added that an erasure which came meanwhile would have taken.
import { type FileLayer, ioError } from "../log/file-layer.js";
import { newestErasure, type StoreFacts } from "./erasures.js";
import { exclusively, sharing } from "./folder-lock.js";
import { forgetErased, isLeft, type Standing, standingOf } from "./forget.js";
import { type LineIndex, originOf } from "./line-index.js";
import { type DigestedLine, decodeLine, digested, encodeLine, type LineBody, LONGEST_LINE_BYTES } from "./lines.js";
import { appendLines, MOST_BYTES, readBytes, readFile, replaceFile } from "./lines-file.js";
import { answerName, answersFolder, derivedFolder, notesPath } from "./places.js";

/** The store, as far as what is derived from it must know. */
export interface DerivedSource {
  facts(): StoreFacts;
  /** Takes in what others have written. */
  refresh(): Promise<void>;
}

/** A note as its reader's index keeps it. */
export interface FoundNote<T> {
  readonly kept: T;
  /** All of it, from the bytes that were read. */
  readonly line: () => DigestedLine;
}

export interface ReadNotes<T> {
  readonly notes: readonly FoundNote<T>[];
  /** What was passed over, and why, for people. */
  readonly said: readonly string[];
}

/** Skipped lines that are told one by one: every answer that looked for notes carries what is said. */
const MOST_TOLD = 8;

const WHY: Readonly<Record<Exclude<Standing, "stands">, string>> = {
  taken: "an identity that it may show was erased",
  foreign: "it is of another store, or of another history",
  later: "it was made at a commit that this handle has not seen",
};

/** What the operating system refuses is E_IO. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(error);
  }
}

export class DerivedFiles {
  constructor(
    private readonly layer: FileLayer,
    private readonly store: string,
    private readonly source: DerivedSource,
  ) {}

  get notesFile(): string {
    return notesPath(this.store);
  }
  facts(): StoreFacts {
    return this.source.facts();
  }

  /**
   * The notes that are of this store's history and hold nothing that was erased; those that do are removed. Lines that the
   * index knows are not parsed again.
   */
  async notes<T>(index: LineIndex<T>): Promise<ReadNotes<T>> {
    const { layer, store } = this;
    const facts = this.facts();
    const { bytes, isWhole } = await typed(() => sharing(layer, store, () => readBytes(layer, this.notesFile)));
    const { lines, skipped } = await index.read(bytes);
    const told = skipped.slice(0, MOST_TOLD);
    const said = told.map(({ line, why }) => `line ${line} of ${this.notesFile} is skipped: ${why}`);
    const more = skipped.length - told.length;
    if (more > 0) said.push(`${more} more lines of ${this.notesFile} are skipped`);
    if (!isWhole) said.push(`of ${this.notesFile} only the first ${MOST_BYTES} bytes are read`);
    const notes: FoundNote<T>[] = [];
    const left = new Map<Exclude<Standing, "stands">, number>();
    for (const { origin, place, kept } of lines) {
      const standing = standingOf(facts, origin);
      const line = () => decodeLine(bytes.subarray(place.from, place.to)) as DigestedLine;
      if (standing === "stands") notes.push({ kept, line });
      else left.set(standing, (left.get(standing) ?? 0) + 1);
    }
    for (const [standing, count] of left) said.push(`notes left out: ${count}, as ${WHY[standing]}`);
    const areNotesClean = skipped.length === 0 && isWhole && [...left.keys()].every(isLeft);
    try {
      await forgetErased(layer, store, facts, { areNotesClean });
    } catch (error) {
      said.push(`what was erased is still in ${derivedFolder(store)}: ${ioError(error).message}`);
    }
    return { notes, said };
  }

  /** Removes what erasures took along. */
  async forget(): Promise<void> {
    await forgetErased(this.layer, this.store, this.facts());
  }

  /** Adds notes, on disk when this resolves; gives those that may stand, with their digests. */
  addNotes(bodies: readonly LineBody[]): Promise<readonly DigestedLine[]> {
    const { layer, store, notesFile } = this;
    return typed(() =>
      exclusively(layer, store, async () => {
        await this.source.refresh();
        const facts = this.facts();
        const { lines, endedBytes } = await readFile(layer, notesFile);
        const known = new Set(lines.map(({ digest }) => digest));
        const standing = bodies.map(digested).filter((line) => standingOf(facts, originOf(line)) === "stands");
        const byDigest = new Map(standing.map((line) => [line.digest, line]));
        const fresh = [...byDigest.values()].filter(({ digest }) => !known.has(digest));
        if (fresh.length > 0) await appendLines(layer, derivedFolder(store), notesFile, endedBytes, fresh);
        return standing;
      }),
    );
  }

  /** Removes all notes; gives how many there were. */
  dropNotes(): Promise<number> {
    const { layer, store, notesFile } = this;
    return typed(async () => {
      if (layer.list(derivedFolder(store)).length === 0) return 0;
      return exclusively(layer, store, async () => {
        const { lines } = await readFile(layer, notesFile);
        const folder = derivedFolder(store);
        const names = layer.list(folder).filter((name) => `${folder}/${name}`.startsWith(notesFile));
        for (const name of names) layer.remove(`${folder}/${name}`);
        await layer.syncFolder(folder);
        return lines.length;
      });
    });
  }

  /** What a model answered; null where nothing is kept that could be trusted. */
  async answer(key: string): Promise<LineBody | null> {
    const { layer, store } = this;
    const path = `${answersFolder(store)}/${answerName(key, newestErasure(this.facts()))}`;
    const { bytes } = await typed(() => sharing(layer, store, () => readBytes(layer, path)));
    if (bytes.length === 0) return null;
    const line = decodeLine(bytes.subarray(0, -1));
    return typeof line === "string" ? null : line;
  }

  /** Keeps what a model answered to a question that was begun at `sinceTx`, unless something was erased after it. */
  async keepAnswer(key: string, body: LineBody, sinceTx: number): Promise<void> {
    const { layer, store } = this;
    const line = encodeLine(digested(body));
    if (line.length > LONGEST_LINE_BYTES) return;
    await typed(() =>
      exclusively(layer, store, async () => {
        await this.source.refresh();
        const facts = this.facts();
        const newest = newestErasure(facts);
        if (newestErasure(facts, sinceTx) !== newest) return;
        const folder = answersFolder(store);
        layer.makeFolder(folder);
        await replaceFile(layer, `${folder}/${answerName(key, newest)}`, [line], { sync: false });
      }),
    );
  }
}
