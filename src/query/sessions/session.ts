// A session: statements that share a zone, defaults of time and a block. What db.session() gives.
// Statements run in the order in which they were given; reads run beside each other.
import { parseScript, parseStatement } from "../../../grammar/index.js";
import type { Envelope } from "../../contract/envelope.js";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import { commitOfPin } from "../../operators/canonical-args.js";
import { lookUp } from "../../operators/registry.js";
import { wallClockUs } from "../../store/commit-clock.js";
import { checkNames } from "../../store/option-checks.js";
import { NO_DEFAULTS, type TransactionPeriod } from "../compile/periods.js";
import type { Answer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import { notNow } from "../statements/limits.js";
import type { QueryOptions } from "../statements/options.js";
import { beginsAtOnce, sourceOf } from "../statements/parse.js";
import { QueryRun } from "../statements/query-run.js";
import type { RowOf } from "../statements/row-types.js";
import { StatementRun } from "../statements/runner.js";
import { syntaxError } from "../syntax-error.js";
import { SessionCell } from "./cell.js";
import { contextIn, type SessionState, STATELESS, shownPin, withDefaults, withZone } from "./state.js";

export interface SessionOptions {
  /** The commit that statements read: `tx:12`, or an instant. As SET DEFAULT TRANSACTION_TIME AS OF. */
  readonly pin?: unknown;
  /** As SET TIME ZONE. */
  readonly zone?: string;
  /** Periods as SET DEFAULT takes them: `{validTime: "AS OF DATE '2025-03-01'"}`. */
  readonly defaults?: { readonly validTime?: string; readonly transactionTime?: string };
  /** Refuses every write. */
  readonly readOnly?: boolean;
}

/** What the prompt of a session shows. */
export interface SessionView {
  /** The pin in force, as `tx:812`; null for the latest commit. */
  readonly pin: string | null;
  readonly zone: string;
  readonly block: "read_only" | "read_write" | null;
}

export interface ScriptOptions extends QueryOptions {
  /** Goes on after a failure; otherwise the first one is the last outcome. */
  readonly keepGoing?: boolean;
}

/** What became of one statement of a script. */
export type StatementOutcome = {
  readonly text: string;
  /** Where the statement begins in the script, in UTF-16 units. */
  readonly offset: number;
} & ({ readonly answer: Answer; readonly error: null } | { readonly answer: null; readonly error: PalimpsestError });

type CallOperatorOf = (op: string, args: unknown, options: QueryOptions) => Promise<Envelope>;

const refuse = (message: string): never => {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint: "see SessionOptions" });
};

function checkSessionOptions(options: unknown): asserts options is SessionOptions {
  if (typeof options !== "object" || options === null) return refuse("options are an object");
  checkNames(options, ["pin", "zone", "defaults", "readOnly"], "option");
  const { zone, defaults, readOnly } = options as SessionOptions;
  if (zone !== undefined && typeof zone !== "string") refuse("zone is the name of a time zone");
  if (readOnly !== undefined && typeof readOnly !== "boolean") refuse("readOnly is true or false");
  if (defaults === undefined) return;
  if (typeof defaults !== "object" || defaults === null) return refuse("defaults are an object");
  checkNames(defaults, ["validTime", "transactionTime"], "default");
  for (const [name, text] of Object.entries(defaults)) {
    if (text !== undefined && typeof text !== "string") refuse(`the default ${name} is a period in TQL`);
  }
}

/** A pin of JavaScript: a commit, or any form of an instant. */
function pinned(pin: unknown, head: number): TransactionPeriod {
  const commit = typeof pin === "string" ? commitOfPin(pin) : undefined;
  if (commit === undefined) return { kind: "at", at: { us: parseInstant(pin, "pin") } };
  if (commit <= BigInt(head)) return { kind: "tx", tx: Number(commit) };
  throw new PalimpsestError("E_TX_UNKNOWN", `pin: commit tx:${commit} does not exist yet`, {
    details: { latest: head },
    hint: `the latest is tx:${head}`,
  });
}

