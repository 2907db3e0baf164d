// The derived types of `call`: what may be left out, which forms an instant may have. Checked by the compiler.
import { expectTypeOf, it } from "vitest";
import type { InstantInput } from "../../src/contract/input-types.js";
import type { OperatorInput, OperatorRow } from "../../src/operators/call-types.js";

it("makes arguments with a default optional and takes every form of an instant", () => {
  expectTypeOf<{ uid: string }>().toExtend<OperatorInput<"entity_history">>();
  expectTypeOf<{ seeds: string[] }>().not.toExtend<OperatorInput<"snapshot_subgraph">>();
  expectTypeOf<{ seeds: string[]; at: Date; props: "all" }>().toExtend<OperatorInput<"snapshot_subgraph">>();
  expectTypeOf<OperatorInput<"snapshot_subgraph">["at"]>().toEqualTypeOf<InstantInput>();
  expectTypeOf<{ left: { at: bigint }; right: { at: { us: number } } }>().toExtend<OperatorInput<"diff_snapshots">>();
  expectTypeOf<{ uid: string[]; where: { types: string[]; src: { labels: string[] } } }>().toExtend<
    OperatorInput<"temporal_reachability">
  >();
  expectTypeOf<{ of: "edges"; valid: { window: null } }>().toExtend<OperatorInput<"scan">>();
  expectTypeOf<{ of: "rows" }>().not.toExtend<OperatorInput<"scan">>();
});

it("types the rows of answers", () => {
  expectTypeOf<OperatorRow<"temporal_reachability">["arrival"]>().toEqualTypeOf<string | null>();
  expectTypeOf<OperatorRow<"version_history">["tx"]>().toEqualTypeOf<number>();
});
