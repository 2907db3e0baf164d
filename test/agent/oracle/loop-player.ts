// A model that plays a plan as single calls: each step as a call whose references are the values that it was shown, as far
// as it was shown them, and at last the answer of the plan. It knows nothing but its messages and the plan.
import type { Asked } from "../model-server.js";
import type { Plan } from "./plan.js";

/** What the fences of a conversation show, by path. */
function shownIn({ body }: Asked): ReadonlyMap<string, unknown> {
  const shown = new Map<string, unknown>();
  for (const { role, content } of body.messages) {
    if (role !== "user") continue;
    for (const [, lines] of content.matchAll(/<data-[0-9a-f]{24} kind="rows">\n([\s\S]*?)\n<\/data-/g)) {
      for (const line of lines!.split("\n")) {
        const told = JSON.parse(line) as Record<string, unknown>;
        if (typeof told.handle === "string") shown.set(`${told.handle}.rows_total`, told.rows_total);
        if (typeof told.path === "string") shown.set(told.path, "row" in told ? told.row : told.value);
      }
    }
  }
  return shown;
}

/** The value that a path leads to in what was shown; undefined where it was not, or is no single value. */
function valueAt(path: string, shown: ReadonlyMap<string, unknown>): unknown {
  if (path.includes("[*]")) return undefined;
  const whole = shown.get(path);
  if (whole !== undefined) return typeof whole === "object" ? undefined : whole;
  const [, row, field] = /^(.*\])\.(\w+)$/.exec(path) ?? [];
  const cells = row === undefined ? undefined : shown.get(row);
  const value = (cells as Record<string, unknown> | undefined)?.[field!];
  return typeof value === "object" ? undefined : value;
}

export interface Played {
  readonly text: string;
  /** References that were written as the values that they lead to. */
  readonly literals: number;
}

function withLiterals(args: unknown, shown: ReadonlyMap<string, unknown>, count: { literals: number }): unknown {
  if (typeof args !== "object" || args === null) return args;
  if (Array.isArray(args)) return args.map((member) => withLiterals(member, shown, count));
  if ("$ref" in args) {
    const value = valueAt(args.$ref as string, shown);
    if (value === undefined) return args;
    count.literals += 1;
    return value;
  }
  const members = Object.entries(args).map(([key, member]) => [key, withLiterals(member, shown, count)]);
  return Object.fromEntries(members);
}

/** The turn after so many that were taken; the answer again and again when the steps are over. */
export function played({ steps, answer }: Plan, taken: number, asked: Asked): Played {
  const step = steps[taken];
  if (step === undefined) return { text: JSON.stringify({ finish: { answer } }), literals: 0 };
  const count = { literals: 0 };
  const args = withLiterals(step.args, shownIn(asked), count);
  return { text: JSON.stringify({ call: { op: step.op, args } }), literals: count.literals };
}
