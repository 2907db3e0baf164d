// Since when the questions that go on were asked: what a model answers to one of them may name whatever was erased after that.
import { newestErasure, type StoreFacts } from "../derived/erasures.js";

export class AskedSince {
  private readonly running = new Map<object, number>();

  constructor(readonly facts: () => StoreFacts) {}

  /** One question from its beginning to its end. */
  async during<T>(ask: () => Promise<T>): Promise<T> {
    const key = {};
    this.running.set(key, this.facts().headTx);
    try {
      return await ask();
    } finally {
      this.running.delete(key);
    }
  }

  /** The newest commit when the oldest of them began; now, where none goes on. */
  get tx(): number {
    return Math.min(this.facts().headTx, ...this.running.values());
  }

  /** The newest erasure, by its commit; null where one came after the oldest question that goes on. */
  get erasure(): number | null {
    const facts = this.facts();
    const newest = newestErasure(facts);
    return newestErasure(facts, this.tx) === newest ? newest : null;
  }
}
