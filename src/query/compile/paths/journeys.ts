// Journeys, which ARRIVAL asks for: best paths between two ends that are named, best values at an end that is free.
import type { Expr, FunctionCall, NodePattern, Pattern } from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import { DURATION, INSTANT, INT, JSON_TYPE, type TqlType } from "../../../relational/index.js";
import { checkNames } from "../labels.js";
import { refuse } from "../problem.js";
import type { Relation } from "../relation.js";
import { member, nameOf } from "../syntax.js";
import { visit } from "../tree.js";
import { answerOf } from "./answer.js";
import type { AskedPath } from "./asked-path.js";
import { freeEnd } from "./ends.js";

const CRITERIA: Readonly<Record<string, string>> = {
  earliest: "foremost",
  latest_departure: "latest_departure",
  fastest: "fastest",
  any: "shortest",
  shortest: "shortest",
};
const MOST_HOPS = 32;
const MOST_FREE_HOPS = 64;
const MOST_PATHS = 1000;

export function journeys(path: AskedPath): Relation {
  const { clause } = path.question;
  if (path.time.within !== null)
    refuse("E_INVALID_ARG", "time_option", path.time.within, "WITHIN does not go with ARRIVAL", "leave it out");
  if (path.time.ties === "by_seq")
    refuse(
      "E_INVALID_ARG",
      "time_option",
      path.time,
      "journeys have no event order",
      "write TIES STRICT or TIES ALLOW",
    );
  if (clause.patterns.length > 1)
    refuse("E_INVALID_ARG", "time_option", clause, "ARRIVAL is for one pattern", "leave the others out");
  refuseRest(path);
  const { args, tx } = path.common();
  args.orientation = orientation(path);
  args.arrival = path.time.arrival === "end" ? "valid_end" : "instant";
  args.ties = path.time.ties ?? "allow";
  Object.assign(args, path.edges(tx));
  for (const { node } of path.ends) checkNames(path.compiler, node.labels, "labels", tx);
  const isNamed = path.ends.every(({ uid }) => uid !== null);
  return isNamed ? betweenEnds(path, args) : fromOneEnd(path, args);
}

function betweenEnds(path: AskedPath, args: JsonObject): Relation {
  const { pattern } = path.question;
  const { search } = pattern;
  const criterion = search === null ? undefined : CRITERIA[search.kind];
  if (search === null || criterion === undefined || search.all) {
    return refuse(
      "E_INVALID_ARG",
      "search",
      search ?? pattern,
      "a journey is the best by something",
      "write EARLIEST, LATEST DEPARTURE, FASTEST, ANY SHORTEST or SHORTEST k",
    );
  }
  if (pattern.mode !== null && pattern.mode !== "acyclic") {
    refuse(
      "E_INVALID_ARG",
      "mode",
      pattern,
      "paths between two named ends visit no node twice",
      "write ACYCLIC, or leave the word out",
    );
  }
  const { quantifier } = path.link;
  const most = quantifier?.max ?? (quantifier === null ? 1 : null);
  if (most === null || most > MOST_HOPS) {
    refuse(
      "E_INVALID_ARG",
      "unbounded",
      quantifier ?? path.link,
      `paths here have at most ${MOST_HOPS} hops`,
      "write a bound: ->{1,6}",
    );
  }
  const k = search.count === null ? 1 : path.compiler.count(search.count, "the number of paths");
  if (k < 1 || k > MOST_PATHS) refuse("E_INVALID_ARG", "count", search, `${k} paths are not 1 to ${MOST_PATHS}`, "");
  const least = quantifier?.min ?? 1;
  if (least < 1) refuse("E_INVALID_ARG", "quantifier", quantifier!, "a journey has at least one hop", "write {1,n}");
  const [from, to] = path.ends;
  const step = path.compiler.steps.add(
    "temporal_paths",
    {
      ...args,
      src: from.uid,
      dst: to.uid,
      criterion,
      k,
      min_hops: least,
      max_hops: most,
      ...(readsEdges(path) ? { props: "all" } : {}),
      ...(from.filter === null ? {} : { src_filter: from.filter }),
      ...(to.filter === null ? {} : { dst_filter: to.filter }),
    },
    { unknown: "empty" },
  );
  return answerOf(
    path,
    step,
    new Map<string, readonly [string, TqlType]>([
      ["DEPARTURE", ["departure", INSTANT]],
      ["ARRIVAL", ["arrival", INSTANT]],
      ["SPAN", ["duration", DURATION]],
      ["LENGTH", ["hops", INT]],
      ["NODES", ["nodes", JSON_TYPE]],
      ["EDGES", ["edges", JSON_TYPE]],
    ]),
    null,
  );
}

