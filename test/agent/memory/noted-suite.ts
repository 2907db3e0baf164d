// Within a suite: for each test a store of four weeks of messages in a folder, and a model that words notes and answers.
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type AgentAnswer, type AgentEvent, createAgent, type ModelConfig } from "../../../src/agent/index.js";
import type { Database } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Asked, ModelServer } from "../model-server.js";
import { dayText, messages, notedStore } from "./noted-store.js";

export const ALL = messages(300, 7);
const PLAN = {
  thought: "Count.",
  steps: [{ id: "s1", op: "aggregate_events", args: { aggregates: [{ fn: "count", as: "n" }] } }],
  answer: { kind: "count", from: "s1.rows[0].n" },
};
const REPORT = { text: "{c1} messages.", claims: [{ id: "c1", type: "count", cell: "s1.rows[0].n" }] };

export const weekOf = (week: number): string =>
  `How many messages were sent from ${dayText(7 * week)} up to ${dayText(7 * week + 7)}?`;
export const WEEK_2 = weekOf(1);

export class NotedSuite {
  db!: Database;
  server!: ModelServer;
  /** What the model words notes with, in their order, the last again and again. */
  words: readonly string[] = [];
  private readonly folder = temporaryFolder();

  /** Declares what the suite does before and after its tests. */
  static begin(): NotedSuite {
    const suite = new NotedSuite();
    beforeEach(() => suite.start());
    afterEach(async () => {
      await suite.db.close();
      await suite.server.stop();
    });
    return suite;
  }

  private async start(): Promise<void> {
    this.db = await notedStore(this.path, ALL);
    this.words = ["{f1} messages were sent. {f5} sent {f6} of them."];
    let worded = 0;
    this.server = await ModelServer.start(({ body }: Asked) => {
      const system = body.messages[0]!.content;
      if (system.includes("You word a note")) {
        worded += 1;
        return { text: JSON.stringify({ text: this.words[Math.min(worded, this.words.length) - 1] }) };
      }
      return { text: JSON.stringify(system.includes("You word the answer") ? REPORT : PLAN) };
    });
  }

  /** Of the store. */
  get path(): string {
    return join(this.folder(), "store");
  }

  /** Of its notes. */
  get file(): string {
    return join(this.path, "agent/notes.jsonl");
  }

  model(): ModelConfig {
    return { base_url: this.server.url, capability: "text", retries: 0 };
  }

  /** The digests of the notes that a question was given, the plan's prompt, and the answer. */
  async asked(
    question: string,
    pin?: string,
    memory: "off" | "read" = "read",
    of: Database = this.db,
  ): Promise<{ digests: readonly string[]; prompt: string; answer: AgentAnswer }> {
    const events: AgentEvent[] = [];
    const from = this.server.asked.length;
    const agent = createAgent(of, { model: this.model(), memory });
    const options = { on_event: (event: AgentEvent) => void events.push(event), ...(pin === undefined ? {} : { pin }) };
    const { answer } = await agent.ask(question, options);
    const digests = (events.find(({ at }) => at === "notes")?.detail ?? []) as string[];
    const prompt = this.server.asked[from]!.body.messages[1]!.content;
    return { digests, prompt, answer };
  }
}
