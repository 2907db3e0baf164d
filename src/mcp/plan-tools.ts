// Plans over MCP: `explain`, `verify_plan` and `run_plan`.
import { Type } from "typebox";
import { damagedCursor, decodeCursor, encodeCursor } from "../contract/cursor.js";
import { PalimpsestError } from "../contract/errors.js";
import { closed, described, nullable, setOf, Uid, withDefault } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { type ExplainAnswer, PlanSchema, type Trace } from "../index.js";
import { DEFAULT_CEILINGS } from "../operators/cost-guard.js";
import { keepTrace } from "./grounds.js";
import { byteLength, jsonText } from "./json.js";
import { COUNT, CURSOR, closedSchema, FLAG, type JsonSchema, PIN_SCHEMA, TEXT } from "./json-schema.js";
import { DATA_NOTE } from "./operator-tools.js";
import { MOST_BYTES, MOST_ROWS, pageLimit, rowsThatFit, tooLong } from "./page.js";
import { PARAMS } from "./query-tool.js";
import { argumentsReader, type Tool } from "./tool.js";

const PLAN_TEXT = `A plan is a graph of operator calls in which {"$ref": "s1.rows[0].uid"} stands for what an earlier step gave, and what of it is
the answer. palimpsest://manual has the operators.`;
const Plan = described(
  Type.Unsafe<JsonObject>({ type: "object" }),
  "the plan: {steps: [{id, op, args}], answer: {kind, from}}",
);

/** The arguments with the published schema of plans in place of "an object". */
function withPlanSchema(input: JsonSchema): JsonSchema {
  const properties = input.properties as Record<string, JsonSchema>;
  return {
    ...input,
    properties: { ...properties, plan: { ...properties.plan, ...(PlanSchema as unknown as JsonSchema) } },
  };
}

const explainArguments = argumentsReader(
  closed({
    query: described(withDefault(nullable(Type.String({ minLength: 1 })), null), "a statement of TQL that reads; or"),
    plan: withDefault(Plan, null),
    params: described(withDefault(PARAMS, {}), "values of $name in the statement: {name: value}"),
  }),
);

const oneOfBoth = (): PalimpsestError =>
  new PalimpsestError("E_SCHEMA", "give a query or a plan, and not both", {
    details: { path: "" },
    hint: '{"query": "SELECT …"}, or {"plan": {…}}',
  });

const nothingRead = (): PalimpsestError =>
  new PalimpsestError("E_INVALID_ARG", "the statement reads nothing, so that there is no plan", {
    details: { path: "/query" },
    hint: "give a statement that reads: SELECT, MATCH, CALL or WITH",
  });

const EXPLAIN_TEXT = `Shows what a statement or a plan would do without running it: its plan, what each step is estimated to take (null where that
depends on an earlier step), and the ceilings above which a call is E_COST.`;

export const explainTool: Tool = {
  name: "explain",
  description: [EXPLAIN_TEXT, DATA_NOTE].join("\n\n"),
  input: withPlanSchema(explainArguments.input),
  output: closedSchema(
    {
      plan: { type: "object", description: "as run_plan takes it" },
      tql: { ...TEXT, description: "the statement in canonical form" },
      estimate: {
        type: "array",
        items: closedSchema({
          step: TEXT,
          op: TEXT,
          rows: { type: ["integer", "null"] },
          steps: { type: ["integer", "null"] },
        }),
      },
      ceilings: closedSchema({ rows: COUNT, steps: COUNT }),
    },
    ["tql"],
  ),
  async run(given, { db, signal }) {
    const { query, plan: givenPlan, params } = explainArguments.read(given);
    if ((query === null) === (givenPlan === null)) throw oneOfBoth();
    const ceilings = { rows: DEFAULT_CEILINGS.rows, steps: DEFAULT_CEILINGS.steps };
    if (givenPlan !== null) return jsonText({ plan: givenPlan, estimate: db.estimate(givenPlan), ceilings });
    const text = query as string;
    // What is wrong with the statement is told with its own lines, before a word is put in front of it.
    db.prepare(text);
    const { plan, tql } = (await db.query(`EXPLAIN ${text}`, {
      params: params as JsonObject,
      signal,
    })) as unknown as ExplainAnswer;
    if (plan === null) throw nothingRead();
    return jsonText({ plan, tql, estimate: db.estimate(plan), ceilings });
  },
};

const VIOLATION = closedSchema({
  code: TEXT,
  kind: TEXT,
  step: { type: ["string", "null"] },
  path: { ...TEXT, description: "JSON pointer into the plan" },
  message: TEXT,
  hint: TEXT,
});

const verifyArguments = argumentsReader(
  closed({
    plan: Plan,
    entities: described(
      withDefault(nullable(setOf(Uid, { maxItems: 10_000 })), null),
      "the only entities that the plan may name; null: it may name any",
    ),
  }),
);

export const verifyPlanTool: Tool = {
  name: "verify_plan",
  description: [`Tells everything that is wrong with a plan, without running it. ${PLAN_TEXT}`, DATA_NOTE].join("\n\n"),
  input: withPlanSchema(verifyArguments.input),
  output: closedSchema({ valid: FLAG, violations: { type: "array", items: VIOLATION } }),
  async run(given, { db }) {
    const { plan, entities } = verifyArguments.read(given);
    const { valid, violations } = db.verify(plan, entities === null ? {} : { identifiers: entities as string[] });
    return jsonText({ valid, violations });
  },
};

