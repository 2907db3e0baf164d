// Time clauses folded: which stretch of an axis a source asks for, by its own clause or by a default.
// Knows axes and points; what a table or an operator makes of them is not its business.
import type { Axis, Default, Expr, Period, TimeClause } from "../../../grammar/ast.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import type { JsonValue } from "../../contract/values.js";
import type { CompileContext, Notice } from "./context.js";
import type { Folder } from "./fold.js";
import {
  isRef,
  type Point,
  pointText,
  type Stretch,
  type TimeDefaults,
  type TransactionPeriod,
  type ValidPeriod,
} from "./periods.js";
import { type Placed, refuse } from "./problem.js";

/** The periods of one source, and which of them nobody named. */
export interface SourceTimes {
  readonly valid: ValidPeriod;
  readonly transaction: TransactionPeriod;
  readonly validFrom: "clause" | "default" | "nobody";
  readonly transactionFrom: "clause" | "default" | "nobody";
  /** Where the clauses stand, for errors. */
  readonly validAt: Placed;
  readonly transactionAt: Placed;
}

/** The commit that a source is read at: the argument of a step, and the commit whose names hold. */
export interface Pin {
  readonly asOf: JsonValue;
  readonly tx: number;
}

const NAMES: Readonly<Record<Axis, string>> = { valid_time: "VALID_TIME", transaction_time: "TRANSACTION_TIME" };

export class Times {
  private readonly setting: TimeDefaults;
  private readonly said = new Map<string, Notice>();

  constructor(
    readonly context: CompileContext,
    readonly folder: Folder,
    setting: readonly Default[],
  ) {
    this.setting = this.defaults(setting);
  }

  /** What SET DEFAULT keeps, and what SETTING means for one statement. */
  defaults(given: readonly Default[]): TimeDefaults {
    let valid: ValidPeriod | null = null;
    let transaction: TransactionPeriod | null = null;
    for (const { axis, period } of given) {
      if (axis === "valid_time") valid = this.valid(period);
      else transaction = this.transaction(period);
    }
    return { valid, transaction };
  }

  /** The clauses of one source, with defaults where it has none. */
  of(clauses: readonly TimeClause[], node: Placed): SourceTimes {
    const byAxis = new Map<Axis, TimeClause>();
    for (const clause of clauses) {
      if (byAxis.has(clause.axis)) {
        refuse("E_INVALID_ARG", "time", clause, `${NAMES[clause.axis]} is said twice`, "leave one of the clauses out");
      }
      byAxis.set(clause.axis, clause);
    }
    const valid = byAxis.get("valid_time");
    const transaction = byAxis.get("transaction_time");
    const { session } = this.context;
    const validDefault = this.setting.valid ?? session.valid;
    const transactionDefault = this.blockPin() ?? this.setting.transaction ?? session.transaction;
    return {
      valid: valid === undefined ? (validDefault ?? { kind: "all" }) : this.valid(valid.period),
      transaction:
        transaction === undefined ? (transactionDefault ?? { kind: "latest" }) : this.transaction(transaction.period),
      validFrom: valid !== undefined ? "clause" : validDefault === null ? "nobody" : "default",
      transactionFrom: transaction !== undefined ? "clause" : transactionDefault === null ? "nobody" : "default",
      validAt: valid ?? node,
      transactionAt: transaction ?? node,
    };
  }

  /** The pin that nobody's clause decides: SETTING, block or session; null for the latest commit. */
  defaultPin(): TransactionPeriod | null {
    return this.blockPin() ?? this.setting.transaction ?? this.context.session.transaction;
  }

