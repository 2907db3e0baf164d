// The manual of clauses and the splitter against the language itself: examples parse, statements end at the same places.
import { describe, expect, it } from "vitest";
import { isReserved, parseScript, parseStatement } from "../../grammar/index.js";
import { splitScript } from "../../src/cli/script/split.js";
import { CLAUSES, clauseOf } from "../../src/manual/clauses.js";
import { Random } from "../support/random.js";

describe("the manual of clauses", () => {
  it.each(CLAUSES.map(({ names, example }) => [names[0], example]))("%s has an example that parses", (_, example) => {
    expect(parseStatement(example).problem).toBeNull();
  });

  it("has each name once, and finds it in any case", () => {
    const names = CLAUSES.flatMap((entry) => entry.names);
    expect(new Set(names).size).toBe(names.length);
    expect(clauseOf("group  by")?.names[0]).toBe("GROUP BY");
    expect(clauseOf("nonsense")).toBeUndefined();
  });

  it("has an entry for every reserved word that begins a clause", () => {
    const words =
      "SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT OFFSET WITH UNION EXCEPT INTERSECT CALL YIELD MATCH RETURN INSERT SET REMOVE DELETE ERASE CASE".split(
        " ",
      );
    for (const word of words) {
      expect([word, isReserved(word), clauseOf(word) !== undefined]).toEqual([word, true, true]);
    }
  });
});

const PIECES = [
  ...["SELECT 1", "'a;b'", "'it''s'", '"q;"', "`;`", "-- c;\n", "/* ; */", ";", ";", ";\n", " ", "\n"],
  ...["(a)-->(b)", "(a)--(b)", "(a)-[]->(b)", "x - - y", "''", "-1"],
];

describe("the splitter and the lexer", () => {
  it("end statements at the same places", () => {
    const random = new Random(0x7e5);
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(PIECES)).join(random.pick(["", " "]));
      const { statements, rest, open } = splitScript(text);
      // An edge that is squeezed against quotes or comments may open what is not closed: both must then take the rest.
      const mine = [...statements, ...(rest === null ? [] : [rest])].filter((each) => open === null || each !== rest);
      const theirs = parseScript(text);
      expect([text, mine.length]).toEqual([text, open === null ? theirs.length : Math.min(mine.length, theirs.length)]);
      for (const [i, { text: own }] of mine.entries()) expect(own).toContain(theirs[i]!.text);
    }
  });
});
