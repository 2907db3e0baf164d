// What commits touched in valid time: which versions they wrote and ended, asked of the log's own record once for all notes.
// Numbers alone: of whom the versions were is not kept.
import { PalimpsestError } from "../../contract/errors.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";

/** What deciding about a note may take at most: else it is not decided. */
const CEILINGS = { rows: 200_000, steps: 50_000_000 };
const TIMEOUT_MS = 500;
/** More versions are not looked at one by one. */
const MOST_VERSIONS = 512;
const MOST_REMEMBERED = 32;

/** Commits from behind `after` up to `to`. */
export interface Commits {
  readonly after: number;
  readonly to: number;
}

/** A version that a commit wrote or ended, and when it held; `toUs` null: without end. */
export interface Touch {
  readonly tx: number;
  readonly isNode: boolean;
  /** Whether the commit took it back: corrected or retracted it. */
  readonly isTakenBack: boolean;
  readonly fromUs: bigint;
  readonly toUs: bigint | null;
}

/** Null for what would be too dear. */
export async function cheaply(
  engine: OperatorEngine,
  op: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly JsonObject[]; readonly total: number } | null> {
  try {
    const options = { signal, timeoutMs: TIMEOUT_MS, ceilings: CEILINGS };
    const { rows, rows_total: total } = await callOperator(engine, op, args, options);
    return { rows: rows ?? [], total: total ?? 0 };
  } catch (error) {
    const isDear = error instanceof PalimpsestError && ["E_COST", "E_LIMIT", "E_CANCELLED"].includes(error.code);
    if (isDear && !signal.aborted) return null;
    throw error;
  }
}

const versionsOf = ({ after, to }: Commits, more: JsonObject): JsonObject => ({
  tx_window: { from: `tx:${after + 1}`, to: null },
  as_of_tt: `tx:${to}`,
  props: null,
  ...more,
});

/** The touches of a row, which was written and perhaps ended in the commits. */
function touchesOf(row: JsonObject, { after, to }: Commits): Touch[] {
  const { valid_from: from, valid_to: end, tx: writtenTx, ended_tx: endedTx } = row;
  const held = {
    isNode: row.kind === "node",
    fromUs: parseInstant(from as string, "valid_from"),
    toUs: end === null ? null : parseInstant(end as string, "valid_to"),
  };
  const isIn = (tx: unknown): tx is number => typeof tx === "number" && after < tx && tx <= to;
  const isTakenBack = row.ended_by === "corrected" || row.ended_by === "retracted";
  return [
    ...(isIn(writtenTx) ? [{ ...held, tx: writtenTx, isTakenBack: false }] : []),
    ...(isIn(endedTx) ? [{ ...held, tx: endedTx, isTakenBack }] : []),
  ];
}

/** Of commits with many versions: up to where nothing is touched, and up to where something is. */
interface Bounds {
  cleanUs: bigint | null;
  touchedUs: bigint | null;
}

interface Known {
  /** Null where they are too many. */
  readonly touches: readonly Touch[] | null;
  readonly bounds: Bounds;
}

export class Touched {
  private readonly known = new Map<string, Known>();

  private async of(engine: OperatorEngine, commits: Commits, signal: AbortSignal): Promise<Known> {
    const key = `${commits.after} ${commits.to}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = await cheaply(engine, "version_history", versionsOf(commits, { limit: MOST_VERSIONS }), signal);
    const isWhole = found !== null && found.total <= found.rows.length;
    const touches = isWhole ? found.rows.flatMap((row) => touchesOf(row, commits)) : null;
    const fresh = { touches, bounds: { cleanUs: null, touchedUs: null } };
    this.known.set(key, fresh);
    if (this.known.size > MOST_REMEMBERED) this.known.delete(this.known.keys().next().value!);
    return fresh;
  }

  /** Everything that the commits touched; null where that is too much to look at one by one. */
  async all(engine: OperatorEngine, commits: Commits, signal: AbortSignal): Promise<readonly Touch[] | null> {
    return (await this.of(engine, commits, signal)).touches;
  }

  /** Whether they touched anything before an instant; null where that is too dear to find. */
  async before(
    engine: OperatorEngine,
    commits: Commits,
    end: { readonly us: bigint; readonly text: string },
    signal: AbortSignal,
  ): Promise<boolean | null> {
    const { bounds } = await this.of(engine, commits, signal);
    // What is touched before an instant is touched before every later one.
    if (bounds.touchedUs !== null && end.us >= bounds.touchedUs) return true;
    if (bounds.cleanUs !== null && end.us <= bounds.cleanUs) return false;
    const window = { from: null, to: end.text };
    const found = await cheaply(engine, "version_history", versionsOf(commits, { window, limit: 1 }), signal);
    if (found === null) return null;
    if (found.total > 0) bounds.touchedUs = end.us;
    else bounds.cleanUs = end.us;
    return found.total > 0;
  }
}
