// A history of batches without one identity: what erasing it leaves to be written (docs/contract.md law 25).
// Edge numbers that the identity took stay taken; every other row keeps the key that it got.

import { refOf } from "./batch.js";
import { identityText, type Ref, type Version } from "./versions.js";

type Operation = Readonly<Record<string, unknown>>;

export interface WrittenBatch {
  readonly operations: readonly Operation[];
  readonly txTimeUs: bigint;
  /** The keys that the rows of bulk operations got. */
  readonly keys: ReadonlyMap<Operation, readonly (string | undefined)[]>;
}

/** Whether a version or an identity is the erased one's, or with a node one of its edges. */
export function isOf(what: Version | Ref, erased: Ref): boolean {
  if (identityText(what) === identityText(erased)) return true;
  return "uid" in erased && "src" in what && (what.src === erased.uid || what.dst === erased.uid);
}

export interface Remainder {
  readonly batches: readonly { readonly operations: readonly Operation[]; readonly txTimeUs: bigint }[];
  /** The n of keys `#n` that the store chose for what is gone. */
  readonly chosenKeys: readonly number[];
}

export function withoutIdentity(history: readonly WrittenBatch[], erased: Ref): Remainder {
  const numbered = new Set<string>();
  const chosenKeys: number[] = [];
  /** Whether an erased edge takes a number: when it is named for the first time. */
  const takesNumber = (edge: Ref): boolean => {
    const identity = identityText(edge);
    const isNew = !numbered.has(identity);
    numbered.add(identity);
    return isNew;
  };

  const withoutRows = (operation: Operation, keys: readonly (string | undefined)[]): Operation => {
    const at = (column: string, row: number): unknown => {
      const values = operation[column];
      return typeof values === "string" ? values : ((values as ArrayLike<unknown> | null | undefined)?.[row] ?? null);
    };
    const kinds: string[] = [];
    const chosen = keys.map((_, row) => (at("was_chosen", row) ?? at("key", row) === null) as boolean);
    for (const [row, key] of keys.entries()) {
      const kind = (at("row_kind", row) ?? "event") as string;
      const edge = { src: at("src", row), type: at("type", row), dst: at("dst", row), key } as Ref;
      if (kind !== "event" || !isOf(edge, erased)) {
        kinds.push(kind);
        continue;
      }
      if (chosen[row]) chosenKeys.push(Number(key!.slice(1)));
      kinds.push(takesNumber(edge) ? "hole_with_number" : "hole");
    }
    const isLeft = kinds.includes("event");
    const numbers = kinds.filter((kind) => kind === "hole_with_number").length;
    // Rows keep their keys, chosen or not: what a key had to give way to may be gone.
    return isLeft
      ? { ...operation, key: keys, row_kind: kinds, was_chosen: chosen }
      : { op: "skip_numbers", edge_numbers: numbers };
  };

  const without = (operation: Operation, keys: WrittenBatch["keys"]): Operation => {
    if (operation.op === "skip_numbers") return operation;
    if (operation.op === "ingest_events") return withoutRows(operation, keys.get(operation)!);
    const isAssertion = operation.op === "assert_node" || operation.op === "assert_edge";
    const ref = refOf(isAssertion ? operation : operation.ref);
    if (!isOf(ref, erased)) return operation;
    return { op: "skip_numbers", edge_numbers: operation.op === "assert_edge" && takesNumber(ref) ? 1 : 0 };
  };

  const batches = history.map(({ operations, txTimeUs, keys }) => ({
    operations: operations.map((operation) => without(operation, keys)),
    txTimeUs,
  }));
  return { batches, chosenKeys };
}
