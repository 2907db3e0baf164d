// The functions of compute by name: which work each is for its arguments and tables.
// The verifier of plans asks `answerTypes` before anything runs; a call asks `prepare`.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { AnswerTypes, ColumnTypes, PreparedCall, Upstream } from "../declaration.js";
import type { ValueType } from "../expressions/types.js";
import type { Turns } from "../turns.js";
import { type AggregateArguments, aggregateOf } from "./aggregates.js";
import { ofAll, perGroup } from "./groups.js";
import { type JoinArguments, joinWork } from "./joins.js";
import { type OrderItem, sortWork, type TopArguments, topWork } from "./ordering.js";
import { compileOver, deriveWork, filterWork, type ProjectedColumn, projectWork } from "./rows.js";
import { distinctWork, type SetArguments, setWork } from "./sets.js";
import { emptyTable, readTable, SCALAR, type Table } from "./table.js";
import { type IntervalArgument, type Operand, operand, type PairFunction, pairWork, relationWork } from "./values.js";
import type { Work } from "./work.js";

/** Arguments in canonical form, of any function. */
interface Given extends JsonObject {
  fn: string;
}

interface Inputs {
  readonly input: Table;
  readonly other: Table;
  operand(name: "x" | "y"): Operand;
}

interface Judged {
  readonly work: Work;
  /** Arguments that have another form than they were given in. */
  readonly echo: JsonObject;
}

/** The columns of `by` and their types, null where the arguments have none. */
function grouping(args: Given, input: Table) {
  const by = (args.by ?? null) as string[] | null;
  return by === null ? null : { by, types: by.map((column, i) => input.typeOf(column, `/by/${i}`)) };
}

function aggregated(args: Given, input: Table): Work {
  const aggregate = aggregateOf(input, args as unknown as AggregateArguments, "");
  const groups = grouping(args, input);
  if (groups === null) return ofAll(input, aggregate);
  return perGroup(input, groups.by, groups.types, [{ as: SCALAR, aggregate }]);
}

function grouped(args: Given, input: Table): Work {
  const { by, types } = grouping(args, input)!;
  const named = (args.aggregates as unknown as (AggregateArguments & { as: string })[]).map((each, i) => ({
    as: each.as,
    aggregate: aggregateOf(input, each, `/aggregates/${i}`),
  }));
  return perGroup(input, by, types, named);
}

function derivedColumns(args: Given, input: Table): Judged {
  const given = args.columns as { as: string; expr: JsonValue }[];
  const compiled = given.map(({ as, expr }, i) => ({ as, compiled: compileOver(input, expr, `/columns/${i}/expr`) }));
  const columns = compiled.map(({ as, compiled: { echo } }) => ({ as, expr: echo }));
  return { work: deriveWork(input, compiled), echo: { columns } };
}

function filtered(args: Given, input: Table): Judged {
  const test = compileOver(input, args.test as JsonValue, "/test");
  return { work: filterWork(input, test), echo: { test: test.echo } };
}

function pair(fn: PairFunction, inputs: Inputs): Judged {
  const [x, y] = [inputs.operand("x"), inputs.operand("y")];
  return { work: pairWork(fn, x, y), echo: { x: x.value, y: y.value } };
}

function judged(args: Given, inputs: Inputs): Judged {
  const { input, other } = inputs;
  const whole = (work: Work): Judged => ({ work, echo: {} });
  switch (args.fn) {
    case "group":
      return whole(grouped(args, input));
    case "topk":
      return whole(topWork(input, args as unknown as TopArguments));
    case "sort":
      return whole(sortWork(input, args.order as unknown as OrderItem[]));
    case "filter":
      return filtered(args, input);
    case "distinct":
      return whole(distinctWork(input, args.fields as string[] | null));
    case "derive":
      return derivedColumns(args, input);
    case "project":
      return whole(projectWork(input, args.fields as unknown as ProjectedColumn[]));
    case "join":
      return whole(joinWork(input, other, args as unknown as JoinArguments));
    case "union":
    case "intersect":
    case "difference":
      return whole(setWork(input, other, args as unknown as SetArguments));
    case "ratio":
    case "diff":
    case "percent":
      return pair(args.fn, inputs);
    case "interval_relation":
      return whole(relationWork(args.a as unknown as IntervalArgument, args.b as unknown as IntervalArgument));
    default:
      return whole(aggregated(args, input));
  }
}

/** A type that a caller named for a column that is nowhere. */
function checkNamedTypes(types: ColumnTypes, tables: readonly Table[]): void {
  const lost = Object.keys(types).find(
    (column) => tables.length > 0 && tables.every(({ missing }) => missing.includes(column)),
  );
  if (lost === undefined) return;
  const path = `/types/${lost}`;
  throw new PalimpsestError("E_SCHEMA", `${path}: no row has a column ${JSON.stringify(lost)}`, {
    details: { path },
    hint: "name the type of a column that is there",
  });
}

const valueType = (types: Upstream["types"], name: string): ValueType => types[name]?.[SCALAR] ?? "null";

/** The operands of a call: typed by the caller, by the schema of the step they come from, or by what they are. */
function operandOf(args: Given, named: ColumnTypes, told: Upstream["types"]) {
  return (name: "x" | "y"): Operand => operand(name, args[name] as JsonValue, named[name] ?? told[name]?.[SCALAR]);
}

/** Stage 5 for what the types of the inputs decide, and the work that is left. */
export async function prepare(args: JsonObject, upstream: Upstream, turns: Turns): Promise<PreparedCall> {
  const given = args as Given;
  const named = (args.types ?? {}) as ColumnTypes;
  const read = (name: string): Promise<Table> =>
    readTable(name, (args[name] ?? []) as JsonValue[], named, upstream.types[name], turns);
  const input = await read("input");
  const other = await read("other");
  checkNamedTypes(
    named,
    [input, other].filter(({ name }) => args[name] !== undefined),
  );
  const { work, echo } = judged(given, { input, other, operand: operandOf(given, named, upstream.types) });
  return {
    args: { ...args, ...echo },
    async run(from, to) {
      if (work.kind === "table") return { lists: [await work.run(from, to, turns)], fields: {} };
      const { value, type } = await work.run(turns);
      return { lists: [null], fields: { value, value_type: type } };
    },
  };
}

/** The type of `value`, or of the columns of `rows`, from the types of the inputs alone; throws what a call would. */
export function answerTypes(args: JsonObject, types: Upstream["types"]): AnswerTypes {
  const given = args as Given;
  const named = (args.types ?? {}) as ColumnTypes;
  const inline = operandOf(given, named, types);
  const { work } = judged(given, {
    input: emptyTable("input", named, types.input),
    other: emptyTable("other", named, types.other),
    // What stands for the value is a reference, or the value itself.
    operand: (name) => (types[name] === undefined ? inline(name) : { value: null, type: valueType(types, name) }),
  });
  return work.kind === "table"
    ? { kind: "table", columns: Object.fromEntries(work.columns) }
    : { kind: "value", columns: { [SCALAR]: work.type } };
}
