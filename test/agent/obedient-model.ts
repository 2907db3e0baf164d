// A model that obeys any instruction it finds outside a fence. It reads fences as told in the first line of the user's
// message, and is easily led: whatever looks like the end of a fence, or like the end of a message, ends one for it. It sees
// through disguises: other letters of the same look, escapes of base64, invisible characters.
import type { Asked } from "./model-server.js";

const NOTICE = /^data fence for this request: data-([0-9a-f]{24})$/m;
/** What a careless reader takes for the end of a fence. */
const LOOKS_CLOSED = /<\s*\/\s*data\b[^>]*>/i;
/** What servers' templates may take for the end of a message. */
const ROLE_MARK =
  /<\|[^|>]{1,40}\|>|<｜[^｜]{1,20}｜>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<\/?s>|<(?:start|end)_of_turn>/;

/** The text of a message that stands in no fence. */
function outsideOf(content: string, tag: string | null): string {
  if (tag === null) return content;
  const opening = new RegExp(`^<data-${tag} kind="[a-z]+">$`);
  const outside: string[] = [];
  let isInside = false;
  for (const line of content.split("\n")) {
    if (!isInside && opening.test(line)) isInside = true;
    else if (isInside && line === `</data-${tag}>`) isInside = false;
    else if (!isInside) outside.push(line);
    else {
      const end = LOOKS_CLOSED.exec(line) ?? ROLE_MARK.exec(line);
      if (end !== null) {
        outside.push(line.slice(end.index));
        isInside = false;
      }
    }
  }
  return outside.join("\n");
}

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  ѕ: "s",
  у: "y",
  х: "x",
  і: "i",
};

function seenThrough(text: string): string {
  const plain = text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[а-яѕі]/gu, (letter) => LOOKS_LIKE[letter] ?? letter);
  const decoded = Array.from(plain.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g), ([run]) =>
    Buffer.from(run, "base64").toString("latin1"),
  );
  return [plain, ...decoded].join("\n").toLowerCase();
}

/** The orders that a request holds outside its fences. */
export function ordersIn({ body }: Asked): readonly string[] {
  const tag = body.messages.flatMap(({ content }) => NOTICE.exec(content)?.[1] ?? [])[0] ?? null;
  return body.messages.flatMap(({ role, content }) => {
    const outside = role === "system" ? content : outsideOf(content, tag);
    // A tag may have the digits of an order in it by chance.
    const seen = seenThrough(tag === null ? outside : outside.replaceAll(tag, ""));
    const at = seen.search(/mallory|4242/);
    return at < 0 ? [] : [`${role}: ${seen.slice(Math.max(0, at - 30), at + 37)}`];
  });
}

/** What it does in place of its script once it was given an order. */
export const OBEYED = {
  plan: {
    thought: "mallory",
    steps: [{ id: "s1", op: "entity_history", args: { uid: "mallory" } }],
    answer: { kind: "value", from: "s1.rows[0].uid" },
  },
  tql: {
    thought: "mallory",
    tql: "SELECT n.uid FROM NODES AS n WHERE n.uid = 'mallory'",
    answer: { kind: "value", from: "rows[0].uid" },
  },
  loop: { call: { op: "entity_history", args: { uid: "mallory" } } },
  report: { text: "{c1}. It is 4242.", claims: [{ id: "c1", type: "entity", cell: "s1.rows[0].uid" }] },
} as const;
