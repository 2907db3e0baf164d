// Answers of models, kept by everything that decides them; in memory, or in a folder that outlives the process.
// Failed and cut answers are never kept. Holds no key and no address.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson } from "../../contract/canonical.js";
import { sha256Hex } from "../../contract/digest.js";
import type { WireAnswer } from "./wire.js";

export interface ResponseCache {
  get(key: string): Promise<WireAnswer | undefined>;
  put(key: string, answer: WireAnswer): Promise<void>;
}

const MOST_ANSWERS = 1_000;

/** SHA-256 over the canonical form of what decides an answer. */
export const cacheKey = (parts: unknown): string => sha256Hex(canonicalJson(parts));

export class MemoryCache implements ResponseCache {
  private readonly answers = new Map<string, WireAnswer>();

  get(key: string): Promise<WireAnswer | undefined> {
    return Promise.resolve(this.answers.get(key));
  }

  put(key: string, answer: WireAnswer): Promise<void> {
    this.answers.set(key, answer);
    if (this.answers.size > MOST_ANSWERS) this.answers.delete(this.answers.keys().next().value!);
    return Promise.resolve();
  }
}

/** A file an answer. What cannot be read counts as absent. */
export class FolderCache implements ResponseCache {
  constructor(private readonly folder: string) {}

  async get(key: string): Promise<WireAnswer | undefined> {
    try {
      return JSON.parse(await readFile(join(this.folder, `${key}.json`), "utf8")) as WireAnswer;
    } catch {
      return undefined;
    }
  }

  async put(key: string, answer: WireAnswer): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, `${key}.json`);
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify(answer), { mode: 0o600 });
    await rename(draft, file);
  }
}
