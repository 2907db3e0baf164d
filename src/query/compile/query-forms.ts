// Hands a query to the file of its form: CALL, MATCH, SELECT and set operations.
import type { Query } from "../../../grammar/ast.js";
import { aggregated } from "./aggregate/aggregate.js";
import { compileCall } from "./call-query.js";
import type { Compiler } from "./compiler.js";
import { compileMatch } from "./match.js";
import type { Relation } from "./relation.js";
import type { Scope } from "./scope.js";
import { SelectCompiler } from "./select.js";

export function compileForm(query: Query, scope: Scope, compiler: Compiler, isAnswer: boolean): Relation {
  const { body } = query;
  switch (body.kind) {
    case "call":
      return compileCall(query, body, scope, compiler);
    case "match":
      return compileMatch(query, body, scope, compiler);
    case "query":
      if (query.orderBy.length === 0 && query.limit === null && query.offset === null) {
        return compiler.query(body, scope, isAnswer);
      }
      return new SelectCompiler(compiler).compile(query, scope);
    default:
      return compileSelect(query, scope, compiler, isAnswer);
  }
}

function compileSelect(query: Query, scope: Scope, compiler: Compiler, isAnswer: boolean): Relation {
  const found = aggregated(query, scope, compiler, isAnswer);
  if (found === undefined) return new SelectCompiler(compiler).compile(query, scope);
  if ("relation" in found) return found.relation;
  return new SelectCompiler(compiler).compile(found.onward.query, found.onward.scope);
}
