// The valid time of a write: the portion of SET, REMOVE and DELETE, and the stretch of INSERT, folded.
// Every write says it; leaving it out is an error with both cures.
import type { Insert, Portion } from "../../../grammar/ast.js";
import { BEGINNING_US, formatInstant, OPEN_END_US } from "../../contract/instant.js";
import type { Folder } from "../compile/fold.js";
import { isRef } from "../compile/periods.js";
import { type Placed, refuse } from "../compile/problem.js";

/** Half-open, `toUs` being OPEN_END_US where it has no end. */
export interface Stretch {
  readonly fromUs: bigint;
  readonly toUs: bigint;
}

export const ALL_TIME: Stretch = { fromUs: BEGINNING_US, toUs: OPEN_END_US };

const inOrder = (a: bigint, b: bigint): readonly [bigint, bigint] => (a < b ? [a, b] : [b, a]);

/** What both share; null where they have no instant in common. */
export function common(a: Stretch, b: Stretch): Stretch | null {
  const [, fromUs] = inOrder(a.fromUs, b.fromUs);
  const [toUs] = inOrder(a.toUs, b.toUs);
  return fromUs < toUs ? { fromUs, toUs } : null;
}

function constant(expr: Parameters<Folder["point"]>[0], folder: Folder): bigint {
  const point = folder.point(expr);
  if (!isRef(point)) return point.us;
  return refuse("E_INVALID_ARG", "point", expr, "the time of a write is a constant", "give the instant as a parameter");
}

function ordered(fromUs: bigint, toUs: bigint, node: Placed, { context }: Folder): Stretch {
  // While parameters have no values, any instants stand for them.
  if (context.parameters === null) return ALL_TIME;
  if (fromUs === OPEN_END_US) {
    refuse("E_INVALID_ARG", "point", node, "nothing begins at FOREVER", "give an instant");
  }
  if (fromUs < toUs) return { fromUs, toUs };
  const [from, to] = [formatInstant(fromUs), formatInstant(toUs)];
  return refuse(
    "E_PERIOD_ORDER",
    "period",
    node,
    `FROM ${from} is not before TO ${to}`,
    fromUs === toUs
      ? "give TO a later instant; it is not part of the period"
      : `swap them: FROM TIMESTAMP '${to}' TO TIMESTAMP '${from}'`,
  );
}

export function portionOf({ period }: Portion, write: Placed, folder: Folder): Stretch {
  if (period === null) {
    return refuse(
      "E_PORTION_REQUIRED",
      "write",
      write,
      "for which time? A write says for which valid time it holds",
      "FOR PORTION OF VALID_TIME FROM CURRENT_TIMESTAMP, or FOR PORTION OF VALID_TIME ALL",
    );
  }
  if (period === "all") return ALL_TIME;
  return ordered(
    constant(period.from, folder),
    period.to === null ? OPEN_END_US : constant(period.to, folder),
    period.from,
    folder,
  );
}

export function insertedTime({ time }: Insert, write: Placed, folder: Folder): Stretch {
  if (time === null) {
    return refuse(
      "E_PORTION_REQUIRED",
      "write",
      write,
      "for which time? An INSERT says for which valid time it holds",
      "FOR VALID_TIME FROM CURRENT_TIMESTAMP, or FOR VALID_TIME ALL",
    );
  }
  switch (time.kind) {
    case "all":
      return ALL_TIME;
    case "at": {
      const fromUs = constant(time.point, folder);
      return ordered(fromUs, fromUs + 1n, time.point, folder);
    }
    case "range":
      return ordered(
        constant(time.from, folder),
        time.to === null ? OPEN_END_US : constant(time.to, folder),
        time.from,
        folder,
      );
  }
}