/** Whether EDGES(p) is returned, which shows the properties of the edges too. */
function readsEdges(path: AskedPath): boolean {
  const { body, query } = path.question;
  let reads = false;
  visit([body.items, body.grouping, query.orderBy], (node) => {
    if (node.kind === "function" && (node as FunctionCall).name.text === "EDGES") reads = true;
    return !reads;
  });
  return reads;
}

function fromOneEnd(path: AskedPath, args: JsonObject): Relation {
  const { pattern } = path.question;
  const [left, right] = path.ends;
  const isForward = left.uid !== null;
  const named = isForward ? left : right;
  const free = isForward ? right : left;
  const { mode } = pattern;
  const { quantifier } = path.link;
  if (named.uid === null) return freeEnd(pattern, "no end is named by its uid");
  if (mode !== "walk") return freeEnd(pattern, "one end is free, so WALK must be written");
  if (quantifier === null || quantifier.min !== 1) return freeEnd(path.link, "the edge is repeated from once on");
  if (named.filter !== null || free.filter !== null)
    return freeEnd(free.node, "the ends carry no labels and no conditions here");
  const value = freeValue(pattern, isForward);
  if (quantifier.max !== null && quantifier.max > MOST_FREE_HOPS) freeEnd(quantifier, `at most ${MOST_FREE_HOPS} hops`);
  if (named.node.in !== null) freeEnd(named.node.in, "the named end is not IN a cohort");
  const to = free.node.in === null ? null : cohort(path, free.node);
  const step = path.compiler.steps.add(
    "temporal_reachability",
    {
      ...args,
      uid: named.uid,
      direction: isForward ? "forward" : "backward",
      ...(quantifier.max === null ? {} : { max_hops: quantifier.max }),
      ...(value === "hops" ? { hops: true } : {}),
      ...(to === null ? {} : { to }),
    },
    { unknown: "empty" },
  );
  const columns: Record<string, readonly [string, TqlType]> = {
    arrival: ["arrival", INSTANT],
    departure: ["departure", INSTANT],
    hops: ["hops", INT],
  };
  const name = { arrival: "ARRIVAL", departure: "DEPARTURE", hops: "LENGTH" }[value];
  return answerOf(path, step, new Map([[name, columns[value]!]]), free.node);
}

function freeValue(pattern: Pattern, isForward: boolean): "arrival" | "departure" | "hops" {
  const { search } = pattern;
  if (search?.count === null && !search.all) {
    if (search.kind === "earliest" && isForward) return "arrival";
    if (search.kind === "latest_departure" && !isForward) return "departure";
    if (search.kind === "any") return "hops";
  }
  if (search?.kind === "shortest" && !search.all) return "hops";
  return freeEnd(
    search ?? pattern,
    "EARLIEST needs its start named, LATEST DEPARTURE its end, ANY SHORTEST either; nothing else goes here",
  );
}

function cohort(path: AskedPath, node: NodePattern): JsonValue {
  const rows: Expr = { kind: "index", of: member(node.in!.text, "rows"), index: "*" };
  return path.json({ kind: "member", of: rows, name: nameOf("uid") });
}

function refuseRest({ rest }: AskedPath): void {
  const [first] = rest;
  if (first !== undefined)
    refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      first,
      "such a path takes no further conditions",
      "name the ends by uid, and filter the rows in a query around it",
    );
}

function orientation({ link }: AskedPath): string {
  const { direction } = link;
  return direction === "any" ? "both" : direction;
}
