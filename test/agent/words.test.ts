// What words around claims may say, and how values, names and texts are shown.
import { describe, expect, it } from "vitest";
import type { Claim, PatternClaim } from "../../src/agent/claims/claim.js";
import { FUNCTION_WORDS } from "../../src/agent/words/function-words.js";
import {
  BEFORE_OTHER_NUMBERS,
  BEFORE_TIMES,
  CAUSE_WORDS,
  DATE_WORDS,
  LICENSED_WORDS,
  type Licence,
  NO_SUPERLATIVES,
  NUMBER_WORDS,
  OFTEN_NO_DATES,
  OPENING_WORDS,
} from "../../src/agent/words/lexicon.js";
import { escapedJson, type Medium, shownCode, shownText } from "../../src/agent/words/media.js";
import { checkProse } from "../../src/agent/words/prose.js";
import type { WordedClaim } from "../../src/agent/words/prose-input.js";
import { filled, sentencesOf } from "../../src/agent/words/sentences.js";
import { shownDuration, shownInstant, shownInterval, shownNumber } from "../../src/agent/words/values.js";

const NAMES = new Set(["ada", "new york", "1598", "jean-luc picard", "the", "of"]);

const PLAIN: Omit<WordedClaim, "claim"> = {
  isExtreme: false,
  isOfBelief: false,
  isOfReason: false,
  tiedTo: new Set(),
};
const claims = (...worded: WordedClaim[]): ReadonlyMap<string, WordedClaim> =>
  new Map(worded.map((each) => [each.claim.id, each]));
const VALUE: WordedClaim = { ...PLAIN, claim: { id: "c1", type: "value", cell: "s1.value" } };
const ENTITY: WordedClaim = { ...PLAIN, claim: { id: "c2", type: "entity", cell: "s1.rows[0].uid" } };

function problems(text: string, worded: ReadonlyMap<string, WordedClaim> = claims(VALUE)): string[] {
  const names = { has: (folded: string) => NAMES.has(folded) };
  return checkProse({ text, claims: worded, mentions: new Set(["q1"]), names }).map(
    ({ kind, text: said }) => `${kind}: ${said}`,
  );
}

describe("sentences", () => {
  it("end at marks outside of braces", () => {
    const texts = sentencesOf("So {c1}. And {c1.of} did {q1}! Did it?\nYes {c2}...").map(({ text }) => text);
    expect(texts).toEqual(["So {c1}.", "And {c1.of} did {q1}!", "Did it?", "Yes {c2}."]);
  });

  it("know their placeholders", () => {
    const [first] = sentencesOf("{c1.of} is {c12} in {q3}, not {c0}, {x1} or {c100}");
    expect(first!.placeholders.map(({ kind, id }) => [kind, id])).toEqual([
      ["subject", "c1"],
      ["claim", "c12"],
      ["mention", "q3"],
    ]);
  });

  it("are filled in one go, so that a value with braces fills nothing", () => {
    expect(filled("{c1} and {c2}", ({ id }) => (id === "c1" ? "{c2}" : "b"))).toBe("{c2} and b");
  });
});

