// What the binder is told of the world: the tables that FROM may name, the parameters, the zone and the clock.
// Plain data; the compiler of statements and the operator `select` fill it in.
import type { CallQuery, InstantLiteral, MatchQuery, Table } from "../../grammar/ast.js";
import type { JsonValue } from "../contract/values.js";
import type { TqlType } from "./types.js";

export interface SchemaColumn {
  readonly name: string;
  readonly type: TqlType;
}

/** A column `props.hours` is reached as `x.hours` where no other column is named so, and always as `x.props['hours']`. */
export interface TableSchema {
  readonly columns: readonly SchemaColumn[];
  /** What `*` stands for; where it is left out, all columns. */
  readonly star?: readonly string[];
  /** Columns that order the rows where an order written in the text does not; the place in the table comes after them. */
  readonly identity?: readonly string[];
  /** The type of a column that `columns` does not list: properties, as `props.hours`. Null where there is none such. */
  column?(name: string): TqlType | null;
  /** Further names for "did you mean", beside those of `columns`. */
  readonly near?: readonly string[];
  /** How the table is called in messages: `Nurse`, `the table s1`. */
  readonly shown?: string;
}

/** The value is in the form of a column: instants and durations are microseconds, FOREVER is OPEN_END_US. */
export interface ParameterValue {
  readonly type: TqlType;
  readonly value: JsonValue;
  /** It stands for any value, as none is given yet: then it fits wherever a value of some type must stand. */
  readonly isUnknown?: boolean;
}

export interface Scope {
  /** The schema of a source in FROM that is no subquery, UNNEST or WITH name of the query itself; null: not known. */
  table(table: Table): TableSchema | null;
  /** The schema of a CALL or MATCH that stands where a SELECT may. */
  head?(body: CallQuery | MatchQuery): TableSchema | null;
  /** Names of tables, for "did you mean". */
  readonly tableNames?: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** The zone in force. */
  readonly zone: string;
  /** Reads TIMESTAMP '…' and DATE '…' where the caller has rules of its own, as for local times; undefined: by the default. */
  instant?(literal: InstantLiteral): bigint | undefined;
  /** What CURRENT_TIMESTAMP stands for; null where there is no clock. */
  readonly nowUs: bigint | null;
  /** Whether MAX_GAP and its like are typed instead of refused: the compiler turns them into `aggregate_events`. */
  readonly eventAggregates?: boolean;
}
