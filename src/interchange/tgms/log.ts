// A TGMS event log as batches of operations, in order, each with its transaction time.
// One reading keeps its own beliefs: reading the file twice gives the same batches twice.
import type { PalimpsestError } from "../../contract/errors.js";
import { LIMITS } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import { type Line, readLines } from "../lines.js";
import { asRefusal, refusal } from "../refusal.js";
import { Beliefs, type BelievedBefore } from "./beliefs.js";
import { readHeader, readRecord, type TgmsRecord } from "./record.js";
import { malformed } from "./shapes.js";
import { BatchFails, type TranslatedOperation, translateBatch } from "./translate.js";

export interface TgmsBatch {
  readonly line: number;
  readonly timeUs: bigint;
  readonly operations: readonly TranslatedOperation[];
}

export interface TgmsOptions {
  readonly believedBefore: BelievedBefore;
  /** What else must hold of the time of a batch. */
  readonly checkTime?: (timeUs: bigint) => void;
  /** What else must hold of a batch that counts; it may throw any typed error, which then gets file and line. */
  readonly check?: (batch: TgmsBatch) => void | Promise<void>;
  /** Hears of lines that are refused, which are passed then; without it the first one ends the log. */
  readonly onRefusal?: (error: PalimpsestError) => void;
  /** Hears of batches that fail there and here, and change nothing. */
  readonly onFailure?: (line: number, reason: string) => void;
  readonly onRead?: (bytes: number) => void;
}

class LogReading {
  private readonly beliefs: Beliefs;
  private lastUs: bigint | null = null;

  constructor(private readonly options: TgmsOptions) {
    this.beliefs = new Beliefs(options.believedBefore);
  }

  /** The batch of a line; undefined where it fails. What is refused or fails leaves beliefs as they were. */
  async batch({ number, text }: Line): Promise<TgmsBatch | undefined> {
    const record = readRecord(text);
    this.checkTime(record);
    try {
      const operations = await translateBatch(record.operations, this.beliefs);
      const batch = { line: number, timeUs: record.timeUs, operations };
      await this.options.check?.(batch);
      this.beliefs.keep();
      this.lastUs = record.timeUs;
      return batch;
    } catch (error) {
      this.beliefs.takeBack();
      if (!(error instanceof BatchFails)) throw error;
      this.lastUs = record.timeUs;
      this.options.onFailure?.(number, error.message);
      return undefined;
    }
  }

  private checkTime({ timeUs }: TgmsRecord): void {
    this.options.checkTime?.(timeUs);
    if (this.lastUs === null || timeUs > this.lastUs) return;
    throw malformed("/tt", `${timeUs} is not later than ${this.lastUs}, that of the batch before`);
  }
}

/** The batches of a log that count, in order. */
export async function* readTgmsLog(file: string, options: TgmsOptions): AsyncGenerator<TgmsBatch> {
  const { onRead, onRefusal } = options;
  const reading = new LogReading(options);
  const pace = new Pace();
  const lines = readLines(file, {
    longestBytes: LIMITS.batchBytes,
    ...(onRead === undefined ? {} : { onRead }),
    ...(onRefusal === undefined ? {} : { onRefusal }),
  });
  let hasHeader = false;
  for await (const line of lines) {
    try {
      if (hasHeader) {
        const batch = await reading.batch(line);
        if (batch !== undefined) yield batch;
      } else {
        readHeader(line.text);
        hasHeader = true;
      }
    } catch (error) {
      const refused = asRefusal(error, { file, line: line.number });
      // Without its header nothing says what the file is.
      if (onRefusal === undefined || !hasHeader) throw refused;
      onRefusal(refused);
    }
    if (pace.isDue) await pace.rest();
  }
  if (!hasHeader) throw refusal({ file, line: 0 }, "the file is empty", { hint: "there is nothing to load" });
}