describe("the prose check", () => {
  it("passes words that say nothing by themselves", () => {
    expect(problems("The number of accounts reached in {q1} was {c1}.")).toEqual([]);
  });

  it.each(NUMBER_WORDS)("refuses the number %s", (word) => {
    expect(problems(`There were ${word} with {c1}.`)).toContain(`bare_number: ${word}`);
  });

  it.each(DATE_WORDS)("refuses the date %s", (word) => {
    const said = word.replace(/^./, (letter) => letter.toUpperCase());
    expect(problems(`It was ${said} for {c1}.`)).toContain(`bare_date: ${said}`);
  });

  it.each(OFTEN_NO_DATES)("lets %s stand where it is no date", (word) => {
    expect(problems(`They ${word} have {c1}.`)).toEqual([]);
    expect(problems(`It was in ${word} for {c1}.`)).toContain(`bare_date: ${word}`);
  });

  it.each(BEFORE_TIMES)("takes what stands behind %s for a date", (word) => {
    expect(problems(`It was ${word} may for {c1}.`)).toContain("bare_date: may");
  });

  it.each(OPENING_WORDS)("lets %s begin a sentence", (word) => {
    const said = word.replace(/^./, (letter) => letter.toUpperCase());
    expect(problems(`${said} {c1}.`)).toEqual([]);
    expect(FUNCTION_WORDS).not.toContain(word);
  });

  it.each(CAUSE_WORDS)("refuses the cause %s, unless a reason is claimed", (word) => {
    const text = `It was ${word} {c1}.`;
    expect(problems(text)).toContain(`cause: ${word}`);
    expect(problems(text, claims({ ...VALUE, isOfReason: true })).join()).not.toContain("cause");
  });

  const changed = (direction: "up" | "down" | "same"): WordedClaim => ({
    ...PLAIN,
    claim: { id: "c1", type: "change", before: "s1.value", after: "s2.value", axis: "belief", direction },
  });
  const pattern = (more: Pick<PatternClaim, "pattern" | "direction" | "share">): WordedClaim => ({
    ...PLAIN,
    claim: { id: "c1", type: "temporal_pattern", step: "s1", row: "s1.rows[0].from", ...more },
  });
  /** By licence, claims of which one at least lets each of its words stand. */
  const licensed: Readonly<Record<Licence, readonly WordedClaim[]>> = {
    extreme: [
      { ...VALUE, isExtreme: true, sides: new Set(["max"]) },
      { ...VALUE, isExtreme: true, sides: new Set(["min"]) },
      { ...VALUE, isExtreme: true, sides: new Set(["max"]), sidesInTime: new Set(["max"]) },
      { ...VALUE, isExtreme: true, sides: new Set(["min"]), sidesInTime: new Set(["min"]) },
    ],
    universal: [{ ...PLAIN, claim: { id: "c1", type: "entity_set", cells: "s1.rows[*].uid", complete: true } }],
    negation: [{ ...PLAIN, claim: { id: "c1", type: "absence", list: "s1.rows" } }],
    change: [changed("up"), changed("down"), changed("same")],
    order: [{ ...PLAIN, claim: { id: "c1", type: "interval", from: "s1.rows[0].from", to: "s1.rows[0].to" } }],
    pattern: [
      pattern({ pattern: "burst" }),
      pattern({ pattern: "burst", direction: "down" }),
      pattern({ pattern: "concentration", share: 75 }),
      pattern({ pattern: "concentration", share: 25 }),
      pattern({ pattern: "trend", direction: "up" }),
    ],
    belief: [{ ...VALUE, isOfBelief: true }],
  };
  const entries = Object.entries(LICENSED_WORDS).flatMap(([licence, words]) =>
    words.map((word) => [word, licence as Licence] as const),
  );
  it.each(entries)("lets %s stand with its licence (%s) alone", (word, licence) => {
    const said = word === "n't" ? "wasn't" : word;
    const text = `It ${said} {c1}.`;
    const isNumber = NUMBER_WORDS.includes(word);
    expect(problems(text).some((problem) => problem.startsWith("unlicensed"))).toBe(true);
    const allowed = licensed[licence].map((worded) =>
      problems(text, claims(worded)).filter((problem) => !(isNumber && problem.startsWith("bare_number"))),
    );
    expect(allowed).toContainEqual([]);
  });

  const ONE_WAY: readonly (readonly [string, WordedClaim])[] = [
    ["least", licensed.extreme[0]!],
    ["fewest", licensed.extreme[0]!],
    ["most", licensed.extreme[1]!],
    ["busiest", licensed.extreme[1]!],
    ["earliest", licensed.extreme[2]!],
    ["latest", licensed.extreme[3]!],
    [
      "peaked",
      {
        ...VALUE,
        claim: { id: "c1", type: "value", cell: "s1.value", rank: { by: "n", side: "min" } },
        sides: new Set(["min"]),
      },
    ],
    ["had a peak", pattern({ pattern: "burst", direction: "down" })],
    ["had a majority", pattern({ pattern: "concentration", share: 50 })],
    ["had a minority", pattern({ pattern: "concentration", share: 75 })],
    ["fell", changed("up")],
    ["rose", changed("down")],
    ["rose", changed("same")],
    ["changed", changed("same")],
    ["stayed", changed("up")],
    ["fell", pattern({ pattern: "trend", direction: "up" })],
    ["had a burst", pattern({ pattern: "burst", direction: "down" })],
    ["had a dip", pattern({ pattern: "burst" })],
    ["had a burst", pattern({ pattern: "trend", direction: "up" })],
    ["had a trend", pattern({ pattern: "burst" })],
    ["was mostly", pattern({ pattern: "concentration", share: 25 })],
    ["was mostly", pattern({ pattern: "concentration", share: 50 })],
    ["was both", { ...licensed.universal[0]!, members: 3 }],
  ];
  it.each(ONE_WAY)("does not let `%s` stand with a claim that leans another way", (words, worded) => {
    expect(problems(`It ${words} {c1}.`, claims(worded)).join()).toContain("unlicensed");
  });

  // Otto got 3 of 9 payments, more than any other: first by count, and no more than that.
  const first: WordedClaim = {
    ...PLAIN,
    claim: { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
    isExtreme: true,
    sides: new Set(["max"]),
  };
  it.each([
    ...["majority", "bulk", "mostly", "mainly", "largely", "primarily", "chiefly", "predominantly", "concentrated"],
    ...["spike", "burst", "surge", "dominant", "dominates", "dominated", "dominating", "trend", "steady", "minority"],
    ...["first", "last", "earliest", "latest", "final", "finally", "initial", "initially", "oldest", "newest"],
    ...["firstly", "lastly", "most of", "Most of"],
  ])("lets no `%s` stand with a rank by a number", (word) => {
    expect(problems(`To {c1} it ${word} went.`, claims(first))).toContain(`unlicensed: ${word}`);
  });

  it.each(["most", "peak", "peaks", "peaked", "top", "largest", "richest", "most of all", "most of any"])(
    "lets `%s` stand with a rank by a number",
    (word) => expect(problems(`To {c1} it ${word} went.`, claims(first))).toEqual([]),
  );

  const absence = licensed.negation[0]!;
  const set = licensed.universal[0]!;
  const once = licensed.belief[0]!;
  const count: WordedClaim = { ...PLAIN, claim: { id: "c1", type: "count", cell: "s1.rows_total" } };
  const burst = pattern({ pattern: "burst" });
  it.each<[string, WordedClaim, readonly string[]]>([
    ["Nobody was paid at all: {c1}.", absence, []],
    ["It paid at all: {c1}.", count, ["unlicensed: at all"]],
    ["It made {c1} payments in all.", count, []],
    ["All in all, it made {c1} payments.", count, []],
    ["In all it made {c1} payments.", count, ["unlicensed: all"]],
    ["It made {c1} payments in all weeks.", count, ["unlicensed: all"]],
    ["The following were paid: {c1}.", set, []],
    ["The following week it paid {c1}.", count, ["unlicensed: following"]],
    ["Following that it paid {c1}.", count, ["unlicensed: Following"]],
    ["It was in turn {c1}.", count, []],
    ["They add up to {c1}.", count, []],
    ["It adds up to {c1}.", count, []],
    ["It added up to {c1}.", count, []],
    ["They add over {c1}.", count, ["bare_number: over {c1}"]],
    ["They made up to {c1}.", count, ["bare_number: up to {c1}"]],
    ["They were spread over {c1} accounts.", count, []],
    ["Over {c1} payments, it was so.", count, []],
    ["Over {c1} payments were made.", count, ["bare_number: Over {c1}"]],
    ["It made over {c1} payments, and so on.", count, ["bare_number: over {c1}"]],
    ["Every one of them was paid: {c1}.", set, []],
    ["Every one of them was paid: {c1}.", count, ["bare_number: one", "unlicensed: Every one of"]],
    ["Every one was paid: {c1}.", set, ["bare_number: one"]],
    ["It was {c1} before, and earlier.", once, []],
    ["Previously, formerly and originally it was {c1}.", once, []],
    ["It is no longer {c1}.", once, []],
    ["It was {c1} before.", count, ["unlicensed: before"]],
    ["It was {c1} later.", once, ["unlicensed: later"]],
    ["It was {c1} after.", once, ["unlicensed: after"]],
    ["The peak was {c1}.", burst, []],
  ])("judges %j by its claim", (text, worded, expected) => {
    expect(problems(text, claims(worded))).toEqual(expected);
  });

  it("lets during stand before a time of the question that a claim was asked with", () => {
    const check = (text: string, askedWith: ReadonlySet<string>) =>
      checkProse({
        text,
        claims: claims({ ...count, askedWith }),
        mentions: new Set(["q1", "q2"]),
        entities: new Set(["q2"]),
        conditions: new Set(["q1"]),
        names: new Set(),
      }).map(({ kind, text: said }) => `${kind}: ${said}`);
    const asked = new Set(["q1"]);
    expect(check("It made {c1} payments during {q1}.", asked)).toEqual([]);
    expect(check("It made {c1} payments during {q1}.", new Set())).toEqual(["untied: {q1}"]);
    expect(check("It made {c1} payments during that.", asked)).toEqual(["unlicensed: during"]);
    expect(check("During that it made {c1} payments during {q1}.", asked)).toContain("unlicensed: During");
    expect(check("It made {c1} payments during {q2}.", asked)).toContain("unlicensed: during");
  });

  it("judges the language of no few words, and counts no genitive", () => {
    expect(problems("{c1}'s xerox, {c1}'s blorp and {c1}'s frob.")).toEqual([]);
    expect(problems("xerox zonk blorp frob quux {c1} wibble.")).toEqual(["form: words that are not English"]);
  });

  it("lets both stand with a set of two", () => {
    expect(problems("It was both {c1}.", claims({ ...licensed.universal[0]!, members: 2 }))).toEqual([]);
  });

  it.each([
    ["before", "at the same time", false],
    ["equals", "at the same time", true],
    ["during", "overlapping", true],
    ["after", "overlapping", false],
    ["after", "before", true],
  ] as const)("of what lies %s lets `%s` stand: %s", (relation, words, stands) => {
    const claim: Claim = { id: "c1", type: "ordering", a: { at: "s1.value" }, b: { at: "s2.value" }, relation };
    expect(problems(`It was ${words}: {c1}.`, claims({ ...PLAIN, claim })).length === 0).toBe(stands);
  });

  it.each(BEFORE_OTHER_NUMBERS)("lets no `%s` make another number of a count", (words) => {
    const count: WordedClaim = { ...PLAIN, claim: { id: "c1", type: "count", cell: "s1.rows_total" } };
    expect(problems(`It was ${words} {c1}.`, claims(count)).join()).toContain(`bare_number: ${words} {c1}`);
    expect(problems("It went on over {q1}: {c1}.", claims(count))).toEqual([]);
  });

  it.each(NO_SUPERLATIVES)("takes %s for no superlative", (word) => {
    expect(problems(`It was ${word} {c1}.`)).toEqual([]);
  });

  it("takes the longest words that have a licence", () => {
    expect(problems("It no longer had {c1}.", claims(...licensed.negation))).toEqual([]);
    expect(problems("It no longer had {c1}.")).toEqual(["unlicensed: no longer"]);
    expect(problems("Only the {c1}.", claims(...licensed.universal))).toEqual([]);
  });

  it("asks for the licence in the same sentence", () => {
    const worded = claims(VALUE, { ...ENTITY, isExtreme: true });
    expect(problems("The most is {c2}. The most is {c1}.", worded)).toEqual(["unlicensed: most"]);
  });

  it.each([
    ["It was 7 for {c1}.", "bare_number: 7"],
    ["It was ٧ for {c1}.", "bare_number: ٧"],
    ["It was Ⅶ for {c1}.", "bare_number: Ⅶ"],
    ["It was ½ for {c1}.", "bare_number: ½"],
    ["A share of {c1} %.", "bare_number: %"],
    ["It was twenty-one for {c1}.", "bare_number: twenty"],
    ["ADA had {c1}.", "bare_name: ADA"],
    ["It was in New York that {c1} was seen.", "bare_name: New York"],
    ["Jean-Luc Picard had {c1}.", "bare_name: Jean-Luc Picard"],
    ["It was “x” with {c1}.", "bare_name: “"],
    ["It was 'x' with {c1}.", "bare_name: 'x'"],
    ["It was `x` with {c1}.", "form: `"],
    ["Nobody knows.", "form: Nobody knows."],
    ["{q1} paid {q1}. It was {c1}.", "form: {q1} paid {q1}."],
    ["See {c7}.", "form: {c7}"],
    ["In {q9} it was {c1}.", "form: {q9}"],
    ["See https://x.y for {c1}.", "form: https:"],
    ["It was\u202e {c1}.", "form: \u202e"],
    ["It was\u200b {c1}.", "form: \u200b"],
    ["<b>{c1}</b>", "form: <"],
  ])("refuses %j", (text, problem) => {
    expect(problems(text)).toContain(problem);
  });

  it("asks that a value be tied to an entity of its sentence", () => {
    expect(problems("{c2} had {c1}.", claims(VALUE, ENTITY))).toEqual(["untied: {c1}"]);
    expect(problems("{c2} had {c1}.", claims({ ...VALUE, tiedTo: new Set(["c2"]) }, ENTITY))).toEqual([]);
    expect(problems("{c2} was there. Altogether it was {c1}.", claims(VALUE, ENTITY))).toEqual([]);
  });

  it("refuses what is too long", () => {
    expect(problems(`${"so ".repeat(500)}{c1}`)).toEqual(["form: 1504 characters"]);
  });

  it("has no word twice, and function words that need no licence", () => {
    for (const all of [
      [...NUMBER_WORDS, ...DATE_WORDS, ...CAUSE_WORDS, ...OPENING_WORDS],
      entries.map(([word]) => word),
    ])
      expect(new Set(all).size).toBe(all.length);
    expect([...FUNCTION_WORDS].sort()).toEqual([...FUNCTION_WORDS]);
    expect(FUNCTION_WORDS.length).toBeGreaterThanOrEqual(500);
  });
});

describe("values", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [-1234567, "-1,234,567"],
    [9007199254740993n, "9,007,199,254,740,993"],
    [1234.5, "1,234.5"],
    [0.000001, "0.000001"],
    [-0, "0"],
  ])("show the number %s as %s", (value, shown) => expect(shownNumber(value)).toBe(shown));

  it("show midnight as a date, and open ends", () => {
    expect(shownInstant("2004-06-01T00:00:00Z")).toBe("2004-06-01");
    expect(shownInstant("2004-06-01T00:00:00.000001Z")).toBe("2004-06-01T00:00:00.000001Z");
    expect(shownInterval("2004-06-01T00:00:00Z", "2004-06-08T00:00:00Z")).toBe(
      "2004-06-01 to 2004-06-08 (end excluded)",
    );
    expect(shownInterval("2004-06-01T00:00:00Z", null)).toBe("since 2004-06-01");
  });

  it.each([
    ["PT52H34M", "2 d 4 h 34 min"],
    ["PT0S", "0 µs"],
    ["PT0.000007S", "7 µs"],
    ["PT0.25S", "250 ms"],
    ["PT0.0015S", "1.5 ms"],
    ["PT1.5S", "1.5 s"],
    ["PT24H", "1 d"],
    ["-PT1M", "-1 min"],
    ["PT0.999999S", "999.999 ms"],
  ])("show the duration %s as %s", (value, shown) => expect(shownDuration(value)).toBe(shown));
});

