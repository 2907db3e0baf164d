// CALL: an operator by its registered name, arguments as JSON, time clauses in the arguments that the registry names.
// Judges names; values are judged by the operator's own schema.
import type { CallQuery, Invocation } from "../../../grammar/ast.js";
import { PalimpsestError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { columnsOfCall } from "../../operators/aggregate-columns.js";
import { lookUp, type Operator } from "../../operators/registry.js";
import { columnType, propertyOfColumn, type ScanTable, tableColumns } from "../../operators/scan-columns.js";
import { JSON_TYPE, type TqlType } from "../../relational/index.js";
import { jsonOf, type References } from "./arguments.js";
import type { Folder } from "./fold.js";
import { instantValue, type TransactionPeriod, windowValue } from "./periods.js";
import { type Placed, problem, refuse, unknownName } from "./problem.js";
import {
  columnsOfRow,
  columnsOfRows,
  listRow,
  type Relation,
  type RelationColumn,
  typeOfKind,
  typeOfSchema,
} from "./relation.js";
import { ENVELOPE_FIELDS } from "./scope.js";
import type { SourceTimes, Times } from "./times.js";

export interface PreparedCall {
  readonly operator: Operator;
  readonly args: JsonObject;
  readonly times: SourceTimes;
}

function operatorOf(call: Invocation): Operator {
  try {
    return lookUp(call.name.text);
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
    const hint = `${error.hint} SHOW OPERATORS lists them`;
    throw problem(
      "E_NOT_FOUND",
      "unknown_operator",
      call.name.at === undefined ? call : call.name,
      `no operator ${JSON.stringify(call.name.text)}`,
      hint,
      { near: error.details.nearest, found: call.name.text },
    );
  }
}

interface ArgumentNode {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly ArgumentNode[];
}

export function argumentNames({ declaration }: Operator): ReadonlySet<string> {
  const node = declaration.args as unknown as ArgumentNode;
  return new Set((node.anyOf ?? [node]).flatMap(({ properties }) => Object.keys(properties ?? {})));
}

const setAt = (args: JsonObject, path: string, value: JsonValue): void => {
  const keys = path.split(".");
  let at = args;
  for (const key of keys.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) at[key] = {};
    at = at[key] as JsonObject;
  }
  at[keys.at(-1)!] = value;
};

/** Fills the argument of an axis; said twice, it is refused. */
function fill(args: JsonObject, path: string, value: JsonValue, clause: Placed): void {
  const name = path.split(".")[0]!;
  if (Object.hasOwn(args, name)) {
    refuse(
      "E_INVALID_ARG",
      "time_twice",
      clause,
      `the time clause and the argument ${name} say the same thing`,
      `leave ${name} or the clause out`,
    );
  }
  setAt(args, path, value);
}

function fillValid(operator: Operator, args: JsonObject, times: SourceTimes): void {
  if (times.validFrom !== "clause") return;
  const { valid, validAt } = times;
  const { name } = operator.declaration;
  const window = operator.time.windows.includes("window") ? "window" : name === "scan" ? "valid.window" : undefined;
  const at = operator.time.instants.includes("at") ? "at" : name === "scan" ? "valid.at" : undefined;
  const own = [...operator.time.windows, ...operator.time.instants].join(", ");
  const hint = own === "" ? "leave the clause out" : `its times are ${own}`;
  if (valid.kind === "at") {
    if (at === undefined) {
      refuse(
        "E_AXIS",
        "valid_time",
        validAt,
        `${name} ${window === undefined ? "takes no single instant" : "looks at a stretch of valid time"}`,
        window === undefined ? hint : "write FOR VALID_TIME FROM … TO …",
      );
    }
    fill(args, at, instantValue(valid.at), validAt);
    return;
  }
  if (window === undefined) {
    refuse(
      "E_AXIS",
      "valid_time",
      validAt,
      `${name} takes no stretch of valid time`,
      at === undefined ? hint : "write FOR VALID_TIME AS OF …",
    );
  }
  if (valid.kind === "all") {
    fill(args, window, null, validAt);
    return;
  }
  if (valid.form === "only" && name === "scan") {
    fill(args, "valid", { window: windowValue(valid), clamp: true }, validAt);
    return;
  }
  if (valid.form === "only" || valid.form === "contained_in") {
    refuse("E_AXIS", "valid_time", validAt, `${name} knows no such period`, "write FOR VALID_TIME FROM … TO …");
  }
  fill(args, window, windowValue(valid), validAt);
}

function fillTransaction(operator: Operator, args: JsonObject, times: SourceTimes, all: Times): void {
  const { pins, name } = operator.declaration;
  const isClause = times.transactionFrom === "clause";
  const period: TransactionPeriod | null = isClause ? times.transaction : all.defaultPin();
  if (period === null) return;
  if (pins === null) {
    if (isClause)
      refuse("E_AXIS", "transaction_time", times.transactionAt, `${name} reads no store`, "leave the clause out");
    return;
  }
  const { asOf } = all.pin(period, times.transactionAt, "CALL version_history(tx_window => …), or VERSIONS");
  const paths = pins.other === null ? [pins.envelope] : [pins.other, pins.envelope];
  if (isClause) {
    if (paths.length > 1)
      refuse(
        "E_AXIS",
        "transaction_time",
        times.transactionAt,
        `${name} compares two pins`,
        `give them: ${paths.join(", ")}`,
      );
    fill(args, paths[0]!, asOf, times.transactionAt);
    return;
  }
  for (const path of paths) fillDefault(args, path, asOf, all);
}

