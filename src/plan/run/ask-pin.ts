// One commit for a whole run: what null means in every step, and beyond which no step can see.
import type { InstantPin, OperatorEngine, PinnedEngine } from "../../operators/engine.js";

/** The engine as it was at a commit: later ones do not exist, an instant after it means it. */
export class EngineAtCommit implements OperatorEngine {
  readonly name: string;
  readonly callMemoryBytes: number;

  constructor(
    private readonly engine: OperatorEngine,
    private readonly tx: number,
  ) {
    this.name = engine.name;
    this.callMemoryBytes = engine.callMemoryBytes ?? Number.POSITIVE_INFINITY;
  }

  headTx(): number {
    return this.tx;
  }
  txTimeUs(tx: number): bigint {
    return this.engine.txTimeUs(tx);
  }
  resolveInstant(us: bigint, signal: AbortSignal | undefined): InstantPin | Promise<InstantPin> {
    const found = this.engine.resolveInstant(us, signal);
    return found instanceof Promise ? found.then((pin) => this.within(pin)) : this.within(found);
  }
  private within(pin: InstantPin): InstantPin {
    return pin.tx <= this.tx ? pin : { ...pin, tx: this.tx };
  }
  erasedSince(pins: readonly number[]): number {
    return this.engine.erasedSince(pins);
  }
  pin(tx: number): PinnedEngine {
    return this.engine.pin(tx);
  }
}
