// What a proposal would do to the store as it is at a commit: for each operation the versions that close and appear.
import { canonicalJson } from "../../contract/canonical.js";
import { sha256Hex } from "../../contract/digest.js";
import { formatEnd, formatInstant } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import type { Ref } from "../../log/operations/types.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { believedAt, type Held } from "./believed.js";
import { Carving } from "./carve.js";
import type { ProposedOp } from "./proposal.js";
import { refused } from "./refusal.js";
import type { DryOp, DryRun, DryVersion } from "./types.js";

/** A dry run before it is put into words. */
export type Figures = Omit<DryRun, "text">;

const keyOf = (ref: Ref): string => canonicalJson(ref);

/** The identities of operations, each once. */
export const identitiesOf = (ops: readonly ProposedOp[]): readonly Ref[] => [
  ...new Map(ops.map(({ operation: { ref } }) => [keyOf(ref), ref])).values(),
];

const shown = ({ fromUs, toUs, labels, props }: Held): DryVersion => ({
  valid_from: formatInstant(fromUs),
  valid_to: formatEnd(toUs),
  ...(labels === null ? {} : { labels }),
  props,
});

interface DryRunOptions {
  /** It was written on this commit: what it found then may have been erased since. */
  readonly isWritten: boolean;
  readonly signal: AbortSignal | undefined;
}

/** E_INVALID_ARG, rule `no_target`, where a retraction or a correction would find nothing. */
export async function dryRun(
  engine: OperatorEngine,
  ops: readonly ProposedOp[],
  tx: number,
  { isWritten, signal }: DryRunOptions,
): Promise<Figures> {
  const carvings = new Map<string, Carving>();
  for (const ref of identitiesOf(ops)) {
    carvings.set(keyOf(ref), new Carving(await believedAt(engine, ref, tx, signal)));
  }
  for (const [i, { operation, name }] of ops.entries()) {
    if (carvings.get(keyOf(operation.ref))!.apply(operation, i) || isWritten) continue;
    const hint = "propose a time in which something is believed of it";
    throw refused("no_target", `/ops/${i}: nothing is there to ${name}`, hint, { path: `/ops/${i}` });
  }
  const dryOps = ops.map(({ name, operation: { ref, period } }, i): DryOp => {
    const carving = carvings.get(keyOf(ref))!;
    return {
      op: name,
      ref: { ...ref } as JsonObject,
      valid_from: formatInstant(period.fromUs),
      valid_to: formatEnd(period.toUs),
      closes: carving.closedBy(i).map(shown),
      creates: carving.writtenBy(i).map(shown),
    };
  });
  return {
    tx,
    ops: dryOps,
    closed: dryOps.reduce((sum, { closes }) => sum + closes.length, 0),
    created: dryOps.reduce((sum, { creates }) => sum + creates.length, 0),
    digest: sha256Hex(canonicalJson({ tx, ops: dryOps })),
  };
}
