// The evidence of an answer, read again: each step of its trace is called anew on the store with the arguments and at the pin
// that the trace tells, and the cells that the shown claims cite are taken from what comes back.
import type { AskResult } from "../../../src/agent/index.js";
import type { Database } from "../../../src/index.js";
import { visible } from "./medium.js";
import { type ItemType, printedDuration, printedInstant, printedNumber, typeOf } from "./printed.js";
import type { LocalTime } from "./zones.js";

/** Members of a set that are written out; the rest is counted. */
const MEMBERS_SHOWN = 20;

/** Something that the text may hold, with what it must be said of. */
export interface Traceable {
  readonly printed: string;
  readonly type: ItemType;
  /** Every text of its row and of its call: it may be said of these. Null: of anything. */
  readonly subjects: ReadonlySet<string> | null;
  /** Of an entity. */
  readonly uid: string | null;
}

type Row = Readonly<Record<string, unknown>>;
type Payload = Row & { readonly rows?: readonly Row[] };

export interface Reread {
  readonly payloads: ReadonlyMap<string, Payload>;
  /** Where the plan, run again, gives something else than the trace says; null where it does not. */
  readonly change: string | null;
}

type Trace = NonNullable<AskResult["trace"]>;

/** Operators that read results alone: their operands have no form that a call could be given. */
const OF_RESULTS = ["compute", "select"];
const MOST_ROWS = 10_000;

/** What a step gives that reads results, by the plan layer. */
async function recomputed(db: Database, { plan }: Trace, id: string): Promise<Payload> {
  const read = async (from: string, kind: string): Promise<unknown> => {
    const { answer } = await db.run({ steps: plan.steps, answer: { kind, from } });
    return (answer as { readonly value?: unknown } | null)?.value;
  };
  try {
    return { value: await read(`${id}.value`, "value") };
  } catch {
    return { rows: (await read(`${id}.rows`, "table")) as readonly Row[] };
  }
}

export async function reread(db: Database, trace: Trace): Promise<Reread> {
  const payloads = new Map<string, Payload>();
  for (const { id, op, args, rows_total: total } of trace.steps) {
    const given = Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== null));
    const isWhole = args?.limit === null && total !== null;
    const limit = isWhole ? { limit: Math.min(MOST_ROWS, Math.max(1, total)) } : {};
    const payload = OF_RESULTS.includes(op)
      ? await recomputed(db, trace, id)
      : ((await db.call(op, { ...given, ...limit } as never)) as unknown as Payload);
    payloads.set(id, payload);
  }
  return { payloads, change: (await db.check(trace))?.message ?? null };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

interface Found {
  readonly values: readonly unknown[];
  readonly row: unknown;
  readonly total: number;
}

