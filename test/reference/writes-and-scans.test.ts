// What the shared cases do not show of the reference engine: refused batches, erasure, odd names, endpoints, local days.

import { describe, expect, it } from "vitest";
import type { ReferenceStore } from "../../src/reference/index.js";
import { at, COMMIT_1, DAY, type Fields, PAGE, reach, s1, shown, storeOf, WHERE } from "../support/example-stores.js";

describe("scan", () => {
  const scan = (store: ReferenceStore, args: Fields) =>
    store.call("scan", {
      kind: null,
      names: null,
      valid: null,
      tx: null,
      where: WHERE,
      stride: null,
      zone: "UTC",
      as_of_tt: null,
      ...PAGE,
      ...args,
    }).payload.rows as Fields[];

  it("gives one endpoint row per event and end", () => {
    const window = { from: at(12), to: at(13) };
    const columns = ["uid", "other", "at"];
    expect(scan(s1(), { of: "endpoints", valid: { window, clamp: false }, columns }).map(Object.values)).toEqual([
      ["b", "c", at(12)],
      ["c", "b", at(12)],
      ["b", "a", at(12)],
      ["a", "b", at(12)],
    ]);
  });

  it("cuts calendar buckets by the local days of a zone, also the short one", () => {
    const window = { from: "2024-03-30T00:00:00Z", to: "2024-04-01T12:00:00Z" };
    const columns = ["bucket_from", "bucket_to", "partial"];
    const args = { of: "buckets", valid: { window, clamp: false }, columns, stride: "P1D", zone: "Europe/Berlin" };
    expect(scan(s1(), args).map(Object.values)).toEqual([
      ["2024-03-30T00:00:00Z", "2024-03-30T23:00:00Z", true],
      ["2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z", false],
      ["2024-03-31T22:00:00Z", "2024-04-01T12:00:00Z", true],
    ]);
  });

  it("counts quarters from January 1970, weeks from a Monday", () => {
    const begins = (stride: string, from: string, to: string) => {
      const args = { of: "buckets", valid: { window: { from, to }, clamp: false }, columns: ["bucket_from"], stride };
      return scan(s1(), args).map((row) => row.bucket_from);
    };
    expect(begins("P3M", "1969-10-01T00:00:00Z", "1970-05-01T00:00:00Z")).toEqual([
      "1969-10-01T00:00:00Z",
      "1970-01-01T00:00:00Z",
      "1970-04-01T00:00:00Z",
    ]);
    expect(begins("P1W", "2024-02-26T00:00:00Z", "2024-03-05T00:00:00Z")).toEqual([
      "2024-02-26T00:00:00Z",
      "2024-03-04T00:00:00Z",
    ]);
  });
});

describe("writes", () => {
  it("leave nothing of a batch whose last operation finds nothing, and give its numbers back", () => {
    const store = s1();
    const before = store.digest();
    const event = { op: "ingest_events", src: ["a"], dst: ["z"], type: "M", time: [at(40)] };
    const missing = { op: "retract", ref: { uid: "nobody" }, valid_from: at(0) };
    expect(() => store.write([event, missing], COMMIT_1 + DAY)).toThrow(
      expect.objectContaining({ code: "E_NOT_FOUND", details: { operation: 1 } }),
    );
    expect(store.digest()).toBe(before);
    expect(store.write([event], COMMIT_1 + 2n * DAY)).toEqual({ tx: 2 });
    const args = { kind: null, names: null, valid: null, tx: null, where: WHERE, stride: null, zone: "UTC" };
    const columns = ["key", "seq"];
    const { payload } = store.call("scan", { ...args, of: "events", columns, as_of_tt: "tx:2", ...PAGE });
    expect((payload.rows as Fields[]).at(-1)).toEqual({ key: "#6", seq: 6 });
  });

  it("erase an identity from every past, keep its numbers, and say so", () => {
    const store = s1();
    store.write([{ op: "erase", ref: { uid: "c" } }], COMMIT_1 + DAY);
    const ask = () => reach(store, { uid: ["a"], as_of_tt: "tx:1" });
    expect(shown(ask().payload.rows)).toEqual([{ of: "a", uid: "b", arrival: at(10) }]);
    expect(ask().erased).toBe(1);
    expect(reach(store, { uid: ["a"], as_of_tt: "tx:2" }).erased).toBe(0);
    expect(() => reach(store, { uid: ["c"] })).toThrow(expect.objectContaining({ code: "E_NOT_FOUND" }));
    store.write(
      [{ op: "assert_edge", src: "c", type: "M", dst: "a", key: "k4", valid_from: at(0) }],
      COMMIT_1 + 2n * DAY,
    );
    const args = { kind: null, names: null, valid: null, tx: null, where: WHERE, stride: null, zone: "UTC" };
    const { payload } = store.call("scan", {
      ...args,
      of: "edges",
      columns: ["key", "seq"],
      as_of_tt: "tx:3",
      ...PAGE,
    });
    expect(payload.rows).toContainEqual({ key: "k4", seq: 6 });
  });

  it("know no property but the given ones, whatever their names", () => {
    const props = JSON.parse('{"__proto__": 1, "constructor": 2}');
    const store = storeOf([[{ op: "assert_node", uid: "a", props, valid_from: at(0) }]]);
    store.write(
      [{ op: "correct", ref: { uid: "a" }, mode: "patch", props: { constructor: null }, valid_from: at(0) }],
      COMMIT_1 + DAY,
    );
    const args = { kind: null, names: null, valid: null, tx: null, where: WHERE, stride: null, zone: "UTC" };
    const columns = ["props.__proto__", "props.constructor", "props.toString"];
    const { payload } = store.call("scan", { ...args, of: "nodes", columns, as_of_tt: "tx:2", ...PAGE });
    expect(payload.columns).toEqual([
      { name: "props.__proto__", type: "int" },
      { name: "props.constructor", type: "json" },
      { name: "props.toString", type: "json" },
    ]);
    expect(Object.values((payload.rows as Fields[])[0]!)).toEqual([1, null, null]);
  });
});
