// Third part of the demo: a question in words. Without a model at hand a small server in this process plays what one could
// write; everything else is as with any model: the plan is verified and run, each claim is checked, code prints each value.
import { type AgentAnswer, createAgent, type ModelConfig } from "../../agent/index.js";
import { PalimpsestError } from "../../contract/errors.js";
import { ANDERSSON_TERM } from "../../demo-data/world-leaders.js";
import type { Database } from "../../index.js";
import type { Narration } from "./narration.js";
import { type ScriptedModel, scriptedModel } from "./scripted-model.js";

const QUESTION = "Which offices has Magdalena Andersson held, and how many versions of that were ever believed?";
/** A model that takes longer keeps nobody waiting. */
const LONGEST_MS = 30_000;

const ofHers = { types: ["HOLDS"], src: { uids: [ANDERSSON_TERM.src] } };
const PLAN = {
  thought: "What is believed now names the offices; the history of those edges counts the versions.",
  steps: [
    {
      id: "s1",
      op: "scan",
      args: { of: "edges", names: ["HOLDS"], where: { src: ofHers.src }, columns: ["dst", "valid_from", "valid_to"] },
    },
    { id: "s2", op: "version_history", args: { kind: "edge", where: ofHers } },
  ],
  answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "count", from: "s2.rows_total" }] },
};
const REPORT = {
  text: "{q1} held {c1}. {c2} versions of that were believed at some time, of which {c3} are in force.",
  claims: [
    { id: "c1", type: "entity_set", cells: "s1.rows[*].dst", complete: true },
    { id: "c2", type: "count", cell: "s2.rows_total", about: ["q1"] },
    { id: "c3", type: "count", cell: "s2.totals.current", about: ["q1"] },
  ],
};

async function askOf(db: Database, model: ModelConfig): Promise<AgentAnswer> {
  const agent = createAgent(db, {
    model: { retries: 0, ...model },
    medium: "terminal",
    limits: { wall_ms: LONGEST_MS },
  });
  return (await agent.ask(QUESTION)).answer;
}

const codeOf = (error: unknown): string => {
  if (error instanceof PalimpsestError) return error.code;
  throw error;
};

/** The answer with the model of whoever runs the demo; null where none is named, or where it gives none. */
async function withOwnModel(db: Database, tell: Narration): Promise<AgentAnswer | null> {
  const url = process.env.PALIMPSEST_LLM_URL;
  if (url === undefined || url === "") {
    tell.say(
      "No model is at hand (PALIMPSEST_LLM_URL names none), so a server in this process plays one: the plan and",
    );
    tell.say("the words are part of this program. They are checked and run as those of any model.");
    return null;
  }
  tell.say("The model behind PALIMPSEST_LLM_URL plans and words.");
  const answer = await askOf(db, {}).catch(codeOf);
  if (typeof answer !== "string" && (answer.status === "answered" || answer.status === "partial")) return answer;
  tell.say(
    `It gave no answer (${typeof answer === "string" ? answer : answer.status}), so a server in this process plays`,
  );
  tell.say("one: the plan and the words are part of this program.");
  return null;
}

async function scripted(db: Database): Promise<AgentAnswer> {
  const model: ScriptedModel = await scriptedModel({ plan: PLAN, report: REPORT });
  try {
    return await askOf(db, { base_url: model.url, model: model.name, api_key: "none", capability: "schema" });
  } finally {
    await model.close();
  }
}

export async function askedPart(db: Database, tell: Narration): Promise<void> {
  tell.heading("Ask in words: a model plans, the database computes, code prints every value");
  tell.question(QUESTION);
  const answer = (await withOwnModel(db, tell)) ?? (await scripted(db));
  for (const line of answer.text.split("\n")) tell.found(line);
  tell.say(
    `The question is ${answer.status}. What each claim stands on: value, cell, call, commit, digest of the result.`,
  );
  for (const line of answer.evidence) {
    const [claim, value, cell, ...sources] = line.split(" · ");
    // What was asked, and under it where that stands.
    tell.listed([`${claim}  ${value}  ${cell}`, ...sources.flatMap((source) => source.split(/ (?=tx:\d+ sha256)/))]);
  }
}