  notices(): Notice[] {
    return [...this.said.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  }
  say(code: string, message: string): void {
    if (!this.said.has(code)) this.said.set(code, { code, message });
  }

  /** For reads at one commit; a range of transaction time is refused. */
  pin(period: TransactionPeriod, node: Placed, hint: string): Pin {
    const { source } = this.context.catalogue;
    switch (period.kind) {
      case "latest":
        return { asOf: null, tx: source.headTx() };
      case "tx":
        return { asOf: `tx:${period.tx}`, tx: period.tx };
      case "at": {
        const { at } = period;
        // A pin that an earlier step gives is known only later: names are those of the newest commit.
        if (isRef(at)) return { asOf: { $ref: at.ref }, tx: source.headTx() };
        return { asOf: formatInstant(at.us), tx: source.txAt(at.us) };
      }
      default:
        return refuse(
          "E_AXIS",
          "tx_range",
          node,
          "a range of transaction time is for VERSIONS; everything else is read at one commit",
          hint,
        );
    }
  }

  valid(period: Period): ValidPeriod {
    switch (period.kind) {
      case "all":
        return { kind: "all" };
      case "as_of":
        return { kind: "at", at: this.instantPoint(period.point) };
      case "as_of_tx":
        return refuse(
          "E_AXIS",
          "tx",
          period,
          "TX counts commits, and valid time has none",
          `write FOR TRANSACTION_TIME AS OF TX ${this.countText(period.tx)}`,
        );
      case "as_of_latest":
        return refuse(
          "E_AXIS",
          "latest",
          period,
          "LATEST is a commit, and valid time has none",
          "write FOR VALID_TIME AS OF CURRENT_TIMESTAMP, or FOR TRANSACTION_TIME AS OF LATEST",
        );
      default:
        return this.stretch(period);
    }
  }

  transaction(period: Period): TransactionPeriod {
    const folded = this.foldTransaction(period);
    const { blockTx } = this.context;
    if (blockTx === null) return folded;
    if (folded.kind === "tx" && folded.tx === blockTx) return folded;
    return refuse(
      "E_STATE",
      "block_pin",
      period,
      `this block reads commit ${blockTx}`,
      "leave the clause out, or end the block with COMMIT",
    );
  }

  private foldTransaction(period: Period): TransactionPeriod {
    switch (period.kind) {
      case "all":
        return { kind: "all" };
      case "as_of_latest":
        return { kind: "latest" };
      case "as_of_tx":
        return { kind: "tx", tx: this.commit(period) };
      case "as_of": {
        const at = this.instantPoint(period.point);
        if (!isRef(at) && at.us > this.context.nowUs) {
          this.say("W_PIN_AFTER_LATEST", "a pin lies after now: later commits may still change what it shows");
        }
        return { kind: "at", at };
      }
      case "from_to":
        if (period.only) {
          refuse(
            "E_AXIS",
            "only",
            period,
            "ONLY cuts the shown period, which only valid time has",
            "write FOR TRANSACTION_TIME FROM … TO …, on VERSIONS",
          );
        }
        return this.stretch(period);
      default:
        return this.stretch(period);
    }
  }

  private blockPin(): TransactionPeriod | null {
    const { blockTx } = this.context;
    return blockTx === null ? null : { kind: "tx", tx: blockTx };
  }

  private countText(count: Extract<Period, { kind: "as_of_tx" }>["tx"]): string {
    return count.kind === "integer" ? String(count.value) : `$${count.name}`;
  }

  private commit(period: Extract<Period, { kind: "as_of_tx" }>): number {
    const newest = this.context.catalogue.source.headTx();
    const { tx } = period;
    if (tx.kind === "parameter" && this.context.parameters === null) return newest;
    const value = tx.kind === "integer" ? tx.value : this.folder.count(tx);
    if (value > BigInt(newest) || value < 0n) {
      refuse(
        "E_TX_UNKNOWN",
        "tx",
        period,
        `there is no commit ${value}; the newest is ${newest}`,
        `write AS OF TX ${newest}`,
        { found: String(value), newest },
      );
    }
    return Number(value);
  }

  private instantPoint(expr: Expr): Point {
    const point = this.folder.point(expr);
    if (!isRef(point) && point.us === OPEN_END_US) {
      refuse(
        "E_INVALID_ARG",
        "point",
        expr,
        "FOREVER is an open end, not an instant at which something holds",
        "name an instant, or ask FOR VALID_TIME ALL",
      );
    }
    return point;
  }

  private stretch(period: Extract<Period, { kind: "from_to" | "between" | "contained_in" }>): Stretch {
    const form = period.kind === "from_to" ? (period.only ? "only" : "from_to") : period.kind;
    const from = this.instantPoint(period.from);
    const to = this.folder.point(period.to);
    const isUnknown = this.folder.isUnknown(period.from) || this.folder.isUnknown(period.to);
    if (!isRef(from) && !isRef(to) && !isUnknown) {
      const isOrdered = form === "between" ? from.us <= to.us : from.us < to.us;
      if (!isOrdered) refuseOrder(period, form, from.us, to.us);
    }
    if (form === "between") {
      if (isRef(to)) {
        refuse(
          "E_INVALID_ARG",
          "point",
          period.to,
          "BETWEEN takes an end that is known when the statement is compiled",
          "write FROM … TO …, whose end is left out",
        );
      }
      this.say("W_BETWEEN_END", "BETWEEN takes what begins at its second instant, too; FROM … TO … leaves it out");
    } else if (!isRef(to) && isHandInclusive(to.us)) {
      this.say(
        "W_HAND_INCLUSIVE",
        `a period ends at ${formatInstant(to.us)}: periods are half-open, and the last unit is left out`,
      );
    }
    return { kind: "window", form, from, to };
  }
}

function refuseOrder(period: Placed, form: Stretch["form"], fromUs: bigint, toUs: bigint): never {
  const text = (us: bigint): string => (us === OPEN_END_US ? "FOREVER" : `TIMESTAMP '${formatInstant(us)}'`);
  const [from, to] = [text(fromUs), text(toUs)];
  const swapped = {
    from_to: `FROM ${to} TO ${from}`,
    only: `ONLY FROM ${to} TO ${from}`,
    between: `BETWEEN ${to} AND ${from}`,
    contained_in: `CONTAINED IN (${to}, ${from})`,
  }[form];
  const hint = fromUs === toUs ? `a single instant is AS OF ${from}` : `write ${swapped}`;
  return refuse(
    "E_PERIOD_ORDER",
    "period",
    period,
    `${pointText(fromUs) ?? "FOREVER"} is not before ${pointText(toUs) ?? "FOREVER"}`,
    hint,
  );
}

/** Ends such as 23:59:59 or 12:00:00.999, which were meant to take the last unit along. */
function isHandInclusive(us: bigint): boolean {
  if (us === OPEN_END_US) return false;
  const inMinute = ((us % 60_000_000n) + 60_000_000n) % 60_000_000n;
  const inSecond = inMinute % 1_000_000n;
  return inMinute === 59_000_000n || inSecond === 999_000n || inSecond === 999_999n;
}
