// Patterns of one repeated edge under TIME_RESPECTING that are questions of an operator: best paths between two named
// ends, best values at a free end, the longest chain. Everything else is left for its asker.
import type { Compiler } from "../compiler.js";
import type { Relation } from "../relation.js";
import type { Scope } from "../scope.js";
import { AskedPath, type PathQuestion } from "./asked-path.js";
import { journeys } from "./journeys.js";
import { longestChain } from "./longest-chain.js";

/** Undefined where the pattern is none of these questions. */
export function pathQuery(question: PathQuestion, scope: Scope, compiler: Compiler): Relation | undefined {
  const { pattern } = question;
  const [link] = pattern.chain.links;
  if (link?.kind !== "edge" || pattern.time?.kind !== "time_respecting") return undefined;
  const isTravel = pattern.time.arrival !== null;
  if (!isTravel && pattern.search?.kind !== "longest") return undefined;
  const path = new AskedPath(question, link, pattern.time, scope, compiler);
  return isTravel ? journeys(path) : longestChain(path);
}
