// `palimpsest load --format tgms-log`: the log of that system, one commit for each of its batches, at the batch's own time.
// The whole log is read and checked once before its first batch is written, so that a refused file leaves nothing.
import { PalimpsestError } from "../../contract/errors.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import type { Database, OperationInput } from "../../index.js";
import type { BelievedStretch } from "../../interchange/tgms/beliefs.js";
import { readTgmsLog, type TgmsBatch } from "../../interchange/tgms/log.js";
import type { TgmsRef } from "../../interchange/tgms/record.js";
import { prepareBatch } from "../../store/batch.js";
import { wallClockUs } from "../../store/commit-clock.js";
import { type LoadFlags, meaningFlag } from "./flags.js";

/** Batches that are written together and share flushes. */
const BATCHES_AT_ONCE = 1000;
/** Versions of one identity that are believed at once; a page has no more. */
const VERSIONS_A_PAGE = 10_000;

export interface LogLoading {
  readonly file: string;
  readonly flags: LoadFlags;
  readonly onRefusal: (error: PalimpsestError) => void;
  readonly onFailure: (line: number, reason: string) => void;
  readonly onRead: (bytes: number) => void;
  readonly onWritten: (batches: number) => void;
  readonly checkInterrupted: () => void;
}

/** Flags that say how rows become events mean nothing for a log, which says everything itself. */
export function checkLogFlags(flags: LoadFlags): void {
  const flag = meaningFlag(flags);
  if (flag === null) return;
  throw new PalimpsestError("E_INVALID_ARG", `${flag} does not go with --format tgms-log`, {
    hint: "a log says itself what each of its operations is; only --batch and --on-error go with it",
  });
}

/** A page of what is believed of an identity; null of one that the store has never heard of. */
function versionPage(db: Database, tx: number, ref: TgmsRef, cursor: string | null) {
  const kind = "uid" in ref ? "node" : "edge";
  const given = { kind, ref, belief: "current", props: null, as_of_tt: `tx:${tx}`, limit: VERSIONS_A_PAGE } as const;
  return db.call("version_history", { ...given, cursor }).catch((error: unknown) => {
    if (error instanceof PalimpsestError && error.code === "E_NOT_FOUND") return null;
    throw error;
  });
}

/** What the store believes of an identity before the log begins. */
async function believedIn(db: Database, tx: number, ref: TgmsRef): Promise<BelievedStretch[]> {
  const found: BelievedStretch[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof versionPage>> = await versionPage(db, tx, ref, cursor);
    for (const { valid_from, valid_to, labels } of page?.rows ?? []) {
      const toUs = valid_to === null ? OPEN_END_US : parseValidTo(valid_to, "valid_to");
      found.push({ fromUs: parseInstant(valid_from, "valid_from"), toUs, labels: labels ?? [] });
    }
    cursor = page?.cursor ?? null;
  } while (cursor !== null);
  return found;
}

function checkTime(timeUs: bigint, lastTime: string | null): void {
  if (lastTime !== null && timeUs <= parseInstant(lastTime, "tx_time")) {
    throw new PalimpsestError("E_STATE", `tt ${timeUs} is not later than the store's last commit, ${lastTime}`, {
      hint: "load the log into a store of its own, or into one that ends before the log begins",
    });
  }
  if (timeUs <= wallClockUs()) return;
  throw new PalimpsestError("E_INVALID_ARG", `tt ${timeUs} is after the wall clock`, {
    details: { now: formatInstant(wallClockUs()) },
    hint: "times count in microseconds since 1970",
  });
}

export async function loadLog(db: Database, loading: LogLoading): Promise<void> {
  const { file, flags, checkInterrupted } = loading;
  const { tx, tx_time: lastTime } = await db.info();
  const reading = (isChecking: boolean) =>
    readTgmsLog(file, {
      believedBefore: async (ref) => (tx === 0 ? [] : await believedIn(db, tx, ref)),
      onRead: loading.onRead,
      checkTime: (timeUs) => checkTime(timeUs, lastTime),
      check: async (batch) => {
        checkInterrupted();
        await prepareBatch(batch.operations);
      },
      ...(isChecking ? {} : { onFailure: loading.onFailure }),
      ...(flags.onError === "stop" ? {} : { onRefusal: isChecking ? () => {} : loading.onRefusal }),
    });
  // With --batch the caller wants what comes before a refusal.
  if (flags.batch === undefined) for await (const _ of reading(true));
  let batches: TgmsBatch[] = [];
  const write = async (): Promise<void> => {
    checkInterrupted();
    const taken = batches;
    batches = [];
    const writes = taken.map(({ operations, timeUs }) =>
      db.write(operations as readonly OperationInput[], { txTime: timeUs }),
    );
    await Promise.all(writes);
    loading.onWritten(taken.length);
  };
  try {
    for await (const batch of reading(false)) {
      if (batches.push(batch) >= (flags.batch ?? BATCHES_AT_ONCE)) await write();
    }
  } finally {
    if (batches.length > 0) await write();
  }
}
