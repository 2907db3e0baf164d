// MATCH of one node or one edge becomes scans with the conditions of the pattern, and one `select` over them.
// Which patterns can be answered is decided here; what each gives is in match-tables.ts and match-items.ts.
import type { MatchClause, MatchQuery, Pattern, Query } from "../../../grammar/ast.js";
import type { Compiler } from "./compiler.js";
import { PatternTables } from "./match-tables.js";
import { pathQuery } from "./paths/paths.js";
import { notSupported } from "./problem.js";
import type { Relation } from "./relation.js";
import type { Scope } from "./scope.js";
import { visit } from "./tree.js";

/** The one pattern of a query that can be answered. */
function onlyPattern(body: MatchQuery): { readonly clause: MatchClause; readonly pattern: Pattern } {
  const [clause, second] = body.clauses;
  if (second !== undefined) return notSupported(second, second.optional ? "OPTIONAL MATCH" : "a second MATCH");
  if (clause!.optional) return notSupported(clause!, "OPTIONAL MATCH");
  const [pattern, other] = clause!.patterns;
  if (other !== undefined) return notSupported(other, "a second pattern");
  visit([body.items, body.grouping, clause!.where, pattern], (node) => {
    if (node.kind === "count_pattern") notSupported(node, "COUNT { … }");
    if (node.kind === "exists" && "patterns" in (node as unknown as { of: object }).of)
      notSupported(node, "EXISTS { … }");
    return true;
  });
  return { clause: clause!, pattern: pattern! };
}

export function compileMatch(query: Query, body: MatchQuery, scope: Scope, compiler: Compiler): Relation {
  const { clause, pattern } = onlyPattern(body);
  const { links, nodes } = pattern.chain;
  const [link] = links;
  if (link !== undefined && links.length === 1) {
    const paths = pathQuery({ query, body, clause, pattern }, scope, compiler);
    if (paths !== undefined) return paths;
  }
  if (pattern.search !== null) return notSupported(pattern.search, "a search for paths");
  if (links.length > 1) return notSupported(links[1]!, "a pattern of several edges");
  if (link?.kind === "group") return notSupported(link, "a group that is repeated");
  if (link !== undefined && link.quantifier !== null) return notSupported(link.quantifier, "an edge that is repeated");
  if (pattern.time?.kind === "co_valid") return notSupported(pattern.time, "CO_VALID");
  if (pattern.time !== null && (pattern.time.arrival ?? pattern.time.maxWait ?? pattern.time.within) !== null) {
    return notSupported(pattern.time, "a path with options of time");
  }
  const tables = new PatternTables(query, body, clause, pattern, scope, compiler);
  return link === undefined ? tables.ofNode(nodes[0]!) : tables.ofEdge(link);
}
