// The one way to call an operator: name, shape, defaults, canonical form, judgement, pin, known uids, cost, run, envelope.
// The first failure is the answer. Knows engines only by their interface.
import { canonicalJson } from "../contract/canonical.js";
import { type Cursor, damagedCursor, decodeCursor } from "../contract/cursor.js";
import { sha256Hex } from "../contract/digest.js";
import type { Envelope } from "../contract/envelope.js";
import { internalError, PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { EdgeRefArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { checkCancelled, runCancellable } from "./cancellation.js";
import { type Ceilings, DEFAULT_CEILINGS, guardCost } from "./cost-guard.js";
import type { Estimate } from "./declaration.js";
import type { OperatorEngine, PinnedEngine } from "./engine.js";
import { buildEnvelope } from "./envelope-builder.js";
import { valueAt } from "./paths.js";
import { type Pinned, resolvePins } from "./pin-stage.js";
import { lookUp, type Operator } from "./registry.js";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The call is cancelled this long after it began. */
  readonly timeoutMs?: number;
  readonly ceilings?: Partial<Ceilings>;
  /** Told what a call was estimated to take and what its kernels took; for benchmarks. */
  readonly observe?: (observed: { readonly estimate: Estimate; readonly steps: number }) => void;
}

const CODE_ORDER = ["E_SCHEMA", "E_INVALID_ARG", "E_PERIOD_ORDER", "E_ZONE_MISSING", "E_AXIS", "E_LIMIT"];

/** Stages 2 to 5: the canonical arguments, or the first error by code. */
function readArguments(operator: Operator, given: unknown): { args: JsonObject; cursor: Cursor | null } {
  const args = operator.read(given);
  const errors: PalimpsestError[] = [];
  const report = (error: PalimpsestError): void => void errors.push(error);
  const canonical = operator.canonical(args, report);
  operator.declaration.judge?.(canonical, report);
  let cursor: Cursor | null = null;
  if (typeof canonical.cursor === "string") {
    try {
      cursor = decodeCursor(canonical.cursor);
    } catch (error) {
      report(error as PalimpsestError);
    }
  }
  const first = errors.sort((a, b) => CODE_ORDER.indexOf(a.code) - CODE_ORDER.indexOf(b.code))[0];
  if (first !== undefined) throw first;
  return { args: operator.declaration.complete?.(canonical) ?? canonical, cursor };
}

/** What a cursor is bound to: the operator and everything in the arguments but where and how long the page is. */
function bindingOf(op: string, args: JsonObject): string {
  const { limit: _limit, cursor: _cursor, as_of_tt: _pin, ...rest } = args;
  return sha256Hex(canonicalJson({ op, args: rest })).slice(0, 32);
}

/** Stage A4: every uid and reference that the caller named must be known at the pin. */
function checkSubjects(operator: Operator, args: JsonObject, pinned: PinnedEngine, tx: number): void {
  const uids: string[] = [];
  for (const path of operator.declaration.subjects.paths) {
    const subject = valueAt(args, path);
    if (typeof subject === "string") uids.push(subject);
    else if (Array.isArray(subject)) uids.push(...(subject as string[]));
    else if (typeof subject === "object" && subject !== null) {
      if ("uid" in subject) uids.push(subject.uid as string);
      else if (!pinned.knowsEdge(subject as unknown as EdgeRefArgument)) {
        throw new PalimpsestError("E_NOT_FOUND", `no version at or before tx:${tx} names this edge`, {
          details: { path: `/${path}`, unknown: [subject] },
          hint: "look at the key and the direction, or ask at a later pin",
        });
      }
    }
  }
  const unknown = uids.length === 0 ? [] : pinned.unknownUids(uids);
  if (unknown.length === 0) return;
  const nearest = Object.fromEntries(unknown.slice(0, 10).map((uid) => [uid, pinned.nearestUids(uid)]));
  const near = Object.values(nearest).flat().slice(0, 3);
  throw new PalimpsestError("E_NOT_FOUND", `not known at tx:${tx}: ${unknown.slice(0, 10).join(", ")}`, {
    details: { unknown, nearest },
    hint: near.length > 0 ? `did you mean ${near.join(", ")}?` : "no known uid looks like it",
  });
}

function pinOf(engine: OperatorEngine, tx: number) {
  return { tx, tx_time: tx === 0 ? null : formatInstant(engine.txTimeUs(tx)) };
}

async function runPinned(
  engine: OperatorEngine,
  operator: Operator,
  pins: Pinned,
  cursor: Cursor | null,
  options: CallOptions,
  deadlineMs: number,
): Promise<Envelope> {
  const { declaration } = operator;
  // Subjects are judged at the later pin, so that is the one to hold.
  const pinned = engine.pin(Math.max(pins.tx, pins.otherTx));
  try {
    const ceiling = {
      rows: options.ceilings?.rows ?? DEFAULT_CEILINGS.rows,
      steps: options.ceilings?.steps ?? DEFAULT_CEILINGS.steps,
    };
    const limits = { signal: options.signal, deadlineMs, stepCeiling: ceiling.steps };
    const resolved = declaration.resolve?.(pins.args, pinned, limits) ?? pins.args;
    const args = resolved instanceof Promise ? await resolved : resolved;
    const bindingOfCall = (): string => bindingOf(declaration.name, args);
    if (cursor !== null && (cursor.binding !== bindingOfCall() || cursor.list >= declaration.lists.length)) {
      throw damagedCursor("it belongs to another call");
    }
    checkSubjects(operator, args, pinned, pins.tx);
    const estimate = guardCost(declaration, args, pinned.statistics(), ceiling, operator.reread);
    let steps = 0;
    const answer = await runCancellable(options.signal, deadlineMs, () =>
      pinned.run(declaration.name, args, {
        tx: pins.tx,
        otherTx: pins.otherTx,
        list: cursor?.list ?? null,
        ordinal: cursor?.ordinal ?? 0,
        limit: args.limit as number,
        ...limits,
        onSteps: options.observe && ((more) => (steps += more)),
      }),
    );
    options.observe?.({ estimate, steps });
    return buildEnvelope(operator, {
      args,
      answer,
      cursor,
      binding: bindingOfCall,
      pin: pinOf(engine, pins.tx),
      notices: pins.notices,
      erased: engine.erasedSince(pins.tx === pins.otherTx ? [pins.tx] : [pins.tx, pins.otherTx]),
      otherPin: declaration.pins.other === null ? null : pinOf(engine, pins.otherTx),
    });
  } finally {
    pinned.release();
  }
}

async function call(engine: OperatorEngine, op: string, given: unknown, options: CallOptions): Promise<Envelope> {
  const deadlineMs = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.timeoutMs;
  const operator = lookUp(op);
  const { args, cursor } = readArguments(operator, given ?? {});
  checkCancelled(options.signal, deadlineMs);
  if (cursor !== null && cursor.tx > engine.headTx()) throw damagedCursor("its commit does not exist here");
  const pins = await resolvePins(engine, args, operator.declaration.pins, operator.time, cursor, options.signal);
  if (cursor !== null && cursor.tx !== pins.tx) throw damagedCursor(`it belongs to tx:${cursor.tx}`);
  checkCancelled(options.signal, deadlineMs);
  return runPinned(engine, operator, pins, cursor, options, deadlineMs);
}

/** Calls one operator. Every failure is a PalimpsestError. */
export async function callOperator(
  engine: OperatorEngine,
  op: string,
  args: unknown,
  options: CallOptions = {},
): Promise<Envelope> {
  try {
    return await call(engine, op, args, options);
  } catch (error) {
    throw error instanceof PalimpsestError ? error : internalError(error);
  }
}
