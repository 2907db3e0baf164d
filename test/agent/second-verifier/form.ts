// V1: whether a value is a claim, read off the table of claim types by hand.
// Looks at form alone: what a path names is not its matter.
import type { Claim } from "../../../src/agent/claims/claim.js";
import { ALLEN_RELATIONS } from "../../../src/contract/allen.js";

type Check = (value: unknown) => boolean;
interface Form {
  readonly needs: Readonly<Record<string, Check>>;
  readonly may: Readonly<Record<string, Check>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === "string";
const isBool: Check = (value) => typeof value === "boolean";
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** A text: whether it is a path, and where that leads, is for V3. */
const isCell: Check = (value) => typeof value === "string" && value.length >= 1 && value.length <= 200;
const isAbout: Check = (value) => Array.isArray(value) && value.length <= 4 && value.every(isCell);
const isScalar: Check = (value) => value === null || ["string", "number", "bigint", "boolean"].includes(typeof value);
const isMembers: Check = (value) => Array.isArray(value) && value.every(isScalar);

function fits(value: unknown, { needs, may }: Form): boolean {
  if (!isObject(value)) return false;
  return (
    Object.keys(needs).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, member]) => {
      if (Object.hasOwn(needs, key)) return needs[key]!(member);
      return Object.hasOwn(may, key) && may[key]!(member);
    })
  );
}

const isRank: Check = (value) => fits(value, { needs: { by: isCell, side: oneOf("max", "min") }, may: {} });
const isSpan: Check = (value) =>
  fits(value, { needs: { at: isCell }, may: { of: isCell } }) ||
  fits(value, { needs: { from: isCell, to: isCell }, may: { of: isCell } });
const isEnds: Check = (value) => fits(value, { needs: { from: isScalar, to: isScalar }, may: {} });

const FORMS: Readonly<Record<string, Form>> = {
  count: { needs: { cell: isCell }, may: { value: isScalar } },
  value: { needs: { cell: isCell }, may: { rank: isRank, value: isScalar } },
  entity: { needs: { cell: isCell }, may: { rank: isRank, value: isScalar } },
  entity_set: { needs: { cells: isCell, complete: isBool }, may: { value: isMembers } },
  ordering: { needs: { a: isSpan, b: isSpan, relation: oneOf(...ALLEN_RELATIONS, "intersects") }, may: {} },
  interval: { needs: { from: isCell, to: isCell }, may: { rank: isRank, value: isEnds } },
  change: {
    needs: {
      before: isCell,
      after: isCell,
      axis: oneOf("belief", "valid"),
      direction: oneOf("up", "down", "same", "different"),
    },
    may: {},
  },
  absence: { needs: {}, may: { cell: isCell, list: isCell } },
  temporal_pattern: {
    needs: { pattern: oneOf("burst", "concentration", "trend"), step: isText },
    may: { row: isCell, direction: oneOf("up", "down", "flat"), share: oneOf(25, 50, 75, 90) },
  },
};

/** The claim, or nothing where the value is none. */
export function claimOf(given: unknown): Claim | undefined {
  if (!isObject(given) || typeof given.type !== "string" || !Object.hasOwn(FORMS, given.type)) return undefined;
  const { needs, may } = FORMS[given.type]!;
  const whole: Form = {
    needs: { ...needs, type: isText, id: (id) => typeof id === "string" && /^c[1-9][0-9]?$/.test(id) },
    may: { ...may, about: isAbout },
  };
  if (!fits(given, whole)) return undefined;
  const claim = given as unknown as Claim;
  if (claim.type === "absence" && (claim.cell === undefined) === (claim.list === undefined)) return undefined;
  return claim;
}
