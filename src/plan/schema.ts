// The published form of plans: JSON Schema, ids, kinds and bounds. The verifier's own reading is beside it.
import { Type } from "typebox";
import { closed, described, nullable } from "../contract/schemas.js";
import { LONGEST_REFERENCE } from "./references.js";

export const ANSWER_KINDS = [
  "table",
  "count",
  "value",
  "entity_set",
  "interval",
  "series",
  "paths",
  "ordering",
] as const;
export const MOST_STEPS = 256;
export const MOST_FURTHER_PARTS = 3;
export const MOST_ANSWER_COLUMNS = 1024;
export const STEP_ID = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const Id = Type.String({ pattern: STEP_ID.source });
const Path = Type.String({ minLength: 1, maxLength: LONGEST_REFERENCE });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Step = closed({
  id: described(Id, "its name, which no other step has"),
  op: described(Type.String({ minLength: 1 }), "name of an operator"),
  args: described(
    Type.Optional(Type.Object({}, { additionalProperties: true })),
    'the arguments of the operator, with {"$ref": "s1.rows[0].uid"} in place of any value or element of a list; ' +
      "without limit, or with limit null, every list is read to its end",
  ),
  depends_on: described(Type.Optional(Type.Array(Id)), "steps that must run before; references say it, too"),
  slice: described(
    Type.Optional(
      Type.Unsafe<[number, number | null]>({
        type: "array",
        prefixItems: [count, nullable(count)],
        items: false,
        minItems: 2,
      }),
    ),
    "[offset, count] of the rows that are handed on; count null: to the end",
  ),
  unknown: described(
    Type.Optional(Type.Literal("empty")),
    "a subject that is not known matches nothing, instead of an error",
  ),
});

const Part = {
  kind: described(Type.Enum([...ANSWER_KINDS]), "what the answer is"),
  from: described(Path, "where it is: a step, or a path such as s2.rows_total"),
};
const Column = closed({
  from: described(Type.String({ minLength: 1 }), "a column of the rows, or a field of the answer that is no list"),
  as: described(Type.String({ minLength: 1 }), "its name in the answer"),
});

export const PlanSchema = closed(
  {
    steps: described(Type.Array(Step, { minItems: 1, maxItems: MOST_STEPS }), "the calls, in any order"),
    answer: described(
      closed({
        ...Part,
        columns: described(
          Type.Optional(Type.Array(Column, { minItems: 1, maxItems: MOST_ANSWER_COLUMNS })),
          "of a table, its columns in their order; left out: all",
        ),
        also: described(
          Type.Optional(Type.Array(closed(Part), { maxItems: MOST_FURTHER_PARTS })),
          "further parts of the question",
        ),
      }),
      "what of the steps is the answer",
    ),
  },
  { title: "Plan", $schema: "https://json-schema.org/draft/2020-12/schema" },
);

/** The schema as a file. */
export const planSchemaText = (): string => `${JSON.stringify(PlanSchema, null, 2)}\n`;
