// `ask`: a question in words, answered by the agent with the model that the server was started with.
import { Type } from "typebox";
import type { Agent, AgentAnswer, AskOptions } from "../agent/index.js";
import { closed, described, nullable, Pin, setOf, Uid, withDefault } from "../contract/schemas.js";
import { keepTrace } from "./grounds.js";
import { byteLength, jsonText } from "./json.js";
import { closedSchema, FLAG, orNull, PIN_SCHEMA, TEXT, TEXTS } from "./json-schema.js";
import { DATA_NOTE } from "./operator-tools.js";
import { MOST_BYTES, MOST_ROWS, tooLong } from "./page.js";
import type { Progress } from "./progress.js";
import { argumentsReader, type Tool } from "./tool.js";

const { input, read } = argumentsReader(
  closed({
    question: described(Type.String({ minLength: 1, maxLength: 4_000 }), "in words"),
    pin: described(
      withDefault(nullable(Pin), null),
      "the commit that it is asked at: tx:12 or an instant; null: the newest",
    ),
    front: described(withDefault(Type.Enum(["json", "tql"]), "json"), "how the model writes plans: as JSON, or as TQL"),
    mode: described(
      withDefault(Type.Enum(["auto", "plan", "loop"]), "auto"),
      "one plan, a call at a time, or a plan first and then calls",
    ),
    entities: described(
      withDefault(setOf(Uid, { maxItems: 64 }), []),
      "entities that the question is about, though it may not name them",
    ),
  }),
);

const TEXT_OF_TOOL = `Answers a question in words: a model plans and words, the database computes, each claim is verified against the cell that it names, and
code prints every value. \`text\` is for people; \`parts\` hold the values; \`evidence\` says where each stands; \`could_not\` says what could
not be shown. The whole trace is palimpsest://trace/{trace_digest}; verify_claims takes its claims.`;

/** A list of a result, at most a page of it. */
const cut = (value: unknown): unknown =>
  Array.isArray(value) && value.length > MOST_ROWS ? value.slice(0, MOST_ROWS) : value;

/** The answer with long lists cut: the whole ones are in the trace. */
function answerText(answer: AgentAnswer): string {
  const whole = jsonText(answer);
  if (byteLength(whole) <= MOST_BYTES) return whole;
  const parts = answer.parts.map((part) => {
    const value = cut(part.value);
    return value === part.value ? part : { ...part, value, complete: false };
  });
  const valueCut = (claim: AgentAnswer["claims"][number]) =>
    "value" in claim && claim.value !== undefined ? { ...claim, value: cut(claim.value) } : claim;
  const text = jsonText({
    ...answer,
    parts,
    claims: answer.claims.map(valueCut),
    blocked: answer.blocked.map(valueCut),
  });
  if (byteLength(text) > MOST_BYTES) throw tooLong(byteLength(text));
  return text;
}

/** Tells how far an ask has come; how many stages follow is not known before the last one. */
function follow(progress: Progress): NonNullable<AskOptions["on_event"]> {
  let done = 0;
  return () => {
    done += 1;
    progress.at(done, done + 1, "stages");
  };
}

const OBJECTS = { type: "array", items: { type: "object" } } as const;

/** A tool over an agent that has a model. */
export const askTool = (agent: Agent): Tool => ({
  name: "ask",
  description: [TEXT_OF_TOOL, DATA_NOTE].join("\n\n"),
  input,
  output: closedSchema(
    {
      answer_version: { const: 1 },
      status: { enum: ["answered", "partial", "abstained", "failed"] },
      error: { type: "object", description: "why the question failed: code, message, hint, details" },
      text: TEXT,
      parts: {
        type: "array",
        items: closedSchema({ kind: TEXT, from: TEXT, value: {}, complete: FLAG, claim: TEXT, verdict: TEXT }, [
          "value",
          "claim",
          "verdict",
        ]),
      },
      claims: OBJECTS,
      evidence: TEXTS,
      blocked: { ...OBJECTS, description: "claims that are not shown, for auditors" },
      could_not: OBJECTS,
      assumptions: TEXTS,
      notices: TEXTS,
      pin: PIN_SCHEMA,
      coverage: { type: "object" },
      plan: orNull({ type: "object" }),
      trace_digest: orNull(TEXT),
      attempts: OBJECTS,
      model: { type: "object" },
      usage: { type: "object" },
      answer_digest: { ...TEXT, description: "of the answer with whole lists" },
    },
    ["coverage", "error"],
  ),
  async run(given, { held, signal, progress }) {
    const { question, pin, front, mode, entities } = read(given) as unknown as {
      question: string;
      pin: string | null;
      front: NonNullable<AskOptions["front"]>;
      mode: NonNullable<AskOptions["mode"]>;
      entities: readonly string[];
    };
    const asked = { entities, front, mode, signal, on_event: follow(progress), ...(pin === null ? {} : { pin }) };
    const { answer, trace, mentions } = await agent.ask(question, asked);
    if (trace !== null) keepTrace(held, trace, { claims: answer.claims, mentions, question });
    return answerText(answer);
  },
});
