// Answers of models, kept by everything that decides them; in memory, or in the store's folder, which outlives the process.
// Failed and cut answers are never kept, and none outlives an erasure. Holds no key and no address.
import { canonicalJson } from "../../contract/canonical.js";
import { sha256Hex } from "../../contract/digest.js";
import type { JsonObject } from "../../contract/values.js";
import type { DerivedFiles } from "../../derived/derived-files.js";
import type { AskedSince } from "../asked-since.js";
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
  /** The newest erasure when they were made. */
  private erasure = 0;

  constructor(private readonly since: AskedSince) {}

  /** Answers from before an erasure are gone; false where nothing may be kept, as one came while questions went on. */
  private forget(): boolean {
    const { erasure } = this.since;
    if (erasure !== this.erasure) this.answers.clear();
    this.erasure = erasure ?? this.erasure;
    return erasure !== null;
  }

  get(key: string): Promise<WireAnswer | undefined> {
    this.forget();
    return Promise.resolve(this.answers.get(key));
  }

  put(key: string, answer: WireAnswer): Promise<void> {
    if (!this.forget()) return Promise.resolve();
    this.answers.set(key, answer);
    if (this.answers.size > MOST_ANSWERS) this.answers.delete(this.answers.keys().next().value!);
    return Promise.resolve();
  }
}

/** In the folder of the store, where erasures find them. What cannot be read counts as absent. */
export class StoreCache implements ResponseCache {
  constructor(
    private readonly files: DerivedFiles,
    private readonly since: AskedSince,
  ) {}

  async get(key: string): Promise<WireAnswer | undefined> {
    return (await this.files.answer(key))?.answer as unknown as WireAnswer | undefined;
  }

  put(key: string, answer: WireAnswer): Promise<void> {
    return this.files.keepAnswer(key, { answer: answer as unknown as JsonObject }, this.since.tx);
  }
}
