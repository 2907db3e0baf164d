// Who wants to hear of new commits: each listener gets every commit once, in order.
// What a listener throws is its own uncaught exception: the others hear of the commit all the same.
import { PalimpsestError } from "../contract/errors.js";
import type { NativeCore } from "../native/store.js";
import type { CommitHead } from "./types.js";
import { readCommits } from "./views.js";

type ErrorListener = (error: PalimpsestError) => void;
type Listener = (commit: CommitHead) => void;

/** `heardTx`: the newest commit that it was told of, or that was there before it came. */
interface Subscription {
  readonly listener: Listener;
  readonly onError: ErrorListener;
  heardTx: number;
}

export class Subscribers {
  private readonly subscriptions = new Set<Subscription>();

  constructor(private core: NativeCore) {}

  get isEmpty(): boolean {
    return this.subscriptions.size === 0;
  }

  add(listener: Listener, onError: ErrorListener = uncaught): () => void {
    if (typeof listener !== "function" || typeof onError !== "function") {
      throw new PalimpsestError("E_SCHEMA", "a listener is a function", {
        hint: "subscribe((commit) => …, (error) => …)",
      });
    }
    const subscription = { listener, onError, heardTx: this.core.publishedTx };
    this.subscriptions.add(subscription);
    if (this.subscriptions.size === 1) this.listen();
    return () => {
      if (this.subscriptions.delete(subscription) && this.isEmpty) this.core.subscribe(null);
    };
  }

  /** Goes on with another core of the same store, which is at least as far. */
  moveTo(core: NativeCore): void {
    this.core = core;
    if (this.isEmpty) return;
    this.listen();
    this.tell(core.publishedTx);
  }

  /** Tells every subscriber that no more commits will come. */
  fail(error: PalimpsestError): void {
    for (const { onError } of [...this.subscriptions]) call(onError, error);
  }

  /** Tells of everything published so far, and ends every subscription. */
  finish(): void {
    if (this.isEmpty) return;
    this.tell(this.core.publishedTx);
    this.subscriptions.clear();
    this.core.subscribe(null);
  }

  private listen(): void {
    this.core.subscribe((tx) => this.tell(tx));
  }

  private tell(tx: number): void {
    const from = [...this.subscriptions].reduce((least, { heardTx }) => Math.min(least, heardTx), tx);
    if (from === tx) return;
    for (const commit of readCommits(this.core, from, tx)) {
      for (const subscription of [...this.subscriptions]) {
        // One that a listener before it has ended, or that came after this commit, hears nothing.
        if (commit.tx <= subscription.heardTx || !this.subscriptions.has(subscription)) continue;
        subscription.heardTx = commit.tx;
        call(subscription.listener, commit);
      }
    }
  }
}

function uncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function call<T>(listener: (told: T) => void, told: T): void {
  try {
    listener(told);
  } catch (error) {
    uncaught(error);
  }
}