const runArguments = argumentsReader(
  closed({
    plan: Plan,
    limit: described(
      withDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), MOST_ROWS),
      `most rows of the answer on this page; never more than ${MOST_ROWS}`,
    ),
    cursor: described(
      withDefault(nullable(Type.String()), null),
      "the `cursor` of the same plan's answer before: the next page",
    ),
  }),
);

type TracePart = NonNullable<Trace["answer"]>;

/** The rows of an answer, whatever its kind; a single value is none. */
function rowsOf(part: TracePart): { readonly name: "rows" | "value"; readonly rows: readonly unknown[] } | null {
  if (part.kind === "table") return { name: "rows", rows: part.rows };
  return Array.isArray(part.value) ? { name: "value", rows: part.value } : null;
}

type Keys = TracePart["row_keys"];
const keysOf = (keys: Keys, from: number, to: number): Keys =>
  keys === null ? null : { ...keys, rows: keys.rows.slice(from, to) };

/** A part of the answer beside the main one, with as many rows as a page may have. */
function cutPart<Part extends TracePart["also"][number]>(part: Part): Part {
  const list = rowsOf(part as unknown as TracePart);
  if (list === null || list.rows.length <= MOST_ROWS) return part;
  const row_keys = keysOf(part.row_keys, 0, MOST_ROWS);
  return { ...part, [list.name]: list.rows.slice(0, MOST_ROWS), row_keys, complete: false, incomplete: ["page"] };
}

function tracePage(trace: Trace, from: number, limit: number): string {
  const { answer, ...rest } = trace;
  const also = answer!.also.map(cutPart);
  const main = { ...answer!, also };
  const isAlsoCut = also.some((part, i) => part !== answer!.also[i]);
  const list = rowsOf(main);
  if (list === null) {
    const text = jsonText({ trace: rest, answer: main, complete: main.complete && !isAlsoCut, cursor: null });
    if (byteLength(text) > MOST_BYTES) throw tooLong(byteLength(text));
    return text;
  }
  if (from > list.rows.length) throw damagedCursor("it points behind the end of the answer");
  const keys = main.row_keys;
  const texts = list.rows
    .slice(from, from + limit)
    .map((row, i) => jsonText(keys === null ? [row] : [row, keys.rows[from + i]]));
  const bytesAround = byteLength(
    jsonText({ trace: rest, answer: { ...main, [list.name]: [], row_keys: keysOf(keys, 0, 0) } }),
  );
  const count = rowsThatFit(texts, bytesAround);
  if (count === 0 && (texts.length > 0 || bytesAround > MOST_BYTES)) throw tooLong(bytesAround);
  const next = from + count;
  const goesOn = next < list.rows.length;
  const isWhole = from === 0 && !goesOn;
  const shown = isWhole
    ? main
    : { ...main, [list.name]: list.rows.slice(from, next), row_keys: keysOf(keys, from, next) };
  const binding = trace.plan_digest.slice(0, 32);
  const cursor = goesOn ? encodeCursor({ list: 0, tx: trace.ask_pin.tx, ordinal: next, binding }) : null;
  return jsonText({ trace: rest, answer: shown, complete: main.complete && isWhole && !isAlsoCut, cursor });
}

const RUN_TEXT = `Runs a plan and gives its trace, every call with its arguments, pin and digest, and its answer. The whole trace is
palimpsest://trace/{trace_digest}; \`palimpsest run STORE --check\` holds it against the store. A further page runs the plan again, and is
refused when the store has moved on.`;

export const runPlanTool: Tool = {
  name: "run_plan",
  description: [RUN_TEXT, PLAN_TEXT, DATA_NOTE].join("\n\n"),
  input: withPlanSchema(runArguments.input),
  output: closedSchema({
    trace: closedSchema({
      trace_version: { const: 1 },
      plan: { type: "object" },
      plan_digest: TEXT,
      ask_pin: PIN_SCHEMA,
      registry_version: TEXT,
      steps: { type: "array", items: { type: "object" } },
      trace_digest: TEXT,
    }),
    answer: { type: "object", description: "kind, value or columns and rows, complete, and `also` for further parts" },
    complete: { ...FLAG, description: "whether this is the whole answer" },
    cursor: CURSOR,
  }),
  async run(given, { db, held, signal, progress }) {
    const { plan, limit, cursor } = runArguments.read(given);
    const from = cursor === null ? null : decodeCursor(cursor as string);
    const trace = await db.run(plan, { signal, onStep: (done, of) => progress.at(done, of, "steps") });
    if (from !== null) {
      if (from.binding !== trace.plan_digest.slice(0, 32)) throw damagedCursor("it belongs to another plan");
      if (from.tx !== trace.ask_pin.tx) {
        throw new PalimpsestError("E_STATE", `the store has moved on from tx:${from.tx} to tx:${trace.ask_pin.tx}`, {
          details: { tx: from.tx, latest: trace.ask_pin.tx },
          hint: "begin with the first page again, or pin the steps with as_of_tt",
        });
      }
    }
    keepTrace(held, trace);
    return tracePage(trace, from?.ordinal ?? 0, pageLimit(limit) as number);
  },
};
