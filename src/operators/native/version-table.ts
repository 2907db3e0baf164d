// All versions of one kind as a stream of tables by columns, in the order of the store digest: how a store is taken out.
// Columns that no version fills are left out; which those are is known before the first piece.
import type { ColumnTable, WordColumn } from "../../columns/column.js";
import type { TypedName } from "../../columns/types.js";
import { compareCodePoints } from "../../contract/code-points.js";
import { BELIEF, type NativePiece, type NativeSurvey, nativeColumns } from "../../native/columns.js";
import { fromNative } from "../../native/errors.js";
import type { NativeView } from "../../native/store.js";
import { EDGE, type NativeKind, NODE } from "../../native/tables.js";
import { checkCancelled, runCancellable } from "../cancellation.js";
import type { CallLimits } from "../engine.js";
import { columnType } from "../scan-columns.js";
import { type ColumnName, type ColumnRequest, encodeColumns } from "./columns.js";
import { pieceColumns } from "./named-columns.js";
import { withStop } from "./native-run.js";
import { typeOfClasses } from "./property-types.js";

/** `now`: versions believed at the pin; `ever`: all that were written up to it. */
export type Belief = keyof typeof BELIEF;

export interface VersionTableRequest {
  readonly kind: "node" | "edge";
  readonly belief: Belief;
  readonly limits: CallLimits;
}

export interface VersionTable {
  readonly columns: readonly TypedName[];
  readonly rowCount: number;
  /** The rows in pieces of so many; the next one is filled while the last is used. */
  pieces(rowsPerPiece: number): AsyncGenerator<ColumnTable, void, undefined>;
}

const IDENTITY = { node: ["uid", "labels"], edge: ["src", "dst", "type", "key"] } as const satisfies Readonly<
  Record<string, readonly ColumnName[]>
>;
const TIMES = ["valid_from", "valid_to", "tx_from", "tx_to"] as const;

function ownColumns(kind: "node" | "edge", found: NativeSurvey): ColumnName[] {
  const filled: readonly (readonly [ColumnName, boolean])[] = [
    ["source", found.hasSource],
    ["provenance_ref", found.hasProvenance],
    ["reason", found.hasReason],
    ["ended_by", found.hasEnded],
    ["ended_reason", found.hasEndedReason],
  ];
  return [...IDENTITY[kind], ...TIMES, ...filled.filter(([, isFilled]) => isFilled).map(([name]) => name)];
}

interface Property {
  readonly name: string;
  readonly classes: number;
}

const propertiesOf = ({ names, classes }: NativeSurvey): Property[] =>
  names.map((name, i) => ({ name, classes: classes[i]! })).sort((a, b) => compareCodePoints(a.name, b.name));

const shown = (property: string): string => `props.${property}`;

/** Runs native work under the limits of a call; its errors become those of the contract. */
async function run<T>(limits: CallLimits, work: Parameters<typeof withStop<T>>[1]): Promise<T> {
  const { signal, deadlineMs } = limits;
  checkCancelled(signal, deadlineMs);
  try {
    return await runCancellable(signal, deadlineMs, () => withStop(limits, work));
  } catch (error) {
    throw fromNative(error, "position", "run");
  }
}

/** Looks all versions over, and gives what reads them; `view` is held until the last piece was taken. */
export async function versionTable(
  view: NativeView,
  { kind, belief, limits }: VersionTableRequest,
): Promise<VersionTable> {
  const nativeKind: NativeKind = kind === "node" ? NODE : EDGE;
  const found = await run(limits, (stop) => nativeColumns.surveyVersions(view, nativeKind, BELIEF[belief], stop));
  const own = ownColumns(kind, found);
  const properties = propertiesOf(found);
  const requests: ColumnRequest[] = [...own, ...properties.map(({ name }) => ({ prop: name }))];
  const names = [...own, ...properties.map(({ name }) => shown(name))];
  const wordType = (name: string): WordColumn["type"] =>
    own.includes(name as ColumnName) ? (columnType(name) as WordColumn["type"]) : "int";

  async function* pieces(rowsPerPiece: number): AsyncGenerator<ColumnTable, void, undefined> {
    const classes = Uint32Array.from(properties, (property) => property.classes);
    const next = nativeColumns.versionPieces(view, nativeKind, BELIEF[belief], encodeColumns(requests), classes);
    const take = (): Promise<NativePiece | null> => run(limits, (stop) => next(rowsPerPiece, stop));
    let waiting = take();
    try {
      for (let piece = await waiting; piece !== null; piece = await waiting) {
        const [rowCount, natives] = piece;
        waiting = take();
        yield { rowCount, columns: pieceColumns(names, natives, wordType) };
      }
    } finally {
      // The view may be let go only when nothing reads it any more, whatever comes of it.
      await Promise.allSettled([waiting]);
    }
  }
  return {
    columns: [
      ...own.map((name) => ({ name, type: columnType(name) }) as TypedName),
      ...properties.map(({ name, classes }) => ({ name: shown(name), type: typeOfClasses(classes) })),
    ],
    rowCount: found.rowCount,
    pieces,
  };
}
