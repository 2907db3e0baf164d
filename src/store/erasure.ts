// An erasure made ready: judged, its log files written anew beside the old ones, and the log that they make replayed once
// to see that it has the chain it had. Until its receipt is durable nothing of it counts.
import { randomBytes } from "node:crypto";
import { canonicalJson } from "../contract/canonical.js";
import { internalError, PalimpsestError } from "../contract/errors.js";
import { dropErasedFiles, filesHolding, writeErasedFiles } from "../log/erased-files.js";
import { encodeReceipt } from "../log/erasure-item.js";
import { FileError, type FileLayer, ioError } from "../log/file-layer.js";
import { sameBytes } from "../log/layout.js";
import { type Erasing, isNodeRef, type Ref } from "../log/operations/types.js";
import { type LogCommit, LogReader } from "../log/reader.js";
import type { LogWriter } from "../log/writer.js";
import { addon } from "../native/addon.js";
import { fromNative } from "../native/errors.js";
import type { NativeCore, NativeView } from "../native/store.js";
import { type ErasurePlan, ErasurePlanner, namesOf } from "./erasure-plan.js";
import { coreOfLog } from "./log-core.js";
import { checkMemory } from "./memory-limit.js";
import { Pace } from "./turns.js";
import type { EraseTouched } from "./types.js";
import { withView } from "./views.js";

/** What an erasure works on; everything staged is in the log's files. */
export interface ErasingStore {
  readonly layer: FileLayer;
  readonly path: string;
  readonly core: NativeCore;
  readonly log: LogWriter;
  readonly memoryLimitBytes: number;
}

export interface PreparedErasure {
  /** The store without the identity, as far as the head: for the caller to go on with, or to close. */
  readonly core: NativeCore;
  readonly token: string;
  readonly firstTx: number;
  readonly spentKeys: readonly number[];
  readonly touched: EraseTouched;
  /** Items of the commit. */
  readonly receipt: readonly Uint8Array[];
}

function knows(view: NativeView, ref: Ref): boolean {
  if (isNodeRef(ref)) return addon.statistics.knowsNode(view, ref.uid);
  return addon.statistics.knowsEdge(view, ref.src, ref.type, ref.dst, ref.key);
}

/** The commit that first wrote a version of it; E_NOT_FOUND when none has. */
function firstTxOf(core: NativeCore, ref: Ref): number {
  const knowsAt = (tx: number): boolean => withView(core, tx, (view) => knows(view, ref));
  let high = core.publishedTx;
  if (!knowsAt(high)) {
    throw new PalimpsestError(
      "E_NOT_FOUND",
      `${namesOf(ref)
        .map((name) => JSON.stringify(name))
        .join(", ")} is not known`,
      {
        details: { operation: 0 },
        hint: "nothing in the store's history names it, or it was erased before",
      },
    );
  }
  let low = 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (knowsAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The store stands in memory twice while the log is taken in once more: E_LIMIT before `moreBytes` of that are too many. */
function checkSecondCore({ core, memoryLimitBytes }: ErasingStore, secondBytes: number, moreBytes: number): void {
  checkMemory(core.bytes, secondBytes + moreBytes, memoryLimitBytes, {
    what: "while an identity is erased, the store is in memory twice",
    hint: "raise memoryLimitBytes of open: an erasure needs up to twice what the store holds",
  });
}

const contentBytes = ({ items }: LogCommit): number =>
  items.reduce((sum, item) => sum + ("content" in item ? item.content.length : 0), 0);

async function planOf(store: ErasingStore, ref: Ref): Promise<ErasurePlan> {
  const { layer, path, log } = store;
  const planner = new ErasurePlanner(ref);
  const reader = new LogReader(layer, path);
  const { frameNo } = log.head;
  try {
    const pace = new Pace();
    for (let commit = await reader.next(frameNo); commit !== undefined; commit = await reader.next(frameNo)) {
      checkSecondCore(store, planner.memoryBytes, contentBytes(commit));
      await planner.apply(commit);
      if (pace.isDue) await pace.rest();
    }
    return await planner.finish();
  } finally {
    reader.close();
    planner.close();
  }
}

function touchedOf(core: NativeCore, plan: ErasurePlan): EraseTouched {
  const versions = withView(core, null, (view) => {
    const { nodeRows, edgeRows } = view.commit(view.tx);
    return nodeRows + edgeRows - plan.versions;
  });
  return { versions, commits: plan.commits, bytes: plan.bytes };
}

/** What erasing would remove; writes nothing. */
export async function touchedByErasing(store: ErasingStore, ref: Ref): Promise<EraseTouched> {
  firstTxOf(store.core, ref);
  return touchedOf(store.core, await planOf(store, ref));
}

/** What made an erasure fail before it counted. */
export function notErased(error: unknown): PalimpsestError {
  const found = error instanceof FileError ? ioError(error) : fromNative(error);
  if (found.code !== "E_IO" || found.details.outcome !== undefined) return found;
  return new PalimpsestError("E_IO", found.message, {
    details: { ...found.details, outcome: "not_applied" },
    hint: found.hint ?? "",
    cause: error,
  });
}

/** After an error nothing has changed, but that the log may go on in another file. */
export async function prepareErasure(store: ErasingStore, { ref, by }: Erasing): Promise<PreparedErasure> {
  const { layer, path, core, log } = store;
  const firstTx = firstTxOf(core, ref);
  const plan = await planOf(store, ref);
  const touched = touchedOf(core, plan);
  const files = await filesHolding(layer, path, plan.replacements.keys());
  // A file that is rewritten takes no more frames: those who follow the log keep their place in the one that does.
  if (files.includes(log.fileNo)) await log.closeFile();
  const token = randomBytes(8).toString("hex");
  let fresh: NativeCore | undefined;
  try {
    const replaced = await writeErasedFiles(layer, path, files, token, plan.replacements);
    const { frameNo, chain } = log.head;
    const remade = await coreOfLog(layer, path, {
      frameLimit: frameNo,
      erasure: token,
      replaced,
      checkMemory: (heldBytes, commit) => checkSecondCore(store, heldBytes, contentBytes(commit)),
    });
    fresh = remade.core;
    if (!remade.isVouched || !sameBytes(remade.end.from.chain, chain) || fresh.publishedTx !== core.publishedTx) {
      throw internalError(new Error("the log without the identity is not the log that it was"));
    }
    const { spentKeys } = plan;
    const receipt = canonicalJson({
      ...(by.provenanceRef === undefined ? {} : { provenance_ref: by.provenanceRef }),
      ...(by.reason === undefined ? {} : { reason: by.reason }),
      ...(by.source === undefined ? {} : { source: by.source }),
      ...touched,
      first_tx: firstTx,
      op: "erase",
      spent_keys: [...spentKeys],
      token,
    });
    return { core: fresh, token, firstTx, spentKeys, touched, receipt: encodeReceipt(receipt, replaced) };
  } catch (error) {
    fresh?.close();
    await dropErasedFiles(layer, path, token).catch(() => undefined);
    throw error;
  }
}
