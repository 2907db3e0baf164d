// The pin stage: turns every pin of a call into the commit that it means, or the time of that commit.
// The only stage that may touch the commit clock.
import type { Cursor } from "../contract/cursor.js";
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject } from "../contract/values.js";
import { commitOfPin, periodOrder } from "./canonical-args.js";
import type { PinPaths } from "./declaration.js";
import type { OperatorEngine } from "./engine.js";
import { type TimeArguments, valueAt, withValueAt } from "./paths.js";

export interface Pinned {
  readonly args: JsonObject;
  readonly tx: number;
  /** The pin that is compared with; `tx` where the operator has one pin. */
  readonly otherTx: number;
  readonly notices: readonly string[];
}

function checkCommit(commit: bigint, head: number, path: string): number {
  if (commit > BigInt(head)) {
    throw new PalimpsestError("E_TX_UNKNOWN", `${path}: commit tx:${commit} does not exist yet`, {
      details: { path, latest: head },
      hint: `the latest is tx:${head}`,
    });
  }
  return Number(commit);
}

/** The times of a window of transaction time, `tx:N` replaced by the time of that commit. */
function windowTimes(engine: OperatorEngine, window: JsonObject, path: string): JsonObject | null {
  const timeOf = (end: string | null): string | null => {
    const commit = end === null ? undefined : commitOfPin(end);
    if (commit === undefined) return end;
    const tx = checkCommit(commit, engine.headTx(), path);
    return tx === 0 ? null : formatInstant(engine.txTimeUs(tx));
  };
  const from = timeOf(window.from as string | null);
  const to = timeOf(window.to as string | null);
  if (from !== null && to !== null && parseInstant(from, path) >= parseInstant(to, path)) {
    throw periodOrder(from, to, path);
  }
  return from === null && to === null ? null : { from, to };
}

/** Resolves all pins. With a cursor, a null envelope pin means the cursor's. */
export async function resolvePins(
  engine: OperatorEngine,
  given: JsonObject,
  paths: PinPaths,
  time: TimeArguments,
  cursor: Cursor | null,
  signal: AbortSignal | undefined,
): Promise<Pinned> {
  const notices = new Set<string>();
  let args = given;
  const resolve = async (path: string, fallback: number): Promise<number> => {
    const pin = valueAt(given, path) as string | null | undefined;
    let tx: number;
    if (pin === null || pin === undefined) tx = checkCommit(BigInt(fallback), engine.headTx(), path);
    else {
      const commit = commitOfPin(pin);
      if (commit !== undefined) tx = checkCommit(commit, engine.headTx(), path);
      else {
        const found = engine.resolveInstant(parseInstant(pin, path), signal);
        const at = found instanceof Promise ? await found : found;
        for (const notice of at.notices) notices.add(notice);
        tx = at.tx;
      }
    }
    args = withValueAt(args, path, `tx:${tx}`);
    return tx;
  };

  const envelopePin = valueAt(given, paths.envelope);
  const latest = engine.headTx();
  // Both corners of a comparison were null on the first page: then both meant the commit that the cursor names.
  const tx = await resolve(paths.envelope, cursor === null ? latest : cursor.tx);
  const otherFallback = envelopePin === null && cursor !== null ? cursor.tx : latest;
  const otherTx = paths.other === null ? tx : await resolve(paths.other, otherFallback);
  for (const path of time.pins) {
    if (path !== paths.envelope && path !== paths.other && valueAt(given, path) !== undefined) await resolve(path, tx);
  }
  for (const path of time.pin_windows) {
    const window = valueAt(args, path);
    if (window !== null && window !== undefined) {
      args = withValueAt(args, path, windowTimes(engine, window as JsonObject, path));
    }
  }
  return { args, tx, otherTx, notices: [...notices].sort() };
}
