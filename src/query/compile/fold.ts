// Constants that a statement writes: points in time, durations and calendar steps, folded before anything runs.
// A path into the rows of a WITH step is not known yet: it becomes a reference.
import type {
  DurationLiteral,
  Expr,
  InstantLiteral,
  IntervalLiteral,
  Parameter,
  StringLiteral,
} from "../../../grammar/ast.js";
import { instantsOf, stepCalendar } from "../../calendar/local-time.js";
import { offsetText } from "../../calendar/offset-text.js";
import { periodBegins, TRUNC_UNITS } from "../../calendar/units.js";
import { zoneOf } from "../../calendar/zones.js";
import { formatDuration, parseDuration, parseStride, type Stride } from "../../contract/duration.js";
import { BEGINNING_US, formatInstant, LAST_INSTANT_US, OPEN_END_US } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { type CompileContext, zoneInForce } from "./context.js";
import { givenValue, instantForm } from "./parameters.js";
import type { Point } from "./periods.js";
import { type Placed, placed, refuse } from "./problem.js";

/** Gives the reference of a path into a WITH step; undefined for anything else. */
type PathReader = (expr: Expr) => string | undefined;

const NO_PATHS: PathReader = () => undefined;

const LOCAL = /^(-?\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)$/;
const DATE_ONLY = /^[+-]?\d{4,6}-\d\d-\d\d$/;
const EPOCH_SCALE = { s: 1_000_000n, ms: 1000n, us: 1n } as const;

function holdsParameter(tree: unknown): boolean {
  if (typeof tree !== "object" || tree === null) return false;
  return (tree as { kind?: unknown }).kind === "parameter" || Object.values(tree).some(holdsParameter);
}

export class Folder {
  constructor(
    readonly context: CompileContext,
    private readonly pathOf: PathReader = NO_PATHS,
  ) {}

  /** A point of time; everything else is refused with what was meant. */
  point(expr: Expr): Point {
    const ref = this.pathOf(expr);
    return ref === undefined ? { us: this.instant(expr) } : { ref };
  }

  /** Whether a point rests on a parameter whose value is still to come, so that it is some instant, and no one knows which. */
  isUnknown(expr: Expr): boolean {
    return this.context.parameters === null && holdsParameter(expr);
  }

  /** Microseconds of a constant instant, OPEN_END_US for FOREVER. */
  instant(expr: Expr): bigint {
    const us = this.tryInstant(expr);
    if (us !== undefined) return us;
    if (this.pathOf(expr) !== undefined) {
      return refuse(
        "E_INVALID_ARG",
        "point",
        expr,
        "a value of an earlier step stands for an instant only by itself",
        "compute it in the WITH query",
      );
    }
    return refuse(
      "E_SCHEMA",
      "point",
      expr,
      "this is not a constant instant",
      "TIMESTAMP '…Z', DATE '…', a parameter, a path into a WITH step, or these with + and - DURATION '…'",
    );
  }

  /** Undefined where the expression is no constant instant; refuses what looks like one and is wrong. */
  tryInstant(expr: Expr): bigint | undefined {
    switch (expr.kind) {
      case "named_instant":
        return this.named(expr.name);
      case "instant":
        return this.literal(expr);
      case "epoch": {
        const value = expr.value.kind === "integer" ? expr.value.value : this.integerParameter(expr.value);
        return placed("literal", expr, (where) => parseInstant(value * EPOCH_SCALE[expr.unit], where));
      }
      case "parameter":
        return this.parameter(expr);
      case "integer":
        return refuseEpoch(expr, expr.value);
      case "unary":
        return expr.op === "-" && expr.of.kind === "integer" ? refuseEpoch(expr, -expr.of.value) : undefined;
      case "string":
        return refuseText(expr, expr.value);
      case "binary":
        return expr.op === "+" || expr.op === "-" ? this.arithmetic(expr) : undefined;
      case "function":
        return expr.name.text.toUpperCase() === "DATE_TRUNC" ? this.truncated(expr) : undefined;
      default:
        return undefined;
    }
  }

  /** An exact duration, or a step of the calendar. */
  span(expr: Expr): Stride | undefined {
    switch (expr.kind) {
      case "duration":
        return { kind: "exact", us: this.duration(expr) };
      case "interval":
        return placed("literal", expr, (where) => parseStride(this.text(expr.text), where));
      case "parameter": {
        const value = givenValue(expr, this.context);
        if (value === undefined) return { kind: "exact", us: 1_000_000n };
        return typeof value === "string" && /^-?P/.test(value)
          ? { kind: "exact", us: placed("parameter", expr, (where) => parseDuration(value, where)) }
          : undefined;
      }
      case "unary": {
        const of = this.span(expr.of);
        if (of === undefined || expr.op === "not") return undefined;
        if (expr.op === "+") return of;
        return of.kind === "exact" ? { kind: "exact", us: -of.us } : { ...of, count: -of.count };
      }
      default:
        return undefined;
    }
  }

