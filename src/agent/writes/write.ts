// One proposal from its first look to its receipt, rule by rule; refused, it leaves no byte in the log.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import { checkCancelled } from "../../operators/cancellation.js";
import type { ReadableState } from "../../query/index.js";
import type { Medium } from "../words/media.js";
import { checkBatches, keyOf } from "./batches.js";
import { dryRun, type Figures } from "./dry-run.js";
import { dryRunText } from "./dry-run-text.js";
import { askTxOf, checkEvidence } from "./evidence.js";
import type { ReadPolicy } from "./policy.js";
import type { ReadProposal } from "./proposal.js";
import { refused } from "./refusal.js";
import { checkGrounding, checkPolicy, checkUntouched } from "./rules.js";
import type { WriteGrounds, WriteReceipt } from "./types.js";

/** When another commit came between the dry run and the write. */
const MOST_REPEATS = 3;

export interface Committed {
  readonly tx: number;
  readonly txTime: string;
}

/** A store that is open for writing, as a write needs it. */
export interface WritableStore {
  readonly state: ReadableState;
  /** The commit of an idempotency key; null where there is none. */
  committed(key: string): Promise<Committed | null>;
  /** The idempotency keys with this beginning, of commits that count. */
  keysUnder(prefix: string): Promise<readonly string[]>;
  /** E_STATE with `details.if_tx` where the newest batch is another. */
  write(
    ops: readonly JsonObject[],
    options: { readonly ifTx: number; readonly idempotencyKey: string },
  ): Promise<Committed>;
  /** Waits until what other writers have begun is there to be read. */
  settle(): Promise<void>;
}

export interface WriteInput {
  readonly store: WritableStore;
  readonly proposal: ReadProposal;
  readonly policy: ReadPolicy;
  readonly grounds: WriteGrounds | undefined;
  readonly medium: Medium;
  readonly signal: AbortSignal | undefined;
}

function receipt({ ops, traceDigest }: ReadProposal, { tx, txTime }: Committed, figures: Figures): WriteReceipt {
  const { closed, created, digest } = figures;
  return { tx, tx_time: txTime, ops: ops.length, closed, created, dry_run_digest: digest, trace_digest: traceDigest };
}

/** The receipt of a proposal that was written before, from the state that it was written on. */
async function firstReceipt({ store, proposal, signal }: WriteInput, head: Committed): Promise<WriteReceipt> {
  const { engine } = store.state;
  return receipt(proposal, head, await dryRun(engine, proposal.ops, head.tx - 1, { isWritten: true, signal }));
}

/** What `confirm` says, or E_CANCELLED as soon as the signal says so. */
function answerOf(ask: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return ask();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      try {
        checkCancelled(signal, Number.POSITIVE_INFINITY);
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener("abort", stop, { once: true });
    ask()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

async function checkConfirmed({ proposal, policy, medium, signal }: WriteInput, figures: Figures): Promise<void> {
  const { confirm, source } = policy;
  if (confirm === undefined) return;
  const text = dryRunText(figures, { reason: proposal.reason, source }, medium);
  const hint = "nothing was written";
  let said: unknown;
  try {
    said = await answerOf(async () => confirm({ ...figures, text }), signal);
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "E_CANCELLED") throw error;
    throw refused("confirm", "confirm failed", hint, {}, error);
  }
  if (said !== true) throw refused("confirm", "it was not confirmed", hint);
}

const isHeadMoved = (error: unknown): boolean =>
  error instanceof PalimpsestError && error.code === "E_STATE" && "if_tx" in error.details;

/** The commit; null where the head has moved. */
async function commit({ store, proposal, policy }: WriteInput, tx: number): Promise<Committed | null> {
  const { ops, reason, traceDigest, digest } = proposal;
  const about = { source: policy.source, provenance_ref: `trace:${traceDigest}#${digest}`, reason };
  const inputs = ops.map(({ input }) => ({ ...input, ...about }));
  try {
    return await store.write(inputs, { ifTx: tx, idempotencyKey: keyOf(proposal) });
  } catch (error) {
    if (isHeadMoved(error)) return null;
    throw error;
  }
}

/** Other writers, dry run, policy, confirmation, and the write on that very commit; null where the head has moved. */
async function attempt(input: WriteInput, askTx: number): Promise<WriteReceipt | null> {
  const { store, proposal, policy, signal } = input;
  const { state } = store;
  const tx = state.engine.headTx();
  // Whatever is written on the trace from here on moves the head.
  await checkBatches(store, proposal, policy.maxBatches);
  await checkUntouched(state, proposal.ops, askTx, tx, signal);
  const figures = await dryRun(state.engine, proposal.ops, tx, { isWritten: false, signal });
  checkPolicy(proposal.ops, figures, policy);
  await checkConfirmed(input, figures);
  checkCancelled(signal, Number.POSITIVE_INFINITY);
  const head = await commit(input, tx);
  if (head === null) return null;
  // Another call with the same proposal was first.
  return head.tx === tx + 1 ? receipt(proposal, head, figures) : firstReceipt(input, head);
}

export async function write(input: WriteInput): Promise<WriteReceipt> {
  const { store, proposal, policy, signal } = input;
  let askTx: number | null = null;
  for (let repeats = 0; repeats <= MOST_REPEATS; repeats += 1) {
    checkCancelled(signal, Number.POSITIVE_INFINITY);
    const first = await store.committed(keyOf(proposal));
    if (first !== null) return firstReceipt(input, first);
    if (askTx === null) {
      askTx = askTxOf(store.state, input.grounds, proposal.traceDigest);
      const grounds = input.grounds!;
      await checkBatches(store, proposal, policy.maxBatches);
      const fresh = checkGrounding(store.state.engine, proposal, policy, askTx, grounds.question ?? "");
      await checkEvidence(store.state, proposal, grounds, (uid) => fresh.has(uid), signal);
    }
    const written = await attempt(input, askTx);
    if (written !== null) return written;
    await store.settle();
  }
  const hint = "propose again when fewer others write";
  throw refused("head_moved", `others wrote between dry run and write ${MOST_REPEATS + 1} times`, hint);
}
