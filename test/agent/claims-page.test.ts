// docs/claims.md names every form of a claim with its fields, and every reason of a verdict; and its example is a claim.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Reason } from "../../src/agent/claims/claim.js";
import { CLAIM_SCHEMAS, readClaim } from "../../src/agent/claims/claim-schema.js";
import { ALLEN_RELATIONS } from "../../src/contract/allen.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/claims.md"), "utf8");

/** Cells of the rows of all tables, the outer bars taken off. */
const ROWS = Array.from(page.matchAll(/^\| (.*) \|$/gm), ([, row]) => row!.split(" | "));
const quoted = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name]) => name!);

/** The compiler holds that none is left out. */
const REASONS: Readonly<Record<Reason, true>> = {
  malformed: true,
  no_evidence: true,
  digest_mismatch: true,
  no_cell: true,
  not_evidence: true,
  null_cell: true,
  untied: true,
  not_a_count: true,
  not_an_entity: true,
  page: true,
  rank: true,
  not_a_pair: true,
  not_comparable: true,
  same_corner: true,
  unknown_name: true,
  not_a_series: true,
  short_history: true,
  no_events: true,
  too_many_buckets: true,
  upstream: true,
  value: true,
  members: true,
  relation: true,
  direction: true,
  present: true,
  pattern: true,
  subset: true,
  tied: true,
  ambiguous_name: true,
  vacuous: true,
  outside_data: true,
};

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Shape[];
}

const fieldsOf = ({ properties = {}, anyOf = [] }: Shape): readonly string[] => [
  ...new Set([...Object.keys(properties), ...anyOf.flatMap(fieldsOf)]),
];

it("has every form with its fields", () => {
  const forms = ROWS.filter((row) => row.length === 3 && row[0] !== "`type`").map(([type, fields]) => [
    quoted(type!)[0],
    quoted(fields!).sort(),
  ]);
  const expected = Object.entries(CLAIM_SCHEMAS).map(([type, schema]) => [
    type,
    fieldsOf(schema as Shape)
      .filter((field) => !["id", "type", "about"].includes(field))
      .sort(),
  ]);
  expect(Object.fromEntries(forms)).toEqual(Object.fromEntries(expected));
});

it("has every relation", () => {
  const [, , says] = ROWS.find(([type]) => type === "`ordering`")!;
  expect(quoted(says!)).toEqual(expect.arrayContaining([...ALLEN_RELATIONS, "intersects"]));
});

it("has every reason", () => {
  const named = ROWS.filter((row) => row.length === 2).flatMap(([reasons]) => quoted(reasons!));
  expect([...new Set(named)].sort()).toEqual(Object.keys(REASONS).sort());
});

it("shows a claim", () => {
  const [, example] = /```json\n([\s\S]*?)```/.exec(page)!;
  expect(readClaim(JSON.parse(example!))).not.toBeNull();
});
