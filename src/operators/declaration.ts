// What one operator's declaration holds. Everything else about an operator is derived from it.
// Pure data and pure functions: no store, no clock.
import type { Static, TObject, TSchema, TUnion } from "typebox";
import type { ColumnTable } from "../columns/column.js";
import type { ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { CallLimits, ColumnsAndFields, PinnedEngine, RunAnswer, Statistics } from "./engine.js";
import type { ValueType } from "./expressions/types.js";
import type { PropertyTable } from "./scan-columns.js";
import type { Turns } from "./turns.js";

export interface ListDeclaration {
  /** `rows`, or the name of a further list field. */
  readonly field: string;
  /** What orders its rows, in words. */
  readonly order: string;
  /** The columns that name a row, where some do. */
  readonly key?: readonly string[] | ((args: JsonObject) => readonly string[]);
}

/** Arguments that name entities: dotted paths to a uid, an array of uids, or a reference. */
export interface SubjectDeclaration {
  readonly paths: readonly string[];
  /** Whether the answer may bring in a uid that nobody named. */
  readonly introduces: boolean;
}

export interface Estimate {
  readonly rows: number;
  readonly steps: number;
}

export interface Suggestion {
  readonly args_patch: JsonObject;
  readonly why: string;
}

export interface DeclaredError {
  readonly code: ErrorCode;
  readonly when: string;
  readonly args: JsonObject;
  /** What a plan says of the inputs, where the error comes from that. */
  readonly upstream?: Upstream;
}

/** Batches of JSON operations, one per commit, and the time of each. */
export interface StoreScript {
  readonly batches: readonly { readonly txTime: string; readonly ops: readonly JsonObject[] }[];
}

export interface OperatorExample {
  readonly title: string;
  readonly store: StoreScript;
  readonly args: JsonObject;
  /** The whole envelope but `result_digest`, which follows from the rest. */
  readonly envelope: JsonObject;
}

/** What a reader looks up: a table of the manual beside those of arguments and fields. */
export interface ManualTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The paths of the pins that the envelope and the comparison take. */
export interface PinPaths {
  readonly envelope: string;
  readonly other: string | null;
}

/** Types by column; of an argument that is one value, or of rows that are scalars, under the name `value`. */
export type ColumnTypes = Readonly<Record<string, ValueType>>;

/**
 * What the executor of a plan knows of inputs that are answers of earlier steps, beside the arguments that hold them.
 * Arguments written inline are complete and have no types.
 */
export interface Upstream {
  /** Whether some input was itself incomplete. */
  readonly isIncomplete: boolean;
  /** The greatest `erased` of the inputs. */
  readonly erased: number;
  /** By argument, or by name of a table of select, the types that the output schema of the step gives. */
  readonly types: Readonly<Record<string, ColumnTypes>>;
  /** By name, the tables of select; in the arguments their digests stand for them. */
  readonly tables?: Readonly<Record<string, ColumnTable>>;
}

/** The type of the field `value`, under that name, or those of the columns of `rows`. */
export interface AnswerTypes {
  readonly kind: "value" | "table";
  readonly columns: ColumnTypes;
}

export const NO_UPSTREAM: Upstream = { isIncomplete: false, erased: 0, types: {} };

/** A text inside an argument that is itself a language. */
export interface TextLiteral {
  /** Name of the argument. */
  readonly path: string;
  readonly text: string;
  /** Whether it is held against a column of uids, and so names an entity whatever it says. */
  readonly isEntity: boolean;
}

/** A call without a store whose types are judged. */
export interface PreparedCall {
  /** The arguments in their last form. */
  readonly args: JsonObject;
  /** Rows `from` to `to` of the main list, or the fields. */
  run(from: number, to: number): Promise<RunAnswer>;
  /** The whole main list by columns, with the fields; absent where it is made of rows. */
  columns?(): Promise<ColumnsAndFields>;
}

/** The arguments of an operator: an object, or one of several. */
export type ArgumentSchema = TObject | TUnion<TObject[]>;

/** Collects what stage 5 finds; the pipeline throws the first by code. */
export type Report = (error: PalimpsestError) => void;

/** The types that properties have at a pin, as an argument names it; null where the pin is not known yet. */
export type PropertyReader = (
  asOf: JsonValue,
  table: PropertyTable,
  names: readonly string[] | null,
) => ReadonlyMap<string, ValueType> | null;

export interface OperatorDeclaration<
  Args extends ArgumentSchema = ArgumentSchema,
  Output extends TObject = TObject,
  Pins extends PinPaths | null = PinPaths | null,
  Lists extends readonly ListDeclaration[] = readonly ListDeclaration[],
> {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Raised when any answer's bytes change for some arguments. */
  readonly version: number;
  readonly summary: string;
  readonly doc: string;
  readonly tables?: readonly ManualTable[];
  readonly args: Args;
  /** `rows`, the further lists and the fields; the common fields of the envelope are added by the pipeline. */
  readonly output: Output;
  readonly lists: Lists;
  readonly subjects: SubjectDeclaration;
  /** Null for an operator that reads no store, which then has `prepare`. */
  readonly pins: Pins;
  /** Whether an incomplete input must be refused. */
  readonly reduces: boolean | ((args: Static<Args>) => boolean);
  readonly determinism: string;
  readonly errors: readonly DeclaredError[];
  readonly examples: readonly OperatorExample[];

  /** Conditions on the shape that a schema cannot say; throws E_SCHEMA. Sees the arguments as given. */
  shape?(args: JsonObject): void;
  /** Checks across arguments in canonical form. */
  judge?(args: Static<Args>, report: Report): void;
  /** Resolves shorthands and defaults that depend on other arguments; only after a judgement without findings. */
  complete?(args: JsonObject): JsonObject;
  /** Texts that are a language in one spelling, for digests of plans; errors keep the places of the text as given. */
  spell?(args: JsonObject): JsonObject;
  /** Fills what only the data at the pin can tell (A10), for the echo. */
  resolve?(args: JsonObject, pinned: PinnedEngine, limits: CallLimits): JsonObject | Promise<JsonObject>;
  /** Where `pins` is null: judges the types of the inputs, and gives the work that is left. Long work takes turns. */
  prepare?(args: Static<Args>, upstream: Upstream, turns: Turns): Promise<PreparedCall>;
  /** What a plan verifies before it runs: the types of the answer, from those of the inputs. Throws what a call would. */
  answerTypes?(args: Static<Args>, inputs: Upstream["types"], properties?: PropertyReader): AnswerTypes;
  /** Whether the answer is the same in whatever order the rows of its tables come. */
  readsInAnyOrder?(args: Static<Args>): boolean;
  /** Texts of an argument that is itself a language, so that a plan can be asked who named them. */
  literals?(args: Static<Args>): readonly TextLiteral[];
  /** Row schema of an answer whose columns depend on the arguments; `fields` are those of the answer. */
  rowSchema?(args: Static<Args>, fields: JsonObject): TSchema;
  cost(args: Static<Args>, statistics: Statistics): Estimate;
  /** Of an answer about a subject that is not known: the fields that the arguments decide. */
  fieldsOfNothing?(args: JsonObject): JsonObject;
  /** Patches that may make a call fit, best first; the pipeline prices each before it is offered. */
  suggest(args: Static<Args>, statistics: Statistics, fits: (patch: JsonObject) => boolean): readonly Suggestion[];
}

/** Checks a declaration's types where it is written, and keeps its schemas' types for the types of `call`. */
export function declareOperator<
  Args extends ArgumentSchema,
  Output extends TObject,
  const Pins extends PinPaths | null,
  const Lists extends readonly ListDeclaration[],
>(declaration: OperatorDeclaration<Args, Output, Pins, Lists>): OperatorDeclaration<Args, Output, Pins, Lists> {
  return declaration;
}
