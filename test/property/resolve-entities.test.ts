// resolve_entities against the reference engine: on random stores, and on stores of names that fold, compose and are
// alike. Then the folding itself against that of Node.js, letter by letter.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { fold } from "../../src/reference/folding.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, LawStore } from "../support/law-store.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { entitiesCall } from "../support/random-calls.js";
import { randomInstant } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

comparisonSuite("resolve_entities on random stores", 10, entitiesCall);

const NO_LIMITS = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.POSITIVE_INFINITY };

/** Parts of names: letters that fold to several, marks in any order, Hangul in parts, letters beyond 16 bits. */
const PARTS = [
  ...["a", "A", "b", "ab", "BA", "o", "O", " ", "ß", "ẞ", "ss", "SS", "ﬃ", "ffi", "İ", "i", "ı", "I", "Σ", "σ", "ς"],
  ...[
    "é",
    "e\u0301",
    "\u0301",
    "\u0327",
    "\u0323",
    "\u0307",
    "ṩ",
    "s",
    "Å",
    "\u212b",
    "\u03a9",
    "\u2126",
    "가",
    "\u1100",
    "\u1161",
  ],
  ...["\u11a8", "각", "ᾳ", "ͅ", "Ꭰ", "ꭰ", "Ა", "ა", "\u{1f600}", "𐐀", "𐐨", "क़", "क", "़", "や", "が", "か", "゙", "ŉ", "ΐ"],
];
const name = (random: Random, most: number): string =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(PARTS)).join("");
/** One edit or two away: a letter more, less, another, or two exchanged. */
function edited(random: Random, text: string): string {
  const letters = Array.from(text);
  const at = random.below(letters.length + 1);
  const edit = random.below(4);
  if (edit === 0) letters.splice(at, 0, random.pick(PARTS));
  else if (edit === 1) letters.splice(at, 1);
  else if (edit === 2) letters.splice(at, 1, random.pick(PARTS));
  else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
  return letters.join("") || "a";
}

describe("names that fold and compose", () => {
  it.each(Array.from({ length: CASE_COUNT }, (_, i) => FIRST_SEED + i))(
    "seed %i",
    { timeout: 60_000 },
    async (seed) => {
      const random = new Random(seed);
      const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
      try {
        const names = Array.from({ length: 12 }, () => name(random, 5));
        let found = 0;
        for (let tx = 1; tx <= 3; tx += 1) {
          const ops = Array.from({ length: 8 }, () => ({
            op: "assert_node",
            uid: random.chance(1, 2) ? random.pick(names) : `n${random.below(6)}`,
            labels: random.some(["P", "Q"]),
            props: { name: random.pick(names), alias: random.chance(1, 2) ? random.pick(names) : random.below(9) },
            valid_from: "2020-01-01T00:00:00Z",
            valid_to: random.chance(1, 2) ? null : `2020-01-01T00:00:${10 + random.below(50)}Z`,
          }));
          for (const store of [native, reference]) await store.write(ops, `2021-01-0${tx}T00:00:00Z`);
          for (let i = 0; i < 6; i += 1) {
            const base = random.pick(names);
            const letters = Array.from(base);
            const from = random.below(letters.length);
            const part = letters.slice(from, from + 1 + random.below(3)).join("");
            const query = random.pick([base, part, edited(random, base), edited(random, edited(random, base))]);
            const args: Fields = {
              query,
              name_props: random.pick([["name"], ["alias", "name"], ["none", "alias"]]),
              max_distance: random.pick([null, 0, 1, 2, 3]),
              min_tier: random.pick(["exact", "prefix", "substring", "fuzzy", "alias", "alias"]),
              at: random.chance(1, 2) ? null : randomInstant(random),
              as_of_tt: random.chance(1, 3) ? `tx:${random.below(tx + 1)}` : null,
              limit: random.pick([2, 100]),
            };
            const [mine, theirs] = await Promise.all(
              [native, reference].map((store) => callOperator(store.engine, "resolve_entities", args)),
            );
            expect(canonicalJson(mine as never), canonicalJson(args as never)).toBe(canonicalJson(theirs as never));
            found += (mine as unknown as { rows_total: number }).rows_total;
          }
        }
        expect(found).toBeGreaterThan(3);
        // Many at once, of every commit.
        const texts = [...names, ...names.map((each) => edited(random, each)), "n1", "N2", "nobody"];
        for (const [tx, props] of [
          [1, ["name"]],
          [2, ["none"]],
          [3, ["alias", "name"]],
        ] as const) {
          const [mine, theirs] = await Promise.all(
            [native, reference].map(({ engine }) => engine.pin(tx).knownNames(texts, props, NO_LIMITS)),
          );
          expect([...mine!].sort()).toEqual([...theirs!].sort());
        }
      } finally {
        await native.close();
      }
    },
  );
});