  duration(expr: DurationLiteral): bigint {
    return placed("literal", expr, (where) => parseDuration(this.text(expr.text), where));
  }

  stride(expr: IntervalLiteral): Stride {
    return placed("literal", expr, (where) => parseStride(this.text(expr.text), where));
  }

  /** The text of a literal that a parameter may give. */
  text(given: StringLiteral | Parameter): string {
    if (given.kind === "string") return given.value;
    const value = givenValue(given, this.context);
    if (value === undefined) return "PT1S";
    if (typeof value === "string") return value;
    return refuse("E_SCHEMA", "parameter", given, `$${given.name} is not a text`, "give a string");
  }

  /** Of an instant in the form of arguments. */
  instantOfText(text: string): bigint {
    return parseInstant(text, "as_of_tt");
  }

  /** A whole number that is written or given; one where parameters have no values yet. */
  count(given: { readonly kind: "integer"; readonly value: bigint } | Parameter): bigint {
    if (given.kind === "integer") return given.value;
    return this.context.parameters === null ? 1n : this.integerParameter(given);
  }

  private named(name: "forever" | "beginning" | "current_timestamp" | "current_date"): bigint {
    if (name === "forever") return OPEN_END_US;
    if (name === "beginning") return BEGINNING_US;
    const { nowUs } = this.context;
    return name === "current_timestamp" ? nowUs : periodBegins(nowUs, "day", zoneOf(zoneInForce(this.context), "zone"));
  }

  private literal(expr: InstantLiteral): bigint {
    if (expr.text.kind === "parameter" && this.context.parameters === null) return this.context.nowUs;
    const text = this.text(expr.text);
    if (expr.form === "date") {
      if (!DATE_ONLY.test(text)) {
        refuse(
          "E_INVALID_ARG",
          "literal",
          expr,
          `${JSON.stringify(text)} is not a date`,
          "write DATE '2025-03-01', or TIMESTAMP '2025-03-01T08:00:00Z'",
        );
      }
      return this.local(expr, text, "00:00:00");
    }
    if (DATE_ONLY.test(text)) {
      refuse("E_INVALID_ARG", "literal", expr, `${JSON.stringify(text)} has no time of day`, `write DATE '${text}'`);
    }
    return this.written(expr, text);
  }

  /** RFC 3339, or a local time where a zone was set. */
  private written(node: Placed, text: string): bigint {
    const local = LOCAL.exec(text);
    if (local !== null) {
      if (this.context.zone !== null) return this.local(node, local[1]!, local[2]!);
      refuse(
        "E_ZONE_MISSING",
        "literal",
        node,
        `${JSON.stringify(text)} has no zone`,
        `add Z or an offset: '${text}Z', '${text}+02:00'; or SET TIME ZONE 'Europe/Oslo'`,
      );
    }
    return placed("literal", node, (where) => parseInstant(text, where));
  }

  /** A local date and time in the zone in force. */
  private local(node: Placed, date: string, time: string): bigint {
    const asUtc = placed("literal", node, (where) => parseInstant(`${date}T${time}Z`, where));
    const name = zoneInForce(this.context);
    if (name === "UTC") return asUtc;
    const zone = placed("literal", node, (where) => zoneOf(name, where));
    const { instants, offsetsUs } = instantsOf(asUtc, zone);
    if (instants.length === 1) return instants[0]!;
    const offsets = offsetsUs.map(offsetText);
    const what =
      instants.length === 0 ? "does not exist: clocks go forward over it" : "exists twice: clocks go back over it";
    return refuse(
      "E_INVALID_ARG",
      instants.length === 0 ? "gap" : "overlap",
      node,
      `${date}T${time} ${what} in ${name}`,
      `say which: '${date}T${time}${offsets[0]}' or '${date}T${time}${offsets[1]}'`,
      { offsets },
    );
  }

  private integerParameter(parameter: Parameter): bigint {
    const value = givenValue(parameter, this.context);
    if (value === undefined) return 0n;
    if (typeof value === "bigint") return value;
    if (Number.isSafeInteger(value)) return BigInt(value as number);
    return refuse("E_SCHEMA", "parameter", parameter, `$${parameter.name} is not an integer`, "give a whole number");
  }

