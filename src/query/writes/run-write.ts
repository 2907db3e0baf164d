// Runs a write statement: reads the staged head, makes the batch, and commits it in the same turn; or adds it to a block.
// Where nothing matches nothing is committed.
import type { InsertStatement, ReadStatement, WriteStatement } from "../../../grammar/ast.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import type { CommitHead, EraseReceipt, EraseTouched } from "../../store/types.js";
import type { CompileContext } from "../compile/context.js";
import { Folder } from "../compile/fold.js";
import { type Placed, refuse } from "../compile/problem.js";
import { checkUnpinned, type SessionState, type WriteBlock } from "../sessions/state.js";
import { tableAnswer, type WriteAnswer } from "../statements/answer.js";
import type { QueryHost, ReadableState } from "../statements/host.js";
import { WriteBatch } from "./batch.js";
import { type Detached, type ErasePlan, type PlannedWrite, planWrite } from "./plan-write.js";
import { common } from "./portion.js";
import { edgesAt, type PartRows } from "./reading.js";
import { EDGE_IDENTITY, versionOf } from "./versions.js";

export type AnyWrite = WriteStatement | InsertStatement;

/** Compiles and runs a read over a state of the store, whole. */
type ReadRows = (read: ReadStatement, state: ReadableState) => Promise<readonly JsonObject[]>;

interface WriteSurroundings {
  readonly host: QueryHost;
  readonly state: SessionState;
  /** What a write compiles against, over a state of the store. */
  readonly contextAt: (state: ReadableState) => CompileContext;
  readonly read: ReadRows;
}

const COLUMNS = [
  { name: "tx", type: "int" },
  { name: "tx_time", type: "instant" },
  { name: "operations", type: "int" },
  { name: "identities", type: "int" },
] as const;
const ERASED_COLUMNS = [
  { name: "identity", type: "json" },
  { name: "tx", type: "int" },
  { name: "tx_time", type: "instant" },
  { name: "versions", type: "int" },
  { name: "commits", type: "int" },
  { name: "bytes", type: "int" },
] as const;

export const WRITE_COLUMNS = (write: AnyWrite) =>
  write.kind === "write" && write.writes[0]?.kind === "erase" ? ERASED_COLUMNS : COLUMNS;

type Counts = Pick<WriteAnswer, "tx" | "tx_time" | "operations" | "identities">;

function written(counts: Counts): WriteAnswer {
  return { ...tableAnswer("write", COLUMNS, [{ ...counts }]), ...counts };
}

/** Refuses a write, or a block of them, where the database only reads. */
export function checkDatabase({ at }: Placed, host: Pick<QueryHost, "isReadOnly">): void {
  if (!host.isReadOnly) return;
  throw new PalimpsestError("E_READONLY", "this database only reads", {
    details: { kind: "read_only", ...at },
    hint: "open it for writing (on the command line: --write)",
  });
}

/** Refuses what cannot be written here, before anything is read. */
export function checkWritable(write: AnyWrite, { host, state }: Pick<WriteSurroundings, "host" | "state">): void {
  checkDatabase(write, host);
  checkUnpinned(state, write);
  if (state.block?.kind === "read_only") {
    refuse("E_STATE", "read_block", write, "this block only reads", "COMMIT it and write after it");
  }
  if (write.kind === "write") checkPinsOf(write);
}

/** A write judges what is believed now: its own clauses name no other commit. */
function checkPinsOf({ setting, clauses }: WriteStatement): void {
  const times = [...setting, ...clauses.flatMap((clause) => clause.times)];
  const pin = times.find(({ axis, period }) => axis === "transaction_time" && period.kind !== "as_of_latest");
  if (pin === undefined) return;
  refuse("E_STATE", "pinned", pin, "a write changes what is believed now, and reads nothing else", "leave the pin out");
}

async function rowsOf(plan: PlannedWrite, staged: ReadableState, read: ReadRows): Promise<PartRows> {
  const rows = new Map<string, readonly JsonObject[]>();
  for (const { name, statement } of plan.parts) rows.set(name, await read(statement, staged));
  return rows;
}

const EDGE_COLUMNS = {
  kind: "edge",
  identity: EDGE_IDENTITY.map((name) => ({ name, value: (row: JsonObject) => row[name] ?? null })),
  validFrom: (row: JsonObject) => row.valid_from ?? null,
  validTo: (row: JsonObject) => row.valid_to ?? null,
  props: [],
  labels: null,
} as const;

/** The edges at nodes that are taken away, both ends. */
async function detach(
  { uids, stretch, reason }: Detached,
  plan: PlannedWrite,
  staged: ReadableState,
  read: ReadRows,
  batch: WriteBatch,
): Promise<void> {
  for (const end of ["src", "dst"] as const) {
    for (const row of await read(edgesAt(end, uids, plan.setting), staged)) {
      const version = versionOf(EDGE_COLUMNS, row);
      const shared = version === null ? null : common(stretch, version.held);
      if (version !== null && shared !== null) batch.retract(version.ref, shared, reason);
    }
  }
}

const plannedOver = (write: AnyWrite, state: ReadableState, { contextAt }: WriteSurroundings): PlannedWrite =>
  planWrite(write, new Folder(contextAt(state)));