/** What a path leads to in the payload of its step; `[*]` gives all. */
export function follow({ payloads }: Reread, path: string): Found {
  const [id, ...segments] = path.split(".");
  let at: unknown = payloads.get(id!);
  let row: unknown = null;
  let total = 1;
  for (const [i, segment] of segments.entries()) {
    const [, name, index] = /^([^[]+)(?:\[(\d+|\*)\])?$/.exec(segment) ?? [];
    const holder = at as Row | undefined;
    at = holder?.[name!];
    if (index === undefined) continue;
    if (index === "*") {
      const rest = segments.slice(i + 1);
      const values = (at as readonly unknown[]).map((each) => rest.reduce((value, key) => (value as Row)[key], each));
      total = Number(holder?.[`${name}_total`] ?? values.length);
      return { values, row: null, total };
    }
    at = (at as readonly unknown[] | undefined)?.[Number(index)];
    row = at;
  }
  return { values: [at], row, total };
}

const pathsOf = (claim: Row): readonly string[] => {
  const ends = (span: unknown): string[] => {
    const { at, from, to } = (span ?? {}) as Record<string, string | undefined>;
    return [at, from, to].filter((path) => path !== undefined);
  };
  const direct = [claim.cell, claim.cells, claim.from, claim.to, claim.before, claim.after];
  return [
    ...direct.filter((path): path is string => typeof path === "string" && path.startsWith("s")),
    ...ends(claim.a),
    ...ends(claim.b),
  ];
};

/** An entity is its uid in code, behind its name where it has one. */
export async function entityForms(db: Database, tx: number, uid: string, nameProp: string): Promise<readonly string[]> {
  const { rows } = (await db.call("entity_history", { uid, as_of_tt: `tx:${tx}` })) as unknown as { rows: Row[] };
  const name = (rows.at(-1)?.props as Row | undefined)?.[nameProp];
  const code = `\`${visible(uid).replaceAll("`", "\\u{60}")}\``;
  const inHtml = `\`${visible(uid)}\``;
  return [code, inHtml].flatMap((form) => (typeof name === "string" ? [`${visible(name)} (${form})`, form] : [form]));
}

export class Allowed {
  readonly items: Traceable[] = [];

  constructor(
    private readonly db: Database,
    private readonly tx: number,
    private readonly nameProp: string,
    /** The one zone that the question names. */
    private readonly zone: LocalTime | null,
  ) {}

  async entity(uid: string, subjects: ReadonlySet<string> | null): Promise<void> {
    for (const printed of await entityForms(this.db, this.tx, uid, this.nameProp))
      this.items.push({ printed, type: "entity", subjects, uid });
  }

  value(value: unknown, subjects: ReadonlySet<string> | null): void {
    const type = typeOf(value);
    const printed =
      type === "number"
        ? printedNumber(value as number)
        : type === "instant"
          ? printedInstant(value as string, this.zone)
          : type === "duration"
            ? printedDuration(value as string)
            : visible(String(value));
    this.items.push({ printed, type, subjects, uid: null });
  }

  private async cell(value: unknown, isEntity: boolean, subjects: ReadonlySet<string>): Promise<void> {
    if (isEntity) await this.entity(value as string, subjects);
    else if (value !== null && value !== undefined) this.value(value, subjects);
  }

  /** What a shown claim lets the text say. */
  async claim(read: Reread, trace: Trace, claim: Row): Promise<void> {
    const argsOf = (path: string): readonly string[] => [
      ...textsIn(trace.steps.find(({ id }) => id === path.split(".")[0])?.args),
    ];
    for (const path of pathsOf(claim)) {
      const { values, row, total } = follow(read, path);
      const subjects = new Set([...argsOf(path), ...textsIn(row)]);
      const isEntity = claim.type === "entity" || claim.type === "entity_set";
      for (const value of values) await this.cell(value, isEntity, subjects);
      if (claim.type === "entity_set" && total > MEMBERS_SHOWN) {
        const printed = `and ${printedNumber(total - MEMBERS_SHOWN)} more`;
        this.items.push({ printed, type: "number", subjects: null, uid: null });
      }
    }
    for (const subject of (claim.about ?? []) as readonly string[]) {
      if (subject.startsWith("q")) continue;
      const [value] = follow(read, subject).values;
      if (typeof value === "string" && typeOf(value) === "text") await this.entity(value, null);
      else this.value(value, null);
    }
    if (claim.type === "absence") await this.search(trace, String(claim.cell ?? claim.list).split(".")[0]!);
    if (claim.type === "temporal_pattern") {
      const row = claim.row === undefined ? undefined : (follow(read, claim.row as string).row as Row | undefined);
      for (const end of [row?.from, row?.to]) if (typeof end === "string") this.value(end, null);
      if (claim.share !== undefined)
        this.items.push({
          printed: `at least ${String(claim.share)} percent`,
          type: "number",
          subjects: null,
          uid: null,
        });
    }
  }

  /** Where nothing was found may be said: what the step was asked, and at which commit. */
  private async search({ steps }: Trace, id: string): Promise<void> {
    const { args, pin } = steps.find((step) => step.id === id)!;
    for (const text of textsIn(args)) {
      this.value(text, null);
      if (await this.isKnown(text)) await this.entity(text, null);
    }
    if (pin === null) return;
    this.items.push({ printed: `tx:${pin.tx}`, type: "text", subjects: null, uid: null });
    const edges = await this.extent("EDGES", pin.tx);
    const nodes = await this.extent("NODES", pin.tx);
    for (const time of [...edges, ...nodes]) this.value(time, null);
  }

  /** The first beginning and the last end of what is believed. */
  private async extent(table: "EDGES" | "NODES", tx: number): Promise<readonly string[]> {
    const { rows } = await this.db.query(
      `SELECT MIN(v.valid_from) AS lo, MAX(v.valid_to) AS hi FROM ${table}() FOR VALID_TIME ALL FOR TRANSACTION_TIME AS OF TX ${tx} AS v`,
    );
    return Object.values(rows[0]!).filter((end): end is string => typeof end === "string");
  }

  private async isKnown(uid: string): Promise<boolean> {
    const asked = {
      query: uid,
      name_props: [this.nameProp],
      min_tier: "exact" as const,
      as_of_tt: `tx:${this.tx}`,
      limit: 1,
    };
    const { rows } = (await this.db.call("resolve_entities", asked)) as unknown as { rows: { uid: string }[] };
    return rows[0]?.uid === uid;
  }
}
