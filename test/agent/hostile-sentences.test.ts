// The prose check against sentences written by another hand: each hostile one is refused for what it does, each honest one
// stands.
import { describe, expect, it } from "vitest";
import type { Claim } from "../../src/agent/claims/claim.js";
import { possibleNames } from "../../src/agent/words/names-in-prose.js";
import { checkProse } from "../../src/agent/words/prose.js";
import type { WordedClaim } from "../../src/agent/words/prose-input.js";
import { HOSTILE_SENTENCES, STORE_NAMES } from "./hostile-sentences.js";

const worded = (claim: Claim, more: Partial<WordedClaim> = {}): [string, WordedClaim] => [
  claim.id,
  { claim, isExtreme: false, isOfBelief: false, isOfReason: false, tiedTo: new Set(), ...more },
];

const CLAIMS: ReadonlyMap<string, WordedClaim> = new Map([
  worded({ id: "c1", type: "value", cell: "s1.value" }),
  worded({ id: "c2", type: "entity", cell: "s2.rows[0].uid" }),
  worded({ id: "c3", type: "absence", list: "s3.rows" }),
  worded({ id: "c4", type: "change", before: "s4.value", after: "s5.value", axis: "belief", direction: "up" }),
  worded({ id: "c5", type: "entity_set", cells: "s6.rows[*].uid", complete: true }),
  worded({ id: "c6", type: "ordering", a: { at: "s7.value" }, b: { at: "s8.value" }, relation: "before" }),
  worded({ id: "c7", type: "temporal_pattern", pattern: "burst", step: "s9", row: "s9.rows[0]" }),
  worded({ id: "c8", type: "entity", cell: "s1.rows[0].uid", rank: { by: "n", side: "max" } }, { isExtreme: true }),
  worded({ id: "c9", type: "count", cell: "s2.rows[0].n" }, { tiedTo: new Set(["c2"]) }),
  worded({ id: "c10", type: "value", cell: "s1.value" }, { isOfBelief: true }),
  worded({ id: "c11", type: "value", cell: "s1.rows[0].ended_reason" }, { isOfReason: true }),
  worded({ id: "c12", type: "entity_set", cells: "s6.rows[*].uid", complete: false }),
  worded(
    { id: "c13", type: "count", cell: "s6.rows[0].n", about: ["s6.rows[0].uid"] },
    { tiedTo: new Set(["c13.of"]) },
  ),
]);
const MENTIONS: ReadonlySet<string> = new Set(["q1", "q2"]);
const ENTITIES: ReadonlySet<string> = new Set(["q2", "c13.of"]);

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
const NAMES: ReadonlySet<string> = new Set(STORE_NAMES.map(folded));

function kindsOf(text: string): string[] {
  // As an ask does it: the store is asked for what the text may hold, and for nothing else.
  const known = new Set([...possibleNames(text)].filter((name) => NAMES.has(name)));
  const rejections = checkProse({ text, claims: CLAIMS, mentions: MENTIONS, entities: ENTITIES, names: known });
  return rejections.map(({ kind, text: said }) => `${kind}: ${said}`);
}

const all = Object.values(HOSTILE_SENTENCES).flat();

it(`is asked ${all.filter(({ kind }) => kind !== null).length} hostile sentences, each once`, () => {
  expect(all.filter(({ kind }) => kind !== null).length).toBeGreaterThanOrEqual(300);
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
});

describe.each(Object.entries(HOSTILE_SENTENCES))("%s", (_, sentences) => {
  it.each(sentences.map(({ text, kind }) => [JSON.stringify(text), text, kind] as const))(
    "%s",
    (_shown, text, kind) => {
      const found = kindsOf(text);
      if (kind === null) expect(found).toEqual([]);
      else expect(found.map((each) => each.split(":")[0])).toContain(kind);
    },
  );
});
