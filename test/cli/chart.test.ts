// Charts: one sparkline a series, gaps as blanks, flags below, and a reason where there is no chart.
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { chartLines } from "../../src/cli/formats/chart.js";

const style = { width: 80, colours: pc.createColors(false) };
const column = (name: string, type: string) => ({ name, type });
const day = (n: number) => `2024-01-${String(n).padStart(2, "0")}T00:00:00Z`;

function chart(rows: readonly (readonly [number, number | null])[], width = 80): string[] | string {
  const columns = [column("at", "instant"), column("n", "int")];
  return chartLines({ columns, rows: rows.map(([at, n]) => ({ at: day(at), n })) }, { ...style, width });
}

describe("a chart", () => {
  it("draws eight heights between the least and the greatest value, and writes both", () => {
    const lines = chart([0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n + 1, n]));
    expect(lines[0]).toBe("n  ▁▂▃▄▅▆▇█  min 0, max 7");
    expect(lines[1]).toBe(`   ${day(1)} to ${day(8)}`);
  });

  it("leaves blanks where a value is NULL and where a row is missing", () => {
    expect(
      chart([
        [1, 1],
        [2, null],
        [3, 2],
        [6, 1],
      ])[0],
    ).toBe("n  ▁ █  ▁  min 1, max 2");
  });

  it("takes months and years as even steps", () => {
    const columns = [column("month", "instant"), column("n", "int")];
    const rows = ["2023-01", "2023-02", "2023-03", "2023-06"].map((month, i) => ({
      month: `${month}-01T00:00:00Z`,
      n: i,
    }));
    expect(chartLines({ columns, rows }, style)[0]).toBe("n  ▁▃▆  █  min 0, max 3");
    const years = ["2019", "2020", "2024"].map((year, i) => ({ month: `${year}-01-01T00:00:00Z`, n: i }));
    expect(chartLines({ columns, rows: years }, style)[0]).toBe("n  ▁▅   █  min 0, max 2");
  });

  it("says so where the rows follow no step", () => {
    const lines = chart(
      [
        [1, 1],
        [2, 3],
        [5, 2],
      ].map(([at, n]) => [at!, n!]),
    );
    expect(lines[0]).toBe("n  ▁█  ▅  min 1, max 3");
    const columns = [column("at", "instant"), column("n", "int")];
    const rows = [
      { at: "2024-01-01T00:00:00Z", n: 1 },
      { at: "2024-01-01T00:07:00Z", n: 2 },
      { at: "2024-01-01T00:17:00Z", n: 3 },
    ];
    const uneven = chartLines({ columns, rows }, style);
    expect(uneven[0]).toBe("n  ▁▅█  min 1, max 3");
    expect(uneven.at(-1)).toMatch(/not evenly spaced/);
  });

  it("draws rows that come newest first the right way round", () => {
    expect(
      chart([
        [3, 9],
        [2, 5],
        [1, 1],
      ])[0],
    ).toBe("n  ▁▅█  min 1, max 9");
  });

  it("has a middle height for equal values, and words for none", () => {
    expect(
      chart([
        [1, 5],
        [2, 5],
      ])[0],
    ).toBe("n  ▄▄  min 5, max 5");
    expect(
      chart([
        [1, null],
        [2, null],
      ])[0],
    ).toBe("n      no values");
  });

  it("has one line for each column of numbers, and for each text of one column", () => {
    const columns = [
      column("from", "instant"),
      column("to", "instant"),
      column("partial", "bool"),
      column("metric", "string"),
      column("value", "int"),
    ];
    const rows = [1, 2, 3].flatMap((n) => [
      { from: day(n), to: day(n + 1), partial: false, metric: "events", value: n },
      { from: day(n), to: day(n + 1), partial: false, metric: "pairs", value: 4 - n },
    ]);
    const lines = chartLines({ columns, rows }, style);
    expect(lines.slice(0, 2)).toEqual(["events  ▁▅█  min 1, max 3", "pairs   █▅▁  min 1, max 3"]);
    const two = chartLines(
      {
        columns: [column("at", "instant"), column("a", "int"), column("b", "double")],
        rows: [
          { at: day(1), a: 1, b: 0.5 },
          { at: day(2), a: 2, b: 0.25 },
        ],
      },
      style,
    );
    expect(two.slice(0, 2)).toEqual(
      ["a  ▁█  min 1, max 2     ", "b  █▁  min 0.25, max 0.5"].map((line) => line.trimEnd()),
    );
  });

  it("marks the flagged rows of a burst detection below", () => {
    const columns = [column("from", "instant"), column("value", "int"), column("side", "string")];
    const rows = [1, 2, 3, 4].map((n) => ({ from: day(n), value: n === 3 ? 9 : 1, side: n === 3 ? "up" : null }));
    expect(chartLines({ columns, rows }, style).slice(0, 2)).toEqual(["value  ▁▁█▁  min 1, max 9", "         ^"]);
  });

  it("draws the greatest of several where there are more values than places", () => {
    const many = Array.from({ length: 30 }, (_, i): [number, number] => [i + 1, i === 10 ? 5 : 1]);
    const lines = chart(many, 40);
    expect(lines[0]).toBe("n  ▁▁▁▁▁█▁▁▁▁▁▁▁▁▁  min 1, max 5");
    expect(lines.at(-1)).toBe("each mark is the greatest of 2 values");
  });

  it.each([
    [[column("uid", "string"), column("n", "int")], [{ uid: "a", n: 1 }], /first column is no instant/],
    [[column("at", "instant"), column("uid", "string")], [{ at: day(1), uid: "a" }], /no column of numbers/],
    [[column("at", "instant"), column("n", "int")], [], /no rows/],
    [
      [column("at", "instant"), column("n", "int")],
      [
        { at: day(1), n: 1 },
        { at: day(1), n: 2 },
      ],
      /share an instant/,
    ],
    [
      [column("at", "instant"), column("n", "int"), column("l", "json")],
      [{ at: day(1), n: 1, l: [] }],
      /l is no number/,
    ],
    [[column("at", "instant"), column("n", "int")], [{ at: null, n: 1 }], /missing/],
  ])("is refused with a reason where there is no series: %#", (columns, rows, reason) => {
    expect(chartLines({ columns, rows }, style)).toMatch(reason);
  });
});
