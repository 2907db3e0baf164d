// The longest chain of events from one named node to another, which LONGEST WALK asks for.
import { DURATION, INSTANT, INT, type TqlType } from "../../../relational/index.js";
import { refuse } from "../problem.js";
import type { Relation } from "../relation.js";
import { answerOf } from "./answer.js";
import type { AskedPath } from "./asked-path.js";

/** Undefined where the pattern is none that the operator answers. */
export function longestChain(path: AskedPath): Relation | undefined {
  const { pattern } = path.question;
  const { quantifier } = path.link;
  const [left, right] = path.ends;
  const hasOnlyUids = [left, right].every(
    ({ uid, filter, node }) => uid !== null && filter === null && node.in === null,
  );
  if (pattern.mode !== "walk" || path.time.ties === null || path.time.ties === "allow") {
    return refuse(
      "E_INVALID_ARG",
      "search",
      pattern,
      "LONGEST is for a WALK with TIES STRICT or TIES BY SEQ",
      "write LONGEST WALK TIME_RESPECTING (TIES STRICT)",
    );
  }
  if (!hasOnlyUids || quantifier?.min !== 1 || quantifier.max !== null || path.rest.length > 0) return undefined;
  if (path.link.direction === "any" || path.question.pattern.search?.count != null) return undefined;
  const { args, tx } = path.common();
  Object.assign(args, path.edges(tx));
  const within = path.span(path.time.within);
  if (within !== null) args.within = within;
  const isForward = path.link.direction === "out";
  const step = path.compiler.steps.add(
    "longest_temporal_chain",
    { ...args, ties: path.time.ties, start: (isForward ? left : right).uid, end: (isForward ? right : left).uid },
    { unknown: "empty" },
  );
  return answerOf(
    path,
    step,
    new Map<string, readonly [string, TqlType]>([
      ["LENGTH", ["length", INT]],
      ["DEPARTURE", ["departure", INSTANT]],
      ["ARRIVAL", ["arrival", INSTANT]],
      ["SPAN", ["span", DURATION]],
    ]),
    null,
    "fields",
  );
}
