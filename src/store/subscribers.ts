// Who wants to hear of new commits: each listener gets every commit once, in order.
import type { NativeCore } from "../native/store.js";
import type { CommitHead } from "./types.js";
import { readCommits } from "./views.js";

type Listener = (commit: CommitHead) => void;

export class Subscribers {
  private readonly listeners = new Set<Listener>();
  private lastTx = 0;

  constructor(private readonly core: NativeCore) {}

  get isEmpty(): boolean {
    return this.listeners.size === 0;
  }

  add(listener: Listener): () => void {
    if (this.isEmpty) {
      this.lastTx = this.core.publishedTx;
      this.core.subscribe((tx) => this.tell(tx));
    }
    // A wrapper of its own, so that one function may subscribe twice and stop each apart.
    const entry: Listener = (commit) => listener(commit);
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.isEmpty) this.core.subscribe(null);
    };
  }

  clear(): void {
    this.listeners.clear();
    this.core.subscribe(null);
  }

  private tell(tx: number): void {
    if (tx <= this.lastTx) return;
    const commits = readCommits(this.core, this.lastTx, tx);
    this.lastTx = tx;
    for (const commit of commits) {
      for (const listener of [...this.listeners]) listener(commit);
    }
  }
}
