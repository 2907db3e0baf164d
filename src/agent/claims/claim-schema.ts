// The shape of claims, V1 of the verifier: one closed schema for each type.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type TSchema, Type } from "typebox";
import { ALLEN_RELATIONS } from "../../contract/allen.js";
import { closed } from "../../contract/schemas.js";
import type { Claim, ClaimType } from "./claim.js";

const LONGEST_PATH = 200;
/** Claims are flat: what lies deeper is none. */
const DEEPEST = 4;

const ClaimId = Type.String({ pattern: "^c[1-9][0-9]?$" });
const Cell = Type.String({ minLength: 1, maxLength: LONGEST_PATH });
const StepId = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,63}$" });
const About = Type.Optional(Type.Array(Cell, { maxItems: 4 }));
const RankSchema = closed({ by: Type.String({ minLength: 1 }), side: Type.Enum(["max", "min"]) });
const Scalar: TSchema = Type.Unsafe({ type: ["integer", "number", "string", "boolean", "null"] });
const SpanSchema = Type.Union([
  closed({ from: Cell, to: Cell, of: Type.Optional(Cell) }),
  closed({ at: Cell, of: Type.Optional(Cell) }),
]);

const claim = (type: ClaimType, fields: Record<string, TSchema>): TSchema =>
  closed({ id: ClaimId, type: Type.Literal(type), about: About, ...fields });
const value = Type.Optional(Scalar);
const rank = Type.Optional(RankSchema);

/** By type; no other key at any depth. */
export const CLAIM_SCHEMAS: Readonly<Record<ClaimType, TSchema>> = {
  count: claim("count", { cell: Cell, value }),
  value: claim("value", { cell: Cell, rank, value }),
  entity: claim("entity", { cell: Cell, rank, value }),
  entity_set: claim("entity_set", {
    cells: Cell,
    complete: Type.Boolean(),
    value: Type.Optional(Type.Array(Scalar)),
  }),
  ordering: claim("ordering", {
    a: SpanSchema,
    b: SpanSchema,
    relation: Type.Enum([...ALLEN_RELATIONS, "intersects"]),
  }),
  interval: claim("interval", {
    from: Cell,
    to: Cell,
    rank,
    value: Type.Optional(closed({ from: Scalar, to: Scalar })),
  }),
  change: claim("change", {
    before: Cell,
    after: Cell,
    axis: Type.Enum(["belief", "valid"]),
    direction: Type.Enum(["up", "down", "same", "different"]),
  }),
  absence: Type.Union([claim("absence", { cell: Cell }), claim("absence", { list: Cell })]),
  temporal_pattern: claim("temporal_pattern", {
    pattern: Type.Enum(["burst", "concentration", "trend"]),
    step: StepId,
    row: Type.Optional(Cell),
    direction: Type.Optional(Type.Enum(["up", "down", "flat"])),
    share: Type.Optional(Type.Enum([25, 50, 75, 90])),
  }),
};

const compiled = new Map<ClaimType, ValidateFunction>();

function validatorOf(type: ClaimType): ValidateFunction {
  let validate = compiled.get(type);
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, meta: false, validateSchema: false });
    validate = ajv.compile(JSON.parse(JSON.stringify(CLAIM_SCHEMAS[type])) as object);
    compiled.set(type, validate);
  }
  return validate;
}

/** What a pattern needs beside the schema: a burst and a concentration are of a row, a trend has a direction. */
function isWholePattern(given: Claim): boolean {
  if (given.type !== "temporal_pattern") return true;
  const { pattern, row, direction, share } = given;
  if (pattern === "trend") return row === undefined && share === undefined && direction !== undefined;
  if (row === undefined) return false;
  if (pattern === "burst") return share === undefined && direction !== "flat";
  return share !== undefined && direction === undefined;
}

/** The same with a number for each bigint, which the validator does not know; null for what is no tree of values. */
function plainShape(value: unknown, depth = 0): unknown {
  if (typeof value === "bigint") return 0;
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((member) => plainShape(member, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainShape(member, depth + 1)]));
}

/** The claim, where it has the shape of one. Values that are no JSON are no claim. */
export function readClaim(given: unknown): Claim | null {
  if (typeof given !== "object" || given === null) return null;
  const type = (given as { type?: unknown }).type;
  if (typeof type !== "string" || !Object.hasOwn(CLAIM_SCHEMAS, type)) return null;
  if (!validatorOf(type as ClaimType)(plainShape(given))) return null;
  return isWholePattern(given as Claim) ? (given as Claim) : null;
}
