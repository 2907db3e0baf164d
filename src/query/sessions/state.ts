// What a session holds between statements: zone, defaults of time, and the open block. Plain data and its transitions.
// A refused transition leaves everything as it was.
import type { Begin, Default, SetZone } from "../../../grammar/ast.js";
import { zoneOf } from "../../calendar/zones.js";
import { formatInstant } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import type { CompileContext } from "../compile/context.js";
import { Folder } from "../compile/fold.js";
import { isRef, NO_DEFAULTS, type TimeDefaults, type TransactionPeriod } from "../compile/periods.js";
import { type Placed, placed, refuse } from "../compile/problem.js";
import { Times } from "../compile/times.js";

interface ReadBlock {
  readonly kind: "read_only";
  readonly tx: number;
  readonly defaults: TimeDefaults;
}
export interface WriteBlock {
  readonly kind: "read_write";
  /** The commit that its reads see, and that a MATCH-led write of it rests on. */
  readonly tx: number;
  readonly defaults: TimeDefaults;
  readonly operations: readonly JsonObject[];
  readonly identities: number;
  /** Whether a write of it was found by reading: then nothing may have been written since. */
  readonly restsOnHead: boolean;
}
export type Block = ReadBlock | WriteBlock;

export interface SessionState {
  /** Null: none was set, which means UTC and refuses local times. */
  readonly zone: string | null;
  readonly defaults: TimeDefaults;
  readonly block: Block | null;
}

export const STATELESS: SessionState = { zone: null, defaults: NO_DEFAULTS, block: null };

/** What a statement in this state compiles against, beside names, parameters and the clock. */
export function contextIn(
  { zone, defaults, block }: SessionState,
  rest: Pick<CompileContext, "catalogue" | "parameters" | "nowUs">,
): CompileContext {
  const session = block === null ? defaults : { ...defaults, valid: block.defaults.valid ?? defaults.valid };
  return { ...rest, zone, session, blockTx: block?.tx ?? null };
}

const timesOf = (context: CompileContext): Times => new Times(context, new Folder(context), []);

export function withDefaults(state: SessionState, given: readonly Default[], context: CompileContext): SessionState {
  const named = timesOf(context).defaults(given);
  const defaults = {
    valid: named.valid ?? state.defaults.valid,
    transaction: named.transaction ?? state.defaults.transaction,
  };
  return { ...state, defaults };
}

export function withZone(state: SessionState, { zone }: Pick<SetZone, "zone">, node: Placed): SessionState {
  placed("zone", node, (where) => zoneOf(zone, where));
  return { ...state, zone };
}

/** Gives the commit that an instant means, and holds the commit clock so that it stays so. */
export type ResolveInstant = (us: bigint) => Promise<number>;

/** The commit that a block reads: the one its clause names, a default pin, or the newest. */
async function commitOfBlock(begin: Begin, context: CompileContext, resolve: ResolveInstant): Promise<number> {
  const times = timesOf(context);
  const { transaction, transactionAt } = times.of(begin.times, begin);
  if (transaction.kind === "at" && !isRef(transaction.at)) return await resolve(transaction.at.us);
  return times.pin(transaction, transactionAt, "FOR TRANSACTION_TIME AS OF …").tx;
}

export async function begun(
  state: SessionState,
  begin: Begin,
  context: CompileContext,
  resolve: ResolveInstant,
): Promise<SessionState> {
  if (state.block !== null) {
    return refuse("E_STATE", "block_open", begin, "a block is open already", "COMMIT or ROLLBACK it first");
  }
  if (begin.mode === "read_write") {
    checkUnpinned(state, begin);
    const tx = context.catalogue.source.headTx();
    const block = { kind: "read_write", tx, defaults: NO_DEFAULTS, operations: [], identities: 0 } as const;
    return { ...state, block: { ...block, restsOnHead: false } };
  }
  const defaults = timesOf(context).defaults(begin.times);
  return { ...state, block: { kind: "read_only", tx: await commitOfBlock(begin, context, resolve), defaults } };
}

/** Writes judge what is believed now, so they do not go together with a pin. */
export function checkUnpinned({ defaults }: Pick<SessionState, "defaults">, node: Placed): void {
  const { transaction } = defaults;
  if (transaction === null || transaction.kind === "latest") return;
  refuse("E_STATE", "pinned", node, `this session reads as of ${shownPin(transaction)}`, "RESET DEFAULTS first");
}

/** A pin as the prompt shows it; null for the latest commit. */
export function shownPin(transaction: TransactionPeriod | null): string | null {
  if (transaction === null || transaction.kind === "latest") return null;
  if (transaction.kind === "tx") return `tx:${transaction.tx}`;
  if (transaction.kind === "at") return isRef(transaction.at) ? transaction.at.ref : formatInstant(transaction.at.us);
  return transaction.kind === "all" ? "all of transaction time" : "a range of transaction time";
}