describe("texts of the store", () => {
  it.each<[Medium, string, string]>([
    ["html", "<b>&'\"", "&lt;b&gt;&amp;&#39;&quot;"],
    ["plain", "Bo (`bo`), and Eve", "Bo (\\u{60}bo\\u{60}), and Eve"],
    ["terminal", "Bo (`bo`), and Eve", "Bo (\\u{60}bo\\u{60}), and Eve"],
    ["html", "Bo (`bo`), and Eve", "Bo (`bo`), and Eve"],
    ["markdown", "[x](http://y)", "\\[x\\]\\(http\\:\\/\\/y\\)"],
    ["terminal", "\u001b[31mred\u202e", "\\u{1b}[31mred\\u{202e}"],
    ["plain", "a\nb\u200b\u{e0041}", "a\\u{a}b\\u{200b}\\u{e0041}"],
    ["json", "a\n\u001b[31m\u202e<b>*\u{e0041}", "a\n\u001b[31m\u202e<b>*\u{e0041}"],
  ])("are safe in %s", (medium, text, shown) => expect(shownText(text, medium)).toBe(shown));

  it("are cut, and say so", () => {
    expect(shownText("é".repeat(130), "plain")).toBe(`${"é".repeat(128)}… (+2)`);
  });

  it("fence uids with more back-quotes than they hold", () => {
    expect(shownCode("a`b", "markdown")).toBe("`` a`b ``");
    expect(shownCode("<i>", "html")).toBe("<code>&lt;i&gt;</code>");
    expect(shownCode("a", "terminal")).toBe("`a`");
    expect(shownCode("a`\u202eb", "json")).toBe("`` a`\u202eb ``");
  });

  it("stand in JSON that shows nothing but what it is, and means the same", () => {
    const hostile = { "k\u202e": ["\u001b]0;x\u0007", "\u009b31m", "\u{e0041}\u200d", 'quote " and \\ and é'] };
    const text = escapedJson(JSON.stringify(hostile));
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    expect(JSON.parse(text)).toEqual(hostile);
  });
});