describe("names of more than a piece of the list", () => {
  it("are looked up beside the thread where a node has many versions, and at once where it has few", async () => {
    const version = (uid: string, i: number): Fields => ({
      op: "assert_node",
      uid,
      props: { name: `name of ${uid}` },
      valid_from: new Date(Date.UTC(2000, 0, i + 1)).toISOString(),
      valid_to: new Date(Date.UTC(2000, 0, i + 2)).toISOString(),
    });
    const store = await nativeCaseStore();
    try {
      const ops = [version("few", 0), ...Array.from({ length: 1_100 }, (_, i) => version("often", i))];
      await store.write(ops, "2021-01-01T00:00:00Z");
      const look = (name: string) => store.engine.pin(1).knownNames([name], ["name"], NO_LIMITS);
      await look("name of few");
      expect(look("name of few")).toEqual(new Set(["name of few"]));
      const often = look("name of often");
      expect(often).toBeInstanceOf(Promise);
      expect(await often).toEqual(new Set(["name of often"]));
    } finally {
      await store.close();
    }
  });

  it("are known, each by its own text, and nothing beside them", async () => {
    const long = (letter: string, i: number): string => `${letter.repeat(30_000)}${i}`;
    const ops = Array.from({ length: 80 }, (_, i) => ({
      op: "assert_node",
      uid: `u${i}`,
      props: { name: long("A", i) },
      valid_from: "2020-01-01T00:00:00Z",
    }));
    const store = await nativeCaseStore();
    try {
      await store.write(ops, "2021-01-01T00:00:00Z");
      const known = Array.from({ length: 80 }, (_, i) => [long("a", i), `U${i}`]).flat();
      const unknown = [long("a", 80), long("b", 1), "a".repeat(30_000), "u80", "u"];
      const found = await store.engine.pin(1).knownNames([...unknown, ...known], ["name"], NO_LIMITS);
      expect([...found]).toEqual(known);
    } finally {
      await store.close();
    }
  });
});

const isAssigned = /^[^\p{Cn}\p{Cs}\p{Co}]$/u;
/** The letters that Node.js knows, which are no more than those of the table. */
function* letters(): Generator<string> {
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const letter = code >= 0xd800 && code < 0xe000 ? "" : String.fromCodePoint(code);
    if (letter !== "" && isAssigned.test(letter)) yield letter;
  }
}

describe("folding and normalization", () => {
  it("of every letter that changes is that of Node.js", { timeout: 60_000 }, async () => {
    const store = await LawStore.of([]);
    try {
      const byFolding = new Map<string, string[]>();
      const ops: Fields[] = [];
      for (const letter of letters()) {
        const normal = letter.normalize("NFC");
        const folding = fold(normal);
        if (normal === letter && folding === letter) continue;
        const uid = `n${letter.codePointAt(0)}`;
        byFolding.set(folding, [...(byFolding.get(folding) ?? []), uid]);
        ops.push({ op: "assert_node", uid, props: { name: `«${letter}»` }, valid_from: "2020-01-01" });
      }
      expect(ops.length).toBeGreaterThan(2500);
      await store.write({ ops, txTime: "2021-01-01T00:00:00Z" });
      for (const [folding, uids] of [...byFolding].filter((_, i) => i % 3 === 0)) {
        const rows = await store.rows("resolve_entities", { query: `«${folding}»`, min_tier: "exact" });
        expect(rows.map(({ uid }) => uid).sort(), folding).toEqual(uids.sort());
      }
    } finally {
      await store.close();
    }
  });

  it("of marks in any order is that of Node.js", async () => {
    const random = new Random(7);
    const store = await LawStore.of([]);
    try {
      const written = Array.from({ length: 200 }, (_, i) => ({ uid: `n${i}`, text: `|${name(random, 7)}|` }));
      const ops = written.map(({ uid, text }) => ({
        op: "assert_node",
        uid,
        props: { name: text },
        valid_from: "2020-01-01",
      }));
      await store.write({ ops, txTime: "2021-01-01T00:00:00Z" });
      for (const { text } of written) {
        const normal = text.normalize("NFC");
        const alike = written.filter((each) => fold(each.text.normalize("NFC")) === fold(normal));
        for (const query of [normal, text.normalize("NFD")]) {
          const rows = await store.rows("resolve_entities", { query, min_tier: "exact" });
          expect(rows.map(({ uid }) => uid).sort(), text).toEqual(alike.map(({ uid }) => uid).sort());
        }
      }
    } finally {
      await store.close();
    }
  });
});

describe("hostile questions", () => {
  it("are answered or refused, and later writes are found", async () => {
    const store = await LawStore.of([]);
    const total = async (args: Fields) => (await store.call("resolve_entities", args)).rows_total;
    try {
      expect(await total({ query: "a" })).toBe(0);
      const long = "ab".repeat(250_000);
      const node = (uid: string, text: string) => ({
        op: "assert_node",
        uid,
        props: { name: text },
        valid_from: "2020-01-01",
      });
      await store.write({ ops: [node("long", long), node("x".repeat(1024), "")], txTime: "2021-01-01T00:00:00Z" });
      expect(await total({ query: "ba" })).toBe(1);
      expect(await total({ query: `${"x".repeat(1023)}y`, max_distance: 1 })).toBe(1);
      expect(await total({ query: "a".repeat(1024), max_distance: 3 })).toBe(0);
      expect(await store.payload("resolve_entities", { query: "é".repeat(513) })).toBe("E_INVALID_ARG");
      expect(await total({ query: "ba", name_props: ["__proto__", "constructor"] })).toBe(0);
      await store.write({ ops: [node("late", "Bartók")], txTime: "2021-01-02T00:00:00Z" });
      expect(await total({ query: "BARTÓK" })).toBe(1);
      expect(await total({ query: "BARTÓK", as_of_tt: "tx:1" })).toBe(0);
    } finally {
      await store.close();
    }
  });
});
