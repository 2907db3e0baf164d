// Which items of a log an erasure replaces, and by what: the log is taken into a core of its own once more, without the
// identity, and each item of it is asked which numbers it used up. Writes nothing.
import { parseExact } from "../contract/exact-json.js";
import type { JsonObject } from "../contract/values.js";
import type { NewItem } from "../log/erased-files.js";
import type { LogItem } from "../log/items.js";
import { OperationEncoder } from "../log/operations/encode.js";
import { readOperation } from "../log/operations/read-operation.js";
import { isNodeRef, type Ref, type RowOperation } from "../log/operations/types.js";
import type { LogCommit } from "../log/reader.js";
import { addon } from "../native/addon.js";
import type { FilteredBlock } from "../native/store.js";
import { OPERATIONS_AT_ONCE } from "./batch.js";
import { headerOf, readReceipt, textOf, uidsOf } from "./replay.js";
import { Pace } from "./turns.js";
import { withView } from "./views.js";

/** A uid alone, or src, type, dst and key. */
export const namesOf = (ref: Ref): string[] => (isNodeRef(ref) ? [ref.uid] : [ref.src, ref.type, ref.dst, ref.key]);

export interface ErasurePlan {
  readonly replacements: ReadonlyMap<number, ReadonlyMap<number, NewItem>>;
  /** With an item that is replaced. */
  readonly commits: number;
  /** Of the items that are replaced. */
  readonly bytes: number;
  /** Version rows that are left. */
  readonly versions: number;
  readonly spentKeys: readonly number[];
}

interface Place {
  readonly tx: number;
  readonly frame: number;
  readonly item: number;
  readonly content: number;
}

/** Uids that an item numbered, of which those stay that something else names; null is the identity's own. */
interface Numbered extends Place {
  readonly kind: "numbers";
  readonly edgeNumbers: number;
  readonly uids: readonly (string | null)[];
  /** What an earlier erasure left there already. */
  readonly before: (LogItem & { kind: "erased" }) | undefined;
}
interface Block extends Place {
  readonly kind: "block";
  readonly firstNode: number;
  /** With the identity taken out; null where nothing of it was in it, and earlier holes may name too much. */
  readonly bytes: Uint8Array | null;
  readonly original: Uint8Array;
}
type Candidate = Numbered | Block;

/** The names of what an operation is about. */
function identityOf(operation: JsonObject): string[] {
  const { op } = operation;
  const fields = (op === "assert_node" || op === "assert_edge" ? operation : operation.ref) as JsonObject;
  return fields.uid !== undefined
    ? [fields.uid as string]
    : [fields.src, fields.type, fields.dst, fields.key ?? ""].map((name) => name as string);
}

export class ErasurePlanner {
  private readonly core = addon.openCore(null);
  private readonly target: readonly string[];
  private readonly candidates: Candidate[] = [];
  /** Uids that erased items named first: whether something that stays names them too is asked at the end. */
  private readonly introduced = new Set<string>();
  private encoder = new OperationEncoder();

  constructor(ref: Ref) {
    this.core.acquireWriter();
    this.target = namesOf(ref);
    this.core.filterOut(this.target);
  }

  close(): void {
    this.core.close();
  }

  /** Of the log as far as it was taken in, without the identity. */
  get memoryBytes(): number {
    return this.core.bytes;
  }

  /** Takes in one commit; a rejected batch is looked through and changes nothing. */
  async apply(commit: LogCommit): Promise<void> {
    await this.stage(commit);
    if (commit.outcome.kind !== "applied") {
      this.core.abort();
      return;
    }
    await this.core.seal(commit.txTimeUs);
    this.core.publish(commit.chain);
  }

  async finish(): Promise<ErasurePlan> {
    const replacements = new Map<number, Map<number, NewItem>>();
    const commits = new Set<number>();
    let bytes = 0;
    const pace = new Pace();
    for (const candidate of this.candidates) {
      if (pace.isDue) await pace.rest();
      const newItem = candidate.kind === "block" ? this.blockOf(candidate) : this.numbersOf(candidate);
      if (newItem === undefined) continue;
      const { tx, frame, item, content } = candidate;
      const inFrame = replacements.get(frame) ?? new Map<number, NewItem>();
      replacements.set(frame, inFrame.set(item, newItem));
      if (tx > 0) commits.add(tx);
      bytes += content;
    }
    const versions = withView(this.core, null, (view) => {
      const { nodeRows, edgeRows } = view.commit(view.tx);
      return nodeRows + edgeRows;
    });
    return { replacements, commits: commits.size, bytes, versions, spentKeys: this.core.spentKeys() };
  }

  private numbersOf({ edgeNumbers, uids, before }: Numbered): NewItem | undefined {
    const keptUids = uids.flatMap((uid, place) => (uid !== null && this.core.isNamedUid(uid) ? [{ place, uid }] : []));
    if (before !== undefined && before.keptUids.length === keptUids.length) return undefined;
    return { kind: "erased", edgeNumbers, nodeNumbers: uids.length, keptUids };
  }

