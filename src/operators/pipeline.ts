// The one way to call an operator: name, shape, defaults, canonical form, judgement, pin, known uids, cost, run, envelope.
// The first failure is the answer. Knows engines only by their interface.
import { type Cursor, damagedCursor, decodeCursor } from "../contract/cursor.js";
import type { AnyEnvelope, Envelope } from "../contract/envelope.js";
import { internalError, PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { JsonObject } from "../contract/values.js";
import { checkCancelled, runCancellable } from "./cancellation.js";
import { type Ceilings, DEFAULT_CEILINGS, guardCost } from "./cost-guard.js";
import { type Estimate, NO_UPSTREAM, type Upstream } from "./declaration.js";
import type { OperatorEngine, RunContext } from "./engine.js";
import { bindingOf, buildEnvelope } from "./envelope-builder.js";
import { type Pinned, resolvePins } from "./pin-stage.js";
import { lookUp, type Operator } from "./registry.js";
import { checkWhole, handedOver, PAGE, rowsAsked, runStep, type StepReading, takesColumns } from "./step-reading.js";
import { type SplitArguments, splitTables } from "./table-arguments.js";
import { Turns } from "./turns.js";
import { emptyAnswer, notKnown, unknownSubjects, withoutUnknown } from "./unknown-subjects.js";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The call is cancelled this long after it began. */
  readonly timeoutMs?: number;
  readonly ceilings?: Partial<Ceilings>;
  /** Told what a call was estimated to take and what its kernels took; for benchmarks. */
  readonly observe?: (observed: { readonly estimate: Estimate; readonly steps: number }) => void;
  /** What a plan knows of the answers that the arguments were taken from. */
  readonly upstream?: Upstream;
  /** Of a step of a plan: how its lists are read, and what of the envelope is made. */
  readonly step?: StepReading;
}

const CODE_ORDER = ["E_SCHEMA", "E_INVALID_ARG", "E_PERIOD_ORDER", "E_ZONE_MISSING", "E_AXIS", "E_LIMIT"];

