// Wrong arguments of every kind, for every operator: whatever is refused says what would be right.
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { DECLARATIONS, lookUp } from "../../src/operators/registry.js";

const WRONG: readonly JsonValue[] = [
  ...[null, true, "", "x", "x".repeat(2_000), "2020-13-45", "P1M", "PT"],
  ...[-1, 0, 1.5, 1e9, {}, { nonsense: 1 }, [], ["x"], [{}], [[]], [1]],
  ...[{ from: "2021-01-01", to: "2020-01-01" }, { from: 1 }, { us: 1.5 }],
  Array.from({ length: 70 }, () => ({ prop: "a", op: "eq", value: 1 })),
];

type Place = readonly (string | number)[];

/** Every place of a value, the whole of it left out. */
function* placesOf(value: JsonValue, at: Place = []): Generator<Place> {
  if (at.length > 0) yield at;
  if (typeof value !== "object" || value === null) return;
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of members) yield* placesOf(member, [...at, key]);
}

function replaced(value: JsonValue, [key, ...rest]: Place, by: JsonValue): JsonValue {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as Record<string | number, JsonValue>;
  copy[key] = replaced(copy[key] ?? null, rest, by);
  return copy as JsonValue;
}

const formsOf = (args: object): readonly { readonly properties: object }[] =>
  "anyOf" in args ? (args.anyOf as never) : [args as never];

describe.each(DECLARATIONS.map((declaration) => [declaration.name, declaration] as const))(
  "%s",
  (name, declaration) => {
    it("refuses nothing without a hint", () => {
      const operator = lookUp(name);
      const names = formsOf(declaration.args).flatMap(({ properties }) => Object.keys(properties));
      const withoutHint = new Set<string>();
      let refused = 0;
      const judge = (args: JsonValue): void => {
        const findings = operator.findings(structuredClone(args) as JsonObject);
        refused += findings.length > 0 ? 1 : 0;
        for (const { code, message, hint } of findings) if (hint.trim() === "") withoutHint.add(`${code} ${message}`);
      };
      judge({});
      judge({ no_such_argument: 1 });
      for (const { args } of declaration.examples.slice(0, 2)) {
        for (const left of Object.keys(args)) {
          const { [left]: _left, ...others } = args;
          judge(others);
        }
        const places = [...new Set(names)].map((argument): Place => [argument]);
        for (const place of [...places, ...placesOf(args)])
          for (const wrong of WRONG) judge(replaced(args, place, wrong));
      }
      expect([...withoutHint]).toEqual([]);
      expect(refused).toBeGreaterThan(50);
    });
  },
);

it.each([
  ["2021-01-01", "2020-01-01", "from 2020-01-01T00:00:00Z to 2021-01-01T00:00:00Z"],
  ["2020-01-01", "2020-01-01", "give a later one"],
])("a period from %s to %s is corrected in the hint", (from, to, corrected) => {
  const [found] = lookUp("aggregate_events").findings({ aggregates: [{ fn: "count" }], window: { from, to } });
  expect(found).toMatchObject({ code: "E_PERIOD_ORDER", hint: expect.stringContaining(corrected) });
});

const hintOf = (name: string, args: JsonObject): string => lookUp(name).findings(args)[0]?.hint ?? "";

describe("what is written otherwise elsewhere", () => {
  it.each([
    ["edges", '; of a property write "props.hours"'],
    ["nodes", '; of a property write "props.hours"'],
    ["commits", null],
  ])("a column of %s that may be a property", (of, said) => {
    const hint = hintOf("scan", { of, columns: ["hours"] });
    if (said === null) expect(hint).not.toContain("props.");
    else expect(hint.endsWith(said)).toBe(true);
  });

  it("a property where what is measured stands", () => {
    const hint = (aggregate: JsonObject): string => hintOf("aggregate_events", { aggregates: [aggregate] });
    expect(hint({ fn: "sum", of: "amount" })).toMatch(/"duration".*, or write prop: "amount"$/);
    expect(hint({ fn: "first", of: "amount" })).toMatch(/, or write prop: "amount"$/);
    // A property cannot be measured so.
    expect(hint({ fn: "max_in_span", of: "amount", span: "PT1H" })).not.toContain("prop:");
  });

  it.each(["avg", "AVG", "average"])("%s, which is the mean", (fn) => {
    for (const what of [{ of: "at" }, { prop: "amount" }])
      expect(hintOf("aggregate_events", { aggregates: [{ fn, ...what }] })).toMatch(/^did you mean "mean"\?/);
  });
});
