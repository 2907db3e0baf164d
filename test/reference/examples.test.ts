// Worked examples on store S2 (docs/contract.md A12) but reachability, by the reference engine; beside them paging.

import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { ReferenceStore } from "../../src/reference/index.js";
import { at, commitTime, type Fields, PAGE, s2, shown, WHERE } from "../support/example-stores.js";

describe("the other examples on S2", () => {
  it("entity_history", () => {
    const ask = (tx: number) =>
      s2().call("entity_history", {
        ref: { uid: "a" },
        window: null,
        include_edges: false,
        where: WHERE,
        as_of_tt: `tx:${tx}`,
        ...PAGE,
      }).payload;
    const fragment = { uid: "a", labels: ["P"], props: { name: "Ada" }, tx_from: commitTime(5) };
    const middle = { uid: "a", labels: ["P", "Q"], props: { name: "Ada L" }, tx_from: commitTime(5) };
    expect(ask(5).spells).toBe(1);
    expect(shown(ask(5).rows)).toEqual([
      { ...fragment, valid_from: at(0), valid_to: at(80) },
      { ...middle, valid_from: at(80), valid_to: at(120) },
      { ...fragment, valid_from: at(120) },
    ]);
    expect(shown(ask(4).rows)).toEqual([{ ...fragment, valid_from: at(0), tx_from: commitTime(1) }]);
  });

  const snapshot = (store: ReferenceStore, page: Fields) =>
    store.call("snapshot_subgraph", {
      seeds: ["a"],
      at: at(30),
      hops: 2,
      orientation: "both",
      nodes_must_exist: false,
      where: WHERE,
      props: null,
      as_of_tt: "tx:5",
      ...PAGE,
      ...page,
    }).payload as {
      rows: Fields[] | null;
      cursor: string | null;
      nodes: { rows: Fields[]; cursor: string | null } | null;
    };

  it("snapshot_subgraph", () => {
    const { rows, nodes } = snapshot(s2(), {});
    expect(shown(rows)).toEqual([
      { src: "a", type: "R", dst: "b", valid_from: at(0), valid_to: at(40) },
      { src: "b", type: "S", dst: "c", valid_from: at(20), valid_to: at(70) },
    ]);
    expect(shown(nodes!.rows)).toEqual([
      { uid: "a", hop: 0, exists: true, labels: ["P"] },
      { uid: "b", hop: 1, exists: true, labels: ["P"] },
      { uid: "c", hop: 2, exists: false },
    ]);
  });

  it("pages of each list join to the whole, and a page fills only its own list", () => {
    const whole = snapshot(s2(), {});
    const first = snapshot(s2(), { limit: 2 });
    expect(first.cursor).toBeNull();
    const rest = snapshot(s2(), { limit: 2, cursor: first.nodes!.cursor });
    expect([...first.nodes!.rows, ...rest.nodes!.rows]).toEqual(whole.nodes!.rows);
    expect(rest).toMatchObject({ rows: null, rows_total: null, complete: false, incomplete: ["page"] });
    expect(() => snapshot(s2(), { seeds: ["b"], cursor: first.nodes!.cursor })).toThrow(PalimpsestError);
  });

  const diff = (left: Fields, right: Fields) => {
    const include = ["edges_added", "edges_changed", "edges_removed", "nodes_added", "nodes_changed", "nodes_removed"];
    return s2().call("diff_snapshots", {
      left,
      right,
      scope: null,
      compare: "content",
      include,
      where: WHERE,
      ...PAGE,
    });
  };

  it("diff_snapshots between two beliefs", () => {
    const { payload, pin } = diff({ at: at(50), as_of_tt: "tx:2" }, { at: at(50), as_of_tt: "tx:5" });
    const [row, ...others] = shown(payload.rows);
    expect(others).toEqual([]);
    expect(row).toEqual({
      change: "changed",
      element: "edge",
      src: "a",
      type: "R",
      dst: "b",
      changed: ["props.w"],
      before: { labels: null, props: { w: 1 }, valid_from: at(0), valid_to: at(100) },
      after: { labels: null, props: { w: 5 }, valid_from: at(40), valid_to: at(60) },
    });
    expect(pin.tx).toBe(5);
  });

  it("diff_snapshots over valid time", () => {
    const { payload } = diff({ at: at(30), as_of_tt: "tx:5" }, { at: at(90), as_of_tt: "tx:5" });
    const rows = (payload.rows as Fields[]).map(({ change, uid, src, changed }) => ({ change, uid, src, changed }));
    expect(rows).toEqual([
      { change: "changed", uid: "a", src: null, changed: ["labels", "props.name"] },
      { change: "removed", uid: "b", src: null, changed: [] },
      { change: "removed", uid: null, src: "b", changed: [] },
    ]);
  });

  it("version_history of what is no longer believed", () => {
    const { payload } = s2().call("version_history", {
      kind: "both",
      ref: null,
      window: null,
      tx_window: null,
      belief: "superseded",
      ended_by: null,
      where: WHERE,
      props: "all",
      as_of_tt: "tx:5",
      ...PAGE,
    });
    const rows = (payload.rows as Fields[]).map(({ uid, src, tx, ended_tx, ended_by, ended_reason }) => [
      uid ?? src,
      tx,
      ended_tx,
      ended_by,
      ended_reason,
    ]);
    expect(rows).toEqual([
      ["a", 1, 5, "overwritten", null],
      ["a", 2, 3, "corrected", "typo"],
      ["b", 2, 4, "retracted", null],
    ]);
  });
});