function initialState(options: SessionOptions, host: QueryHost): SessionState {
  const { catalogue } = host.published;
  let state = STATELESS;
  if (options.zone !== undefined) state = withZone(state, { zone: options.zone }, {});
  if (options.pin !== undefined && options.pin !== null) {
    const transaction = pinned(options.pin, catalogue.source.headTx());
    state = { ...state, defaults: { ...NO_DEFAULTS, transaction } };
  }
  const { validTime, transactionTime } = options.defaults ?? {};
  const texts = [
    ...(validTime === undefined ? [] : [`SET DEFAULT VALID_TIME ${validTime}`]),
    ...(transactionTime === undefined ? [] : [`SET DEFAULT TRANSACTION_TIME ${transactionTime}`]),
  ];
  for (const text of texts) {
    const { statement, problem } = parseStatement(text);
    if (problem !== null) throw syntaxError(problem, text);
    if (statement.kind !== "set_defaults") return refuse("a default is one period");
    const context = contextIn(state, { catalogue, parameters: {}, nowUs: wallClockUs() });
    state = withDefaults(state, statement.defaults, context);
  }
  return state;
}

export class QuerySession {
  private readonly cell: SessionCell;

  constructor(
    private readonly host: QueryHost,
    options: SessionOptions,
    private readonly callOperator: CallOperatorOf,
  ) {
    const state = readGiven("options", "the options", () => {
      checkSessionOptions(options);
      return initialState(options, host);
    });
    this.cell = new SessionCell(state, state, true, options.readOnly ?? false);
  }

  /** One statement: awaited the whole answer, iterated row after row. */
  query<const Text extends string>(text: Text, options: QueryOptions = {}): QueryRun<Answer<RowOf<Text>>> {
    const source = sourceOf(text);
    const run = new QueryRun<Answer<RowOf<Text>>>(new StatementRun(this.host, this.cell, source, options));
    return beginsAtOnce(source) ? run.begin() : run;
  }

  /** The statements of a text one after the other, with what became of each. */
  async *script(text: string, options: ScriptOptions = {}): AsyncGenerator<StatementOutcome, void, undefined> {
    const { keepGoing = false, ...rest } = options;
    for (const { statement, problem, text: own, offset } of parseScript(text)) {
      const source = () => {
        if (statement === null) throw syntaxError(problem!, text);
        return statement;
      };
      let outcome: StatementOutcome;
      try {
        const answer = await new QueryRun(new StatementRun(this.host, this.cell, source, rest));
        outcome = { text: own, offset, answer, error: null };
      } catch (error) {
        if (!(error instanceof PalimpsestError)) throw error;
        outcome = { text: own, offset, answer: null, error };
      }
      yield outcome;
      if (outcome.error !== null && !keepGoing) return;
    }
  }

  /** Calls an operator, at the pin of the session where the arguments name none. */
  async call(op: string, args: unknown = {}, options: QueryOptions = {}): Promise<Envelope> {
    const state = await this.cell.look();
    const pin = state.block === null ? shownPin(state.defaults.transaction) : `tx:${state.block.tx}`;
    return this.callOperator(op, pin === null ? args : withPin(op, args, pin, state), options);
  }

  /** The state after the statements that have run. */
  state(): SessionView {
    const { zone, defaults, block } = this.cell.state;
    const pin = block?.kind === "read_only" ? `tx:${block.tx}` : shownPin(defaults.transaction);
    return { pin, zone: zone ?? "UTC", block: block?.kind ?? null };
  }

  /** Ends the session; a block that is open is dropped. */
  close(): void {
    this.cell.close();
  }
}

/** The arguments with the session's pin where they name none; in a block another pin is refused. */
function withPin(op: string, args: unknown, pin: string, { block }: SessionState): unknown {
  const { pins } = lookUp(op).declaration;
  if (pins === null || typeof args !== "object" || args === null) return args;
  return [pins.envelope, ...(pins.other === null ? [] : [pins.other])].reduce(
    (given, path) => pinnedAt(given, path.split("."), pin, block !== null),
    args as JsonObject,
  );
}

function pinnedAt(given: JsonObject, [key, ...rest]: string[], pin: string, isBlock: boolean): JsonObject {
  const value = given[key!];
  if (rest.length > 0) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return given;
    return { ...given, [key!]: pinnedAt(value, rest, pin, isBlock) };
  }
  if (value === undefined || value === null) return { ...given, [key!]: pin };
  if (isBlock && value !== pin) {
    throw notNow(`this block reads ${pin}`, `leave ${key} out, or end the block with COMMIT`, "block_pin");
  }
  return given;
}
