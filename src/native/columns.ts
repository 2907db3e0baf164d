// Tables by columns as the addon gives them (native/node/scan_columns_glue.cc). Types only, and the way to the functions.
// The arrays are native memory that changed hands.
import type { StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import {
  type MaybePromise,
  type NativeKind,
  type RowPack,
  type TableRequest,
  tables,
  type VersionsRequest,
} from "./tables.js";

/** ColumnForm of native/core/kernels/columns/column_data.h. */
export const COLUMN_FORM = { words: 0, doubles: 1, bools: 2, texts: 3, json: 4 } as const;
type Form = typeof COLUMN_FORM;

interface NativeWords extends ReadonlyArray<unknown> {
  readonly 0: Form["words"];
  readonly 1: BigInt64Array;
  readonly 2: Uint8Array | null;
}
interface NativeDoubles extends ReadonlyArray<unknown> {
  readonly 0: Form["doubles"];
  readonly 1: Float64Array;
  readonly 2: Uint8Array | null;
  /** Rows that hold an int64 beyond 2^53, and what they hold. */
  readonly 4: Uint32Array | null;
  readonly 5: BigInt64Array | null;
}
interface NativeBools extends ReadonlyArray<unknown> {
  readonly 0: Form["bools"];
  readonly 1: Uint8Array;
  readonly 2: Uint8Array | null;
}
export interface NativeTexts extends ReadonlyArray<unknown> {
  readonly 0: Form["texts"] | Form["json"];
  readonly 1: Int32Array;
  /** The dictionary: a cell for each text. */
  readonly 3: RowPack;
}
/** [form, values or codes, validity, dictionary, wide rows, wide values]; null where there is nothing. */
export type NativeColumn = NativeValues | NativeTexts;
export type NativeValues = NativeWords | NativeDoubles | NativeBools;

export type ColumnsAnswer = readonly [rowCount: number, total: number, columns: readonly NativeColumn[]];

/** Belief of native/core/kernels/version_stream.h. */
export const BELIEF = { now: 0, ever: 1 } as const;
export type NativeBelief = (typeof BELIEF)[keyof typeof BELIEF];

/** What versions have; `classes` are bits of PropKind, with that of JSON where no column of numbers holds the values. */
export interface NativeSurvey {
  readonly rowCount: number;
  readonly hasSource: boolean;
  readonly hasProvenance: boolean;
  readonly hasReason: boolean;
  readonly hasEnded: boolean;
  readonly hasEndedReason: boolean;
  readonly names: readonly string[];
  readonly classes: readonly number[];
}
/** Texts as UTF-8, end to end; text i is bytes [offsets[i], offsets[i + 1]). */
type NativeBytes = readonly [bytes: Uint8Array, offsets: Int32Array];
export interface NativeTextBytes extends ReadonlyArray<unknown> {
  readonly 0: Form["texts"] | Form["json"];
  readonly 1: Int32Array;
  readonly 3: NativeBytes;
}
export type NativePieceColumn = NativeValues | NativeTextBytes;
/** What is sorted: [form, values or codes, validity, bytes of the texts, their offsets]. */
export type GivenColumn = readonly [
  form: Form[keyof Form],
  values: BigInt64Array | Float64Array | Uint8Array | Int32Array,
  valid: Uint8Array | null,
  bytes: Uint8Array | null,
  offsets: Int32Array | null,
];
/** Columns without their dictionaries, and of each the numbers that its texts had. */
export type SortedColumns = readonly [columns: readonly NativeColumn[], texts: readonly Uint32Array[]];
export type NativePiece = readonly [rowCount: number, columns: readonly NativePieceColumn[]];

interface NativeColumns {
  /** `order` has three numbers for each key: column, whether descending, whether NULL is first. */
  sortColumns(
    rowCount: number,
    columns: readonly GivenColumn[],
    order: Uint32Array,
    shownCount: number,
    stop: StopToken | null,
  ): MaybePromise<SortedColumns>;
  scanTableColumns(view: NativeView, request: TableRequest, stop: StopToken | null): MaybePromise<ColumnsAnswer>;
  scanVersionsColumns(view: NativeView, request: VersionsRequest, stop: StopToken | null): MaybePromise<ColumnsAnswer>;
  surveyVersions(
    view: NativeView,
    kind: NativeKind,
    belief: NativeBelief,
    stop: StopToken | null,
  ): MaybePromise<NativeSurvey>;
  /** In the order of the store digest; `classes` for each property among the columns. Null behind the last. */
  versionPieces(
    view: NativeView,
    kind: NativeKind,
    belief: NativeBelief,
    columns: Uint8Array,
    classes: Uint32Array,
  ): (rowCount: number, stop: StopToken | null) => Promise<NativePiece | null>;
}

export const nativeColumns: NativeColumns = tables as unknown as NativeColumns;
