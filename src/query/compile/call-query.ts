// CALL as a query: the operator's step, LIMIT and OFFSET as its slice, WHERE and ORDER BY as a `select` over its rows.
// CALL "select" is the statement in its text.
import type { CallQuery, Expr, Query, Table } from "../../../grammar/ast.js";
import { parseSelect } from "../../../grammar/index.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { propertyTable, type ScanTable } from "../../operators/scan-columns.js";
import { JSON_TYPE, type TqlType } from "../../relational/index.js";
import { type PreparedCall, prepareCall, relationOfCall } from "./call.js";
import type { Compiler } from "./compiler.js";
import { refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import { type Common, NO_NAMES, type Scope } from "./scope.js";
import { SelectCompiler } from "./select.js";
import type { StepOptions } from "./steps.js";
import { member, nameOf, selectOf } from "./syntax.js";
import { replaced, type TreeNode } from "./tree.js";

export function compileCall(query: Query, body: CallQuery, scope: Scope, compiler: Compiler): Relation {
  if (body.call.name.text === "select") return writtenSelect(query, body, compiler);
  const prepared = preparedCall(body.call, scope, compiler);
  const isCut = query.limit !== null || query.offset !== null;
  const needsSelect = body.where !== null || query.orderBy.length > 0 || query.withTies;
  if (needsSelect) return callAndSelect(query, body, prepared, scope, compiler);
  const count = query.limit === null ? null : compiler.count(query.limit, "LIMIT");
  const offset = query.offset === null ? 0 : compiler.count(query.offset, "OFFSET");
  return callStep(compiler, prepared, body, isCut ? { slice: [offset, count] } : {});
}

/** CALL "select"(query => '…') is the statement in its text: sources become scans, as anywhere. */
function writtenSelect(query: Query, body: CallQuery, compiler: Compiler): Relation {
  const { call, yields, where } = body;
  const isPlain = yields === null && where === null && query.orderBy.length === 0 && query.limit === null;
  const [argument, ...others] = call.args;
  const text = argument?.name.text === "query" ? argument.value : undefined;
  if (text?.kind !== "string" || others.length > 0 || call.times.length > 0 || !isPlain || query.offset !== null) {
    return refuse(
      "E_INVALID_ARG",
      "select_call",
      call,
      "CALL \"select\" takes one text, query => 'SELECT …', and nothing around it",
      "write the SELECT itself",
    );
  }
  const parsed = parseSelect(text.value);
  if (parsed.problem !== null) {
    const { code, kind, message, hint } = parsed.problem;
    return refuse(code, kind, text, `in the text: ${message}`, hint);
  }
  return compiler.within(NO_NAMES, () => new SelectCompiler(compiler).compile(parsed.query, NO_NAMES));
}

/** WHERE and ORDER BY over the rows of a call are a `select`, which takes LIMIT too. */
function callAndSelect(
  query: Query,
  body: CallQuery,
  prepared: PreparedCall,
  scope: Scope,
  compiler: Compiler,
): Relation {
  const relation = callStep(compiler, prepared, body, {});
  const rows: Relation = relation.kind === "fields" ? relation : callStep(compiler, prepared, { yields: null }, {});
  const name = body.call.name;
  const shown = new Map(relation.columns.map((column) => [column.name, column.from]));
  const table: Table = { kind: "named", path: [name], alias: null };
  const items = relation.columns.map(
    ({ name: as, from }) =>
      ({ kind: "expr", expr: member(name.text, relation.kind === "fields" ? as : from), as: nameOf(as) }) as const,
  );
  // Names that YIELD gave stand for the columns that they were given to.
  const replace = (node: TreeNode): unknown => {
    const expr = node as unknown as Expr;
    const from = expr.kind === "name" ? shown.get(expr.name.text) : undefined;
    return from === undefined || relation.kind === "fields" ? undefined : member(name.text, from);
  };
  const select = {
    ...selectOf(items, [{ table, joins: [] }]),
    where: body.where === null ? null : replaced(body.where, replace),
  };
  const orderBy = query.orderBy.map((sort) => ({ ...sort, expr: replaced(sort.expr, replace) }));
  const common: Common = { name, query, scope, relation: rows };
  return new SelectCompiler(compiler).compile({ ...query, body: select, orderBy }, scope.with(common));
}

function preparedCall(call: CallQuery["call"], scope: Scope, compiler: Compiler): PreparedCall {
  const references = (expr: Expr): string | undefined => compiler.path(expr, scope)?.ref;
  const prepared = prepareCall(call, compiler.folder, references, compiler.times);
  compiler.note(prepared.operator.declaration.name, prepared.times, (prepared.args.as_of_tt ?? null) as JsonValue);
  return prepared;
}

function callStep(
  compiler: Compiler,
  prepared: PreparedCall,
  body: Pick<CallQuery, "yields">,
  options: StepOptions,
): Relation {
  const { name } = prepared.operator.declaration;
  const step = compiler.steps.add(name, prepared.args, options);
  return relationOfCall(step, prepared, body.yields, (args, property) => scannedType(compiler, args, property));
}

/** The type of a property in a scan that somebody wrote out. */
function scannedType(compiler: Compiler, args: JsonObject, property: string): TqlType {
  const table = propertyTable(args.of as ScanTable, (args.kind ?? null) as "node" | "edge" | null);
  if (table === null) return JSON_TYPE;
  const names = Array.isArray(args.names) ? (args.names as string[]) : null;
  const tx = compiler.commitOf((args.as_of_tt ?? null) as JsonValue);
  const kind = compiler.context.catalogue.at(tx).properties(table, names).get(property);
  return kind === undefined ? JSON_TYPE : { kind };
}
