// `query_tql`: one statement of TQL that reads, and its answer in pages. `explain`: what it would do.
import { Type } from "typebox";
import { canonicalJson } from "../contract/canonical.js";
import { damagedCursor, decodeCursor, encodeCursor } from "../contract/cursor.js";
import { sha256Hex } from "../contract/digest.js";
import { PalimpsestError } from "../contract/errors.js";
import { closed, described, nullable, Pin, withDefault } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import type { Answer } from "../index.js";
import { byteLength, jsonText } from "./json.js";
import { COUNT, CURSOR, closedSchema, FLAG, orNull, PIN_SCHEMA, TEXT } from "./json-schema.js";
import { weightOfRows } from "./kept.js";
import { DATA_NOTE } from "./operator-tools.js";
import { MOST_BYTES, MOST_ROWS, pageLimit, rowsThatFit, tooLong } from "./page.js";
import { argumentsReader, type Tool, type ToolCall } from "./tool.js";

export const PARAMS = Type.Unsafe<JsonObject>({ type: "object" });

const { input, read } = argumentsReader(
  closed({
    query: described(Type.String({ minLength: 1 }), "one statement: SELECT, MATCH, CALL, WITH, SHOW or EXPLAIN"),
    params: described(withDefault(PARAMS, {}), "values of $name in the statement: {name: value}"),
    as_of_tt: described(withDefault(nullable(Pin), null), "answer as it was believed then; null: by the latest commit"),
    limit: described(
      withDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), MOST_ROWS),
      `most rows of this page; never more than ${MOST_ROWS}`,
    ),
    cursor: described(withDefault(nullable(Type.String()), null), "the `cursor` of the answer before: the next page"),
  }),
);

const DOC = `Answers one statement of TQL, the temporal query language, that reads: SELECT, MATCH, CALL, SHOW or EXPLAIN. Values
go into \`params\`, never into the text. SELECT h.src, h.dst FROM EDGES(HOLDS) FOR VALID_TIME AS OF DATE '2024-06-01' AS h is what
held on a day; SHOW TYPES and SHOW PROPERTIES tell what there is; palimpsest://manual explains the operators that CALL takes.`;

interface Asked {
  readonly query: string;
  readonly params: JsonObject;
  readonly as_of_tt: unknown;
  readonly limit: number;
  readonly cursor: string | null;
}

const bindingOf = ({ query, params, as_of_tt }: Asked): string =>
  sha256Hex(canonicalJson({ query, params, as_of_tt: as_of_tt as string | null })).slice(0, 32);

/** A write is told what writes here; how to open a session is nothing that a caller of tools decides. */
function toldHere(error: unknown): unknown {
  if (!(error instanceof PalimpsestError) || error.code !== "E_READONLY") return error;
  const hint = "propose_write writes, where the server was started with a policy";
  return new PalimpsestError("E_READONLY", "query_tql only reads", { details: error.details, hint, cause: error });
}

/** The statement in a session of its own, at the pin. */
async function answered({ query, params }: Asked, pin: unknown, call: ToolCall): Promise<Answer> {
  const session = call.db.session({ readOnly: true, ...(pin === null ? {} : { pin }) });
  try {
    const answer: Answer = await session.query(query as string, { params, signal: call.signal });
    if (answer.kind !== "session") return answer;
    throw new PalimpsestError("E_INVALID_ARG", "each call is a session of its own, which nothing else would see", {
      details: { path: "/query" },
      hint: "give as_of_tt, or write the time clauses into the statement",
    });
  } catch (error) {
    throw toldHere(error);
  } finally {
    session.close();
  }
}

const weightOf = ({ rows }: Answer): number => weightOfRows(rows);

async function wholeAnswer(asked: Asked, call: ToolCall): Promise<{ answer: Answer; tx: number; from: number }> {
  const { db, held } = call;
  const binding = bindingOf(asked);
  const keep = (answer: Answer, tx: number): void => held.paged.put(`${binding} ${tx}`, answer, weightOf(answer));
  if (asked.cursor === null) {
    const head = await db.head();
    const answer = await answered(asked, asked.as_of_tt, call);
    const tx = answer.pin?.tx ?? head.tx;
    keep(answer, tx);
    const { result_digest: digest } = answer;
    if (digest !== null) held.results.put(digest, { text: () => jsonText(answer) }, weightOf(answer));
    return { answer, tx, from: 0 };
  }
  const cursor = decodeCursor(asked.cursor);
  if (cursor.binding !== binding) throw damagedCursor("it belongs to another statement");
  const { tx, ordinal: from } = cursor;
  let answer = held.paged.get(`${binding} ${tx}`);
  if (answer === undefined) {
    answer = await answered(asked, asked.as_of_tt ?? `tx:${tx}`, call);
    keep(answer, tx);
  }
  if (from > answer.rows.length) throw damagedCursor("it points behind the end of the answer");
  return { answer, tx, from };
}

function page(asked: Asked, { answer, tx, from }: { answer: Answer; tx: number; from: number }): string {
  const { columns, rows, rows_total, notices, plan, pin, result_digest } = answer;
  const around = { columns, rows_total, notices, plan, pin, result_digest };
  const texts = rows.slice(from, from + asked.limit).map(jsonText);
  const bytesAround = byteLength(jsonText(around));
  const count = rowsThatFit(texts, bytesAround);
  if (count === 0 && (texts.length > 0 || bytesAround > MOST_BYTES))
    throw tooLong(bytesAround + byteLength(texts[0] ?? ""));
  const next = from + count;
  const goesOn = next < rows.length;
  const cursor = goesOn ? encodeCursor({ list: 0, tx, ordinal: next, binding: bindingOf(asked) }) : null;
  const complete = answer.complete && !goesOn && from === 0;
  return jsonText({ ...around, rows: rows.slice(from, next), complete, cursor });
}

const COLUMN = closedSchema({ name: TEXT, type: TEXT });

export const queryTool: Tool = {
  name: "query_tql",
  description: [DOC, DATA_NOTE].join("\n\n"),
  input,
  output: closedSchema({
    columns: { type: "array", items: COLUMN },
    rows: { type: "array", items: { type: "object", description: "one value per column" } },
    rows_total: { ...COUNT, description: "rows of the whole answer" },
    complete: { ...FLAG, description: "whether these rows are the whole answer" },
    cursor: CURSOR,
    notices: { type: "array", items: closedSchema({ code: TEXT, message: TEXT }) },
    plan: { type: ["object", "null"], description: "what was run, as run_plan takes it" },
    pin: orNull(PIN_SCHEMA),
    result_digest: { type: ["string", "null"], description: "of the whole answer" },
  }),
  async run(args, call) {
    const given = read(args) as unknown as Asked;
    const asked = { ...given, limit: pageLimit(given.limit) as number };
    return page(asked, await wholeAnswer(asked, call));
  },
};