/** Stages 2 to 5: the canonical arguments, or the first error by code. */
function readArguments(
  operator: Operator,
  { rest, tables }: SplitArguments,
): { args: JsonObject; cursor: Cursor | null } {
  const args = operator.read(rest, tables);
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

/** E_UPSTREAM where only a whole input has a meaning and a part was given. */
function checkUpstream({ declaration }: Operator, args: JsonObject, upstream: Upstream): void {
  if (!upstream.isIncomplete) return;
  const { name, reduces } = declaration;
  if (typeof reduces === "boolean" ? !reduces : !reduces(args)) return;
  throw new PalimpsestError("E_UPSTREAM", `${name} needs whole inputs, and one of them is only a part`, {
    hint: "read the earlier step to its end: page, or raise its limit",
  });
}

function ceilingOf(options: CallOptions): Ceilings {
  return {
    rows: options.ceilings?.rows ?? DEFAULT_CEILINGS.rows,
    steps: options.ceilings?.steps ?? DEFAULT_CEILINGS.steps,
  };
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
): Promise<AnyEnvelope> {
  const { declaration } = operator;
  // Subjects are judged at the later pin, so that is the one to hold.
  const pinned = engine.pin(Math.max(pins.tx, pins.otherTx));
  try {
    const ceiling = ceilingOf(options);
    const limits = { signal: options.signal, deadlineMs, stepCeiling: ceiling.steps };
    const step = options.step ?? PAGE;
    const resolved = declaration.resolve?.(pins.args, pinned, limits) ?? pins.args;
    const args = resolved instanceof Promise ? await resolved : resolved;
    // The arguments of an operator with a pin hold no tables, so this is done at once.
    const bindingOfCall = (): string => bindingOf(declaration.name, args) as string;
    if (cursor !== null && (cursor.binding !== bindingOfCall() || cursor.list >= declaration.lists.length)) {
      throw damagedCursor("it belongs to another call");
    }
    const unknown = unknownSubjects(declaration, args, pinned);
    if (unknown.length > 0 && !step.isUnknownEmpty) throw notKnown(unknown, pinned, pins.tx);
    const asked = unknown.length === 0 ? args : withoutUnknown(declaration, args, unknown);
    const estimate = guardCost(declaration, asked ?? args, pinned.statistics(), ceiling, operator.reread);
    let steps = 0;
    // Of the same moment as the pinned view, which goes on showing what an erasure takes away meanwhile.
    const erased = engine.erasedSince(pins.tx === pins.otherTx ? [pins.tx] : [pins.tx, pins.otherTx]);
    const context: RunContext = {
      tx: pins.tx,
      otherTx: pins.otherTx,
      list: cursor?.list ?? null,
      ordinal: cursor?.ordinal ?? 0,
      limit: rowsAsked(step, args),
      isAnyOrder: step.isAnyOrder === true,
      ...limits,
      onSteps: options.observe && ((more) => (steps += more)),
    };
    const answer =
      asked === null
        ? emptyAnswer(declaration, args)
        : await runCancellable(options.signal, deadlineMs, () =>
            runStep(pinned, declaration.name, asked, context, step),
          );
    checkWhole(declaration, answer, step);
    options.observe?.({ estimate, steps });
    return buildEnvelope(operator, {
      args,
      answer,
      cursor,
      binding: bindingOfCall,
      pin: pinOf(engine, pins.tx),
      notices: pins.notices,
      erased,
      otherPin: declaration.pins?.other == null ? null : pinOf(engine, pins.otherTx),
      isUpstreamIncomplete: options.upstream?.isIncomplete ?? false,
      isDigested: step.isDigested,
    });
  } finally {
    pinned.release();
  }
}

/** An operator over its arguments alone: no pin, no known uids, no engine. */
async function runAlone(
  operator: Operator,
  given: JsonObject,
  cursor: Cursor | null,
  options: CallOptions,
  turns: Turns,
): Promise<AnyEnvelope> {
  const { declaration } = operator;
  const upstream = options.upstream ?? NO_UPSTREAM;
  const { args, run, columns } = await declaration.prepare!(given, upstream, turns);
  if (cursor !== null) {
    const isOwn = cursor.tx === 0 && cursor.list < declaration.lists.length;
    if (!isOwn || cursor.binding !== (await bindingOf(declaration.name, args))) {
      throw damagedCursor("it belongs to another call");
    }
  }
  guardCost(declaration, args, null, ceilingOf(options), operator.reread);
  const from = cursor?.ordinal ?? 0;
  const step = options.step ?? PAGE;
  const answer =
    columns !== undefined && takesColumns(step)
      ? handedOver(declaration.name, await columns(), step)
      : await run(from, from + rowsAsked(step, args));
  turns.check();
  checkWhole(declaration, answer, step);
  const page = answer.lists[0] ?? null;
  const goesOn = page !== null && from + page.rows.length < page.total;
  const binding = goesOn ? await bindingOf(declaration.name, args) : "";
  const parts = { args, answer, cursor, binding: () => binding, pin: null, otherPin: null, notices: [] };
  const { erased, isIncomplete: isUpstreamIncomplete } = upstream;
  return buildEnvelope(operator, { ...parts, erased, isUpstreamIncomplete, isDigested: step.isDigested });
}

async function call(engine: OperatorEngine, op: string, given: unknown, options: CallOptions): Promise<AnyEnvelope> {
  const deadlineMs = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.timeoutMs;
  const operator = lookUp(op);
  const turns = new Turns(options.signal, deadlineMs, engine.callMemoryBytes);
  const { tables, declaration } = operator;
  const split = tables.length === 0 ? { rest: given, tables: {} } : await splitTables(given, tables, turns);
  const { args: read, cursor } = readArguments(operator, split);
  const args = options.step?.mostRows == null ? read : { ...read, limit: null };
  checkUpstream(operator, args, options.upstream ?? NO_UPSTREAM);
  checkCancelled(options.signal, deadlineMs);
  if (declaration.pins === null) return runAlone(operator, args, cursor, options, turns);
  if (cursor !== null && cursor.tx > engine.headTx()) throw damagedCursor("its commit does not exist here");
  const pins = await resolvePins(engine, args, declaration.pins, operator.time, cursor, options.signal);
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
    // Whoever names an operator without a pin knows that there is none.
    return (await call(engine, op, args ?? {}, options)) as Envelope;
  } catch (error) {
    throw error instanceof PalimpsestError ? error : internalError(error);
  }
}