/** A default stands where the call says nothing; in a block another pin is refused. */
function fillDefault(args: JsonObject, path: string, asOf: JsonValue, all: Times): void {
  const keys = path.split(".");
  let at: JsonValue | undefined = args;
  for (const key of keys.slice(0, -1)) {
    at = typeof at === "object" && at !== null && !Array.isArray(at) ? at[key] : undefined;
  }
  if (typeof at !== "object" || at === null || Array.isArray(at)) return;
  const last = keys.at(-1)!;
  const given = at[last];
  if (given === undefined || given === null) at[last] = asOf;
  else if (all.context.blockTx !== null && given !== asOf) {
    refuse(
      "E_STATE",
      "block_pin",
      {},
      `this block reads commit ${all.context.blockTx}`,
      `leave ${path} out, or end the block with COMMIT`,
    );
  }
}

export function prepareCall(call: Invocation, folder: Folder, references: References, all: Times): PreparedCall {
  const operator = operatorOf(call);
  const names = argumentNames(operator);
  const args: JsonObject = {};
  for (const { name, value } of call.args) {
    if (!names.has(name.text)) {
      const near = nearestNames(name.text, names);
      refuse(
        "E_SCHEMA",
        "unknown_argument",
        name,
        `${operator.declaration.name} has no argument ${JSON.stringify(name.text)}`,
        near.length > 0 ? `did you mean ${near.join(", ")}?` : `its arguments are ${[...names].join(", ")}`,
        { found: name.text, near },
      );
    }
    if (Object.hasOwn(args, name.text)) {
      refuse("E_INVALID_ARG", "argument_twice", name, `${name.text} is given twice`, "leave one out");
    }
    args[name.text] = jsonOf(value, folder, references);
  }
  const times = all.of(call.times, call);
  fillValid(operator, args, times);
  fillTransaction(operator, args, times, all);
  return { operator, args, times };
}

/** The columns of an answer's rows, from the declaration, or from the arguments where they decide. */
function rowColumns(
  { operator, args }: PreparedCall,
  propertyType: (args: JsonObject, property: string) => TqlType,
): RelationColumn[] {
  const { declaration } = operator;
  if (declaration.name === "aggregate_events") {
    const columns = columnsOfCall({ group_by: args.group_by ?? [], aggregates: args.aggregates ?? [] });
    return columns.map(({ name, kind }) => ({ name, from: name, type: typeOfKind(kind) }));
  }
  if (declaration.name === "scan") {
    const kind = (args.kind ?? null) as "node" | "edge" | null;
    const shown = (args.columns ?? tableColumns(args.of as ScanTable, kind)) as readonly string[];
    return shown.map((name) => {
      const property = propertyOfColumn(name);
      const type = property === undefined ? typeOfKind(columnType(name)) : propertyType(args, property);
      return { name, from: name, type };
    });
  }
  if (declaration.name === "entity_history") return columnsOfRow(declaration.rowSchema!(args as never, {}));
  return columnsOfRows(declaration.output.properties.rows);
}

/** The answer of a call as the statement sees it: what YIELD names, or its rows. */
export function relationOfCall(
  step: string,
  prepared: PreparedCall,
  yields: CallQuery["yields"],
  propertyType: (args: JsonObject, property: string) => TqlType,
): Relation {
  const { declaration } = prepared.operator;
  const properties = Object.entries(declaration.output.properties as Record<string, unknown>);
  const lists = new Map<string, RelationColumn[]>();
  const fields = new Map<string, TqlType>(ENVELOPE_FIELDS);
  for (const [name, schema] of properties) {
    if (name === "rows") continue;
    const row = listRow(schema);
    if (row === undefined) fields.set(name, typeOfSchema(schema));
    else {
      lists.set(name, columnsOfRow(row));
      fields.set(name, JSON_TYPE);
    }
  }
  const rows = rowColumns(prepared, propertyType);
  const relation = { table: step, fields, lists };
  if (yields === null || yields === "*") return { ...relation, kind: "rows", columns: rows };
  const columns = yields.map(({ name, as }) => {
    const row = rows.find((column) => column.name === name.text);
    const type = row?.type ?? fields.get(name.text);
    if (type === undefined) {
      unknownName(
        name,
        `${declaration.name} has no column ${JSON.stringify(name.text)}`,
        name.text,
        [...rows.map((each) => each.name), ...fields.keys()],
        `its columns are ${rows.map((each) => each.name).join(", ")}`,
      );
    }
    return { column: { name: (as ?? name).text, from: name.text, type }, isField: row === undefined };
  });
  const isOfFields = columns.some(({ isField }) => isField);
  if (isOfFields && columns.some(({ isField }) => !isField)) {
    refuse(
      "E_SCHEMA",
      "yield",
      yields[0]!.name,
      "YIELD names columns of the rows and single fields of the answer",
      "ask for one kind",
    );
  }
  return { ...relation, kind: isOfFields ? "fields" : "rows", columns: columns.map(({ column }) => column) };
}