  private blockOf({ bytes, original, firstNode }: Block): NewItem | undefined {
    const left = this.core.withoutUnnamed(bytes ?? original, firstNode) ?? bytes;
    return left === null ? undefined : { kind: "block", bytes: left };
  }

  private matches(names: readonly string[]): boolean {
    const { target } = this;
    if (target.length === 4) return names.length === 4 && target.every((name, i) => names[i] === name);
    return names[0] === target[0] || (names.length === 4 && names[2] === target[0]);
  }

  private async stage(commit: LogCommit): Promise<void> {
    const { items } = commit;
    const places = placesOf(commit);
    const pace = new Pace();
    for (let i = 0; i < items.length; i += 1) {
      const item = items[i]!;
      const place = places[i]!;
      if (pace.isDue) await pace.rest();
      if (item.kind === "operation") {
        const operation = parseExact(textOf(item.content)) as JsonObject;
        if (operation.op !== "ingest_events") {
          await this.stageOperation(operation, place);
          continue;
        }
        const blocks: Uint8Array[] = [];
        while (items[i + 1 + blocks.length]?.kind === "block") {
          blocks.push((items[i + 1 + blocks.length] as LogItem & { kind: "block" }).content);
        }
        await this.stageEvents(operation, blocks, places.slice(i, i + 1 + blocks.length));
        i += blocks.length;
      } else if (item.kind === "erased") {
        await this.stageWaiting();
        const uids = uidsOf(item).map((uid) => (uid !== null && this.matches([uid]) ? null : uid));
        this.core.stageErased(item.edgeNumbers, uidsOf(item));
        this.note({ kind: "numbers", ...place, edgeNumbers: item.edgeNumbers, uids, before: item });
      } else if (item.kind === "erasure" && item.receipt !== "") {
        const { firstTx, spentKeys } = readReceipt(item.receipt);
        this.core.stageErasure(firstTx, spentKeys);
      }
    }
    await this.stageWaiting();
  }

  private async stageWaiting(): Promise<void> {
    if (this.encoder.count === 0) return;
    await this.core.replayOps(this.encoder.take(), 0);
    this.encoder = new OperationEncoder();
  }

  private async stageOperation(operation: JsonObject, place: Place): Promise<void> {
    const names = identityOf(operation);
    if (!this.matches(names)) {
      for (const uid of names.length === 1 ? names : [names[0]!, names[2]!]) {
        if (this.introduced.has(uid)) this.core.nameUid(uid);
      }
      this.encoder.add(readOperation(operation, "", true) as RowOperation);
      if (this.encoder.count === OPERATIONS_AT_ONCE) await this.stageWaiting();
      return;
    }
    await this.stageWaiting();
    const isAssertion = operation.op === "assert_node" || operation.op === "assert_edge";
    const taken = isAssertion ? this.core.numberErased(names) : { edgeNumbers: 0, uids: [] };
    this.note({ kind: "numbers", ...place, ...taken, before: undefined });
  }

  private async stageEvents(operation: JsonObject, blocks: Uint8Array[], places: readonly Place[]): Promise<void> {
    await this.stageWaiting();
    const filtered = await this.core.stageFiltered(headerOf(operation), blocks);
    const isTouched = filtered.some(({ bytes }) => bytes !== null);
    const isGone = isTouched && filtered.every(({ rowsLeft }) => rowsLeft === 0);
    // Nothing is left of the operation: its labels and its source go too.
    if (isGone) this.note({ kind: "numbers", ...places[0]!, edgeNumbers: 0, uids: [], before: undefined });
    for (const [i, block] of filtered.entries()) {
      const place = places[i + 1]!;
      if (isGone) this.noteGone(block, place);
      else if (block.bytes !== null || block.newUids !== null) this.noteBlock(block, blocks[i]!, place);
    }
  }

  private noteGone({ edgeNumbers, newUids }: FilteredBlock, place: Place): void {
    this.note({ kind: "numbers", ...place, edgeNumbers, uids: newUids ?? [], before: undefined });
  }

  private noteBlock({ bytes, firstNode, newUids }: FilteredBlock, original: Uint8Array, place: Place): void {
    for (const uid of newUids ?? []) if (uid !== null) this.introduced.add(uid);
    this.candidates.push({ kind: "block", ...place, firstNode, bytes, original });
  }

  private note(numbered: Numbered): void {
    for (const uid of numbered.uids) if (uid !== null) this.introduced.add(uid);
    this.candidates.push(numbered);
  }
}

function contentBytes(item: LogItem): number {
  return item.kind === "erased" ? 0 : item.content.length;
}

/** Where each item of a commit stands. */
function placesOf(commit: LogCommit): Place[] {
  const { tx, items, itemCounts, firstFrame } = commit;
  const places: Place[] = [];
  for (const [i, count] of itemCounts.entries()) {
    for (let item = 0; item < count; item += 1) {
      places.push({ tx, frame: firstFrame + i, item, content: contentBytes(items[places.length]!) });
    }
  }
  return places;
}