  private parameter(expr: Parameter): bigint | undefined {
    const value = givenValue(expr, this.context);
    if (value === undefined) return this.context.nowUs;
    if (typeof value === "number") return refuseEpoch(expr, Number.isInteger(value) ? BigInt(value) : null);
    if (typeof value === "bigint") return placed("parameter", expr, (where) => parseInstant(value, where));
    if (typeof value === "string") {
      return DATE_ONLY.test(value) ? this.local(expr, value, "00:00:00") : this.written(expr, value);
    }
    return instantForm(value, expr);
  }

  private arithmetic(expr: Extract<Expr, { kind: "binary" }>): bigint | undefined {
    const isSum = expr.op === "+";
    // `DURATION + instant` is read as well; a parameter that could be either is taken for the instant on the left.
    const isSwapped = isSum && (expr.left.kind === "duration" || expr.left.kind === "interval");
    const base = this.tryInstant(isSwapped ? expr.right : expr.left);
    if (base === undefined) return undefined;
    const span = this.span(isSwapped ? expr.left : expr.right);
    if (span === undefined) {
      return refuse(
        "E_SCHEMA",
        "point",
        expr.right,
        "only a duration or an interval can be added to an instant",
        "write DURATION 'PT6H' or INTERVAL 'P1M'",
      );
    }
    if (base === OPEN_END_US) {
      refuse(
        "E_INVALID_ARG",
        "point",
        expr,
        "FOREVER has no instants before or after it",
        "leave the sum out, or name an instant",
      );
    }
    const zone = zoneOf(zoneInForce(this.context), "zone");
    const us =
      span.kind === "exact"
        ? isSum
          ? base + span.us
          : base - span.us
        : stepCalendar(base, span, isSum ? 1 : -1, zone);
    if (us >= BEGINNING_US && us <= LAST_INSTANT_US) return us;
    return refuse(
      "E_INVALID_ARG",
      "point",
      expr,
      "the sum is outside the calendar",
      "years are -9999 to 9999; FOREVER is the open end",
    );
  }

  private truncated(expr: Extract<Expr, { kind: "function" }>): bigint | undefined {
    const [unit, of, zone] = expr.args;
    if (unit?.kind !== "string" || of === undefined || expr.args.length > 3) return undefined;
    const base = this.tryInstant(of);
    if (base === undefined) return undefined;
    const name = unit.value.toLowerCase();
    if (!(TRUNC_UNITS as readonly string[]).includes(name)) {
      refuse(
        "E_SCHEMA",
        "unit",
        unit,
        `${JSON.stringify(unit.value)} is no unit of DATE_TRUNC`,
        `one of ${TRUNC_UNITS.join(", ")}`,
      );
    }
    if (base === OPEN_END_US) refuse("E_INVALID_ARG", "point", expr, "FOREVER is in no period", "name an instant");
    const zoneName = zone === undefined ? zoneInForce(this.context) : zone.kind === "string" ? zone.value : undefined;
    if (zoneName === undefined) return undefined;
    return periodBegins(
      base,
      name,
      placed("literal", zone ?? expr, (where) => zoneOf(zoneName, where)),
    );
  }
}

/** What an integer would mean in seconds and in milliseconds, to show that its unit matters. */
function refuseEpoch(node: Placed, value: bigint | null): never {
  const shown = (name: string, scale: bigint): string | undefined => {
    const us = value! * scale;
    return us < BEGINNING_US || us > LAST_INSTANT_US
      ? undefined
      : `${name} ${value} (${formatInstant(us).slice(0, 10)})`;
  };
  const readings =
    value === null ? [] : [shown("EPOCH_S", 1_000_000n), shown("EPOCH_MS", 1000n), shown("EPOCH_US", 1n)];
  const known = readings.filter((reading) => reading !== undefined);
  return refuse(
    "E_EPOCH_UNIT",
    "point",
    node,
    value === null ? "a number is not an instant" : "an integer is not an instant",
    known.length > 0 ? known.join(", ") : "write EPOCH_S, EPOCH_MS or EPOCH_US before it",
  );
}

function refuseText(node: Placed, text: string): never {
  const form = DATE_ONLY.test(text) ? `DATE '${text}'` : `TIMESTAMP '${text}'`;
  return refuse("E_SCHEMA", "string_for_instant", node, "a string is not an instant", `write ${form}`);
}

/** The text of an instant in JSON arguments; null for the open end. */
/** The text of a stride in JSON arguments: exact ones never in days, which would be those of the calendar. */
export function strideText(stride: Stride): string {
  return stride.kind === "exact" ? formatDuration(stride.us) : `P${stride.count}${stride.unit}`;
}
