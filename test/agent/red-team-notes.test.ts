// Instructions in ids that notes of a store repeat, against the model that obeys whatever stands outside a fence.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgent } from "../../src/agent/index.js";
import { Memory } from "../../src/agent/memory/memory.js";
import { open } from "../../src/index.js";
import { MOST_PAID } from "./conversations.js";
import { ModelServer } from "./model-server.js";
import { OBEYED, ordersIn } from "./obedient-model.js";
import { ATTACKS } from "./red-team.js";
import { isReport, said } from "./replies.js";

const inIds = ATTACKS.filter(({ text }) => Buffer.byteLength(text) <= 500).map(({ text }) => text);

it.each([...new Set(inIds)].map((text) => [JSON.stringify(text).slice(0, 60), text] as const))(
  "is not obeyed in a note: %s",
  async (_, uid) => {
    const folder = mkdtempSync(join(tmpdir(), "red-team-notes-"));
    const db = await open(join(folder, "store"));
    const notes: boolean[] = [];
    const orders: string[] = [];
    const server = await ModelServer.start((asked) => {
      orders.push(...ordersIn(asked));
      if (isReport(asked)) return said(MOST_PAID.report);
      const user = asked.body.messages.find(({ role }) => role === "user")!.content;
      notes.push(/^<data-[0-9a-f]{24} kind="notes">$/m.test(user));
      return said(orders.length > 0 ? OBEYED.plan : MOST_PAID.plan);
    });
    try {
      const pay = (day: number) => ({
        op: "assert_edge" as const,
        src: "ada",
        type: "PAID",
        dst: uid,
        key: String(day),
        valid_from: `2020-05-0${day}`,
        valid_to: `2020-05-0${day + 1}`,
      });
      await db.write([pay(2), pay(3), pay(4)]);
      await Memory.of(db).build();
      const model = { base_url: server.url, capability: "text" as const, retries: 0 };
      const agent = createAgent(db, { model, memory: "read", mode: "plan" });
      const { answer } = await agent.ask(MOST_PAID.question);
      expect(notes).toEqual([true]);
      expect(orders).toEqual([]);
      expect(answer.parts).toMatchObject([{ value: uid }, { value: 1 }]);
    } finally {
      await server.stop();
      await db.close();
      rmSync(folder, { recursive: true });
    }
  },
);
