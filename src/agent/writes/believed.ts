// The believed versions of one identity at a commit, as a dry run carves them.
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import { isNodeRef, type Period, type Ref } from "../../log/operations/types.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";

export interface Held extends Period {
  /** Null for edges. */
  readonly labels: readonly string[] | null;
  readonly props: JsonObject;
  /** The commit time since when it is believed. */
  readonly since: string;
}

const PAGE = 10_000;

function isKnown(engine: OperatorEngine, ref: Ref, tx: number): boolean {
  const view = engine.pin(tx);
  try {
    return isNodeRef(ref) ? view.unknownUids([ref.uid]).length === 0 : view.knowsEdge(ref);
  } finally {
    view.release();
  }
}

function heldOf(row: JsonObject): Held {
  return {
    fromUs: parseInstant(row.valid_from, "valid_from"),
    toUs: parseValidTo(row.valid_to, "valid_to"),
    labels: (row.labels as string[] | undefined) ?? null,
    props: row.props as JsonObject,
    since: row.tx_from as string,
  };
}

/** In the order of time. */
export async function believedAt(
  engine: OperatorEngine,
  ref: Ref,
  tx: number,
  signal: AbortSignal | undefined,
): Promise<readonly Held[]> {
  if (!isKnown(engine, ref, tx)) return [];
  const held: Held[] = [];
  let cursor: string | null = null;
  do {
    const args = { ref: { ...ref }, as_of_tt: `tx:${tx}`, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const envelope = await callOperator(engine, "entity_history", args, signal === undefined ? {} : { signal });
    held.push(...(envelope.rows ?? []).map(heldOf));
    cursor = envelope.cursor;
  } while (cursor !== null);
  return held;
}