/** Planned over the staged head, whose properties are those that go on in what is written. */
async function batchOf(write: AnyWrite, staged: ReadableState, around: WriteSurroundings): Promise<WriteBatch> {
  const { read } = around;
  const plan = plannedOver(write, staged, around);
  const rows = await rowsOf(plan, staged, read);
  const batch = new WriteBatch();
  for (const step of plan.steps) {
    const detached = step.collect(rows, batch);
    if (detached !== null) await detach(detached, plan, staged, read, batch);
  }
  return batch;
}

function checkAlone({ state }: WriteSurroundings, write: AnyWrite): void {
  if (state.block === null) return;
  refuse("E_STATE", "erase_in_block", write, "ERASE is a commit of its own", "COMMIT or ROLLBACK the block first");
}

const NOTHING_TOUCHED: EraseTouched = { versions: 0, commits: 0, bytes: 0 };

interface Erased extends EraseTouched {
  readonly head: CommitHead | null;
}

async function erase(plan: PlannedWrite, erasing: ErasePlan, around: WriteSurroundings): Promise<WriteAnswer> {
  const { host, read } = around;
  let refs: JsonObject[] = [];
  const find = async (staged: ReadableState): Promise<void> => {
    refs = erasing.refs(await rowsOf(plan, staged, read));
  };
  let erased: Erased[];
  if (erasing.dryRun) {
    await host.writeInTurn(async (staged) => {
      await find(staged);
      return [];
    });
    erased = [];
    for (const ref of refs) erased.push({ ...(await host.touchedByErase(ref)), head: null });
  } else {
    const receipts = await host.writeInTurn(async (staged) => {
      await find(staged);
      return refs.map((ref) => [{ op: "erase", ref, ...erasing.reason }]);
    });
    erased = [];
    for (const receipt of receipts) {
      // What went with an erasure before it belongs to the commit of that one.
      const touched = receipt === null ? NOTHING_TOUCHED : (receipt as EraseReceipt);
      erased.push({ ...touched, head: receipt ?? erased.at(-1)!.head });
    }
  }
  const rows = erased.map(({ head, versions, commits, bytes }, i) => ({
    identity: refs[i]!,
    tx: head?.tx ?? null,
    tx_time: head?.txTime ?? null,
    versions,
    commits,
    bytes,
  }));
  const last = erased.at(-1)?.head ?? null;
  const counts = {
    tx: last?.tx ?? null,
    tx_time: last?.txTime ?? null,
    operations: erasing.dryRun ? 0 : refs.length,
    identities: refs.length,
  };
  return { ...tableAnswer("write", ERASED_COLUMNS, rows), ...counts };
}

/** Adds a write to an open block; nothing is committed before COMMIT. */
async function addToBlock(
  write: AnyWrite,
  plan: PlannedWrite,
  block: WriteBlock,
  around: WriteSurroundings,
): Promise<{ readonly answer: WriteAnswer; readonly block: WriteBlock }> {
  if (plan.isMatchLed && block.operations.length > 0) {
    refuse(
      "E_STATE",
      "match_after_write",
      write,
      "reads in a block see the state before it, so a MATCH would not find what the block has written",
      "commit first",
    );
  }
  let batch = new WriteBatch();
  const make = async (staged: ReadableState): Promise<[]> => {
    batch = await batchOf(write, staged, around);
    return [];
  };
  await around.host.writeInTurn(make, plan.isMatchLed ? block.tx : undefined);
  const counts = { tx: null, tx_time: null, operations: batch.operations.length, identities: batch.identityCount };
  return {
    answer: written(counts),
    block: {
      ...block,
      operations: [...block.operations, ...batch.operations],
      identities: block.identities + batch.identityCount,
      restsOnHead: block.restsOnHead || plan.isMatchLed,
    },
  };
}

export async function runWrite(
  write: AnyWrite,
  around: WriteSurroundings,
): Promise<{ readonly answer: WriteAnswer; readonly block: WriteBlock | null }> {
  checkWritable(write, around);
  // What is wrong with it is told before its turn comes.
  const plan = plannedOver(write, around.host.published, around);
  if (plan.erase !== null) {
    checkAlone(around, write);
    return { answer: await erase(plan, plan.erase, around), block: null };
  }
  const { block } = around.state;
  if (block?.kind === "read_write") return addToBlock(write, plan, block, around);
  let batch = new WriteBatch();
  const heads = await around.host.writeInTurn(async (staged) => {
    batch = await batchOf(write, staged, around);
    return batch.operations.length === 0 ? [] : [batch.operations];
  });
  const head = heads[0];
  const counts = { operations: batch.operations.length, identities: batch.identityCount };
  return { answer: written({ tx: head?.tx ?? null, tx_time: head?.txTime ?? null, ...counts }), block: null };
}

/** Commits what a block has gathered; nothing where it has gathered nothing. */
export async function commitBlock(block: WriteBlock, host: QueryHost): Promise<WriteAnswer> {
  const { operations, identities } = block;
  const heads =
    operations.length === 0
      ? []
      : await host.writeInTurn(async () => [operations], block.restsOnHead ? block.tx : undefined);
  const head = heads[0];
  return written({ tx: head?.tx ?? null, tx_time: head?.txTime ?? null, operations: operations.length, identities });
}
