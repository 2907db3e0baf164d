// A random store for the laws of the operators: written through the log in memory, asked through the pipeline.
// Answers come whole; an error is its code.
import { PalimpsestError } from "../../src/contract/errors.js";
import { memoryFileLayer } from "../../src/log/memory-file-layer.js";
import { storeDigest } from "../../src/operators/native/digest.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { Store } from "../../src/store/store.js";
import { withViewAsync } from "../../src/store/views.js";
import { Random } from "./random.js";
import { meshBatch, randomBatches } from "./random-store.js";

export type Fields = Record<string, unknown>;
export interface LawBatch {
  readonly ops: Fields[];
  readonly txTime: string;
}

export const WHOLE = 10_000;

export class LawStore {
  private readonly engine: NativeEngine;

  private constructor(
    private readonly layer: ReturnType<typeof memoryFileLayer>,
    private readonly store: Store,
  ) {
    this.engine = new NativeEngine(store);
  }

  /** A store of these batches; what finds nothing to correct is left out. */
  static async of(batches: readonly LawBatch[]): Promise<LawStore> {
    const layer = memoryFileLayer();
    const store = new LawStore(layer, await Store.openOn(layer, "/store", {}));
    for (const batch of batches) await store.write(batch);
    return store;
  }

  /** The same store, replayed from its log. */
  async replayed(): Promise<LawStore> {
    await this.close();
    return new LawStore(this.layer, await Store.openOn(this.layer, "/store", {}));
  }

  async write({ ops, txTime }: LawBatch): Promise<void> {
    await this.store.write(ops, { txTime }).catch((error: PalimpsestError) => {
      if (error.code !== "E_NOT_FOUND") throw error;
    });
  }

  get head(): number {
    return this.store.head().tx;
  }
  digest(): Promise<string> {
    return withViewAsync(this.store.core, null, storeDigest);
  }

  /** The envelope of a call, with whole lists unless the arguments say otherwise. */
  async call(op: string, args: Fields, ceilings = {}): Promise<Fields> {
    const envelope = await callOperator(this.engine, op, { limit: WHOLE, ...args }, { ceilings });
    return envelope as unknown as Fields;
  }
  async rows(op: string, args: Fields): Promise<Fields[]> {
    return (await this.call(op, args)).rows as Fields[];
  }
  /** What an envelope says apart from how it was asked, or the code of the error. */
  async payload(op: string, args: Fields): Promise<Fields | string> {
    try {
      const { args: _, pin: _pin, pins: _pins, result_digest: _digest, ...payload } = await this.call(op, args);
      return payload;
    } catch (error) {
      if (error instanceof PalimpsestError) return error.code;
      throw error;
    }
  }

  /** Every uid that some version names. */
  async knownUids(): Promise<string[]> {
    const rows = await this.rows("version_history", {});
    const named = rows.flatMap(({ uid, src, dst }) => [uid, src, dst]).filter((uid) => typeof uid === "string");
    return [...new Set(named as string[])];
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Beliefs of every kind, then edges close in time, so that there are walks. */
export function lawBatches(random: Random): LawBatch[] {
  return [...randomBatches(random, 6), ...Array.from({ length: 2 }, (_, i) => meshBatch(random, i))];
}

/** Runs a law on one random store, and closes it whatever comes. */
export async function onRandomStore(
  seed: number,
  law: (store: LawStore, random: Random) => Promise<void>,
): Promise<void> {
  const random = new Random(seed);
  const store = await LawStore.of(lawBatches(random));
  try {
    await law(store, random);
  } finally {
    await store.close();
  }
}
