// Passes merged and figures rendered, on documents written by hand; and the README against the figures that are kept.

import { describe, expect, it } from "vitest";
import type { AnsweredCell, Cell, SystemDocument } from "../runner/document.js";
import { readReadme, withFigures } from "./keep.js";
import { mergePasses } from "./merge.js";
import { renderFigures, shownNumber } from "./table.js";

function cell(median_ms: number, more: Partial<AnsweredCell> = {}): AnsweredCell {
  const timing = { p95_ms: median_ms, repetitions: 20, others_cores: 0, loop_ms: 1, round_medians_ms: [median_ms] };
  return { median_ms, ...timing, rows: 1, digest: "d", agrees: true, ...more };
}

function document(peer: string, queries: { [id: string]: Cell }, more: Partial<SystemDocument> = {}): SystemDocument {
  return {
    peer,
    version: "1",
    machine: { cpu: "a processor", cores: 2, memory_gb: 8, system: "Linux" },
    scale: 1_000_000,
    family: "intervals",
    load: { seconds: 2, events_per_s: 500_000, durable: true, bytes_on_disk: 25_000_000, resident_mb: 90 },
    queries,
    peak_mb_after_queries: 100,
    ...more,
  };
}

describe("passes", () => {
  it("give each cell of the quietest pass, and the medians of all", () => {
    const merged = mergePasses([
      document("x", { a: cell(3), b: cell(1) }),
      document("x", { a: cell(2), b: cell(4) }, { peak_mb_after_queries: 120 }),
    ]);
    expect(merged.queries).toMatchObject({
      a: { median_ms: 2, round_medians_ms: [3, 2] },
      b: { median_ms: 1, round_medians_ms: [1, 4] },
    });
    expect(merged.peak_mb_after_queries).toBe(120);
  });

  it("leave a question unanswered that failed once", () => {
    const failed = { unsupported: "too slow" };
    expect(mergePasses([document("x", { a: cell(3) }), document("x", { a: failed })]).queries.a).toBe(failed);
  });

  it("are of one commit", () => {
    const passes = [document("x", {}, { commit: "1" }), document("x", {}, { commit: "2" })];
    expect(() => mergePasses(passes)).toThrow("two commits");
  });
});

describe("the table", () => {
  const ours = document(
    "Ours",
    { "snap.hop2": cell(0.5), "diff.global": cell(20) },
    {
      commit: "0123456789abcdef",
      machine: { cpu: "a processor", cores: 2, memory_gb: 8, system: "Linux", node: "v20" },
    },
  );
  const fast = document("Fast", {
    "snap.hop2": cell(0.1, { difference: "[0]: 1, expected 2" }),
    "diff.global": cell(10),
  });
  const slow = document("Slow", { "snap.hop2": cell(40), "diff.global": { unsupported: "cannot" } });
  const lines = renderFigures([fast, ours, slow], []).split("\n");

  it("puts ratios to ours beside every median, and the lead over the best right answer", () => {
    expect(lines).toContain("| snap.hop2 | 1, met | 0.5 | ≠ 0.1 (0.2×) | 40 (80×) | 80× |");
    expect(lines).toContain("| diff.global | 10, **missed** | 20 | 10 (0.5×) | – | 0.5× |");
  });

  it("says why a cell is marked", () => {
    expect(lines).toContain("- snap.hop2, Fast: ≠ [0]: 1, expected 2");
    expect(lines).toContain("- diff.global, Slow: – cannot");
  });

  it("names the machine and the commit", () => {
    expect(lines).toContain("- a processor, 2 cores, 8 GB, Node v20; commit 0123456789ab");
  });

  it("shows three digits", () => {
    expect([0.012345, 1.2345, 99.94, 1_234.5].map(shownNumber)).toEqual(["0.0123", "1.23", "99.9", "1,235"]);
  });

  it("stands in the README as the kept figures say", () => {
    const readme = readReadme();
    expect(withFigures(readme)).toBe(readme);
  });
});
