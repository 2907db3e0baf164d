// The line below an answer, and errors as they are shown.
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { errorLines } from "../../src/cli/error-text.js";
import { statusLine } from "../../src/cli/status-line.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { answerOf } from "./scripted-store.js";

const plain = pc.createColors(false);
const pin = { tx: 812, tx_time: "2025-03-05T09:00:00Z" };
const untimed = { tookMs: undefined };

describe("the status line", () => {
  it("says rows, time, pin, periods and notices", () => {
    const read = { valid_time: { at: "2025-03-01T00:00:00Z" }, transaction_time: "latest", pin };
    const answer = answerOf({ n: "int" }, [{ n: 1 }], {
      pin,
      resolved: [read, read, { ...read, valid_time: { from: "2025-01-01T00:00:00Z", to: null } }],
      notices: [
        { code: "W_BETWEEN_END", message: "b is taken" },
        { code: "W_DEFAULT_PERIOD", message: "long" },
      ],
    });
    expect(statusLine(answer, { tookMs: 1.25 })).toBe(
      "1 row · 1.3 ms · pin tx:812 (2025-03-05T09:00:00Z) · valid at 2025-03-01T00:00:00Z" +
        " · valid 2025-01-01T00:00:00Z to forever · W_BETWEEN_END: b is taken · W_DEFAULT_PERIOD",
    );
  });

  it("says when there is more, when something is missing, and nothing of what is not there", () => {
    const part = answerOf({ n: "int" }, [{ n: 1 }, { n: 2 }], { pin: null, rows_total: 1234, complete: false });
    expect(statusLine(part, { tookMs: 12_345 })).toBe("2 rows of 1,234, incomplete · 12.3 s");
    expect(statusLine(answerOf({}, [], { pin: null }), untimed)).toBe("");
    const empty = answerOf({ n: "int" }, [], { pin: { tx: 0, tx_time: null } });
    expect(statusLine(empty, untimed)).toBe("0 rows · pin tx:0");
    const versions = { valid_time: "all", transaction_time: "all", pin: null };
    expect(statusLine(answerOf({ n: "int" }, [], { pin: null, resolved: [versions] }), untimed)).toBe(
      "0 rows · valid all · believed all",
    );
  });
});

describe("an error", () => {
  const error = (details: object) =>
    new PalimpsestError("E_SYNTAX", "wrong\n word", { details: { ...details }, hint: "mend\nit" });

  it("has its line and a caret below the wrong word, tabs and wide characters counted as they are drawn", () => {
    const text = "SELECT 1;\n\tSELECT '東京' x y";
    const lines = errorLines(error({ line: 1, column: 15, length: 1 }), plain, { text, line: 2, column: 2 });
    expect(lines).toEqual([
      "E_SYNTAX: wrong word (line 2, column 16)",
      "  2 |  SELECT '東京' x y",
      `    | ${" ".repeat(17)}^`,
      "  hint: mend it",
    ]);
  });

  it("has a caret at the end of the text, and none where there is no place or no text", () => {
    const source = { text: "SELECT", line: 1, column: 1 };
    expect(errorLines(error({ line: 1, column: 7, length: 0 }), plain, source).slice(1, 3)).toEqual([
      "  1 | SELECT",
      "    |       ^",
    ]);
    const bare = ["E_SYNTAX: wrong word", "hint: mend it"];
    expect(errorLines(error({}), plain, source)).toEqual(bare);
    expect(errorLines(error({ line: 1, column: 1, length: 3 }), plain)).toEqual(bare);
  });

  it("cannot steer the terminal by the text that it quotes", () => {
    const source = { text: "SELECT \u001b[31m", line: 1, column: 1 };
    expect(errorLines(error({ line: 1, column: 8, length: 1 }), plain, source)[1]).toBe("  1 | SELECT \\u001b[31m");
  });
});
