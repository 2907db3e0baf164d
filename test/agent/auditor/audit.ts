// The auditor: says of every number, date and name that a reader sees whether the answer's own evidence holds it, with its
// type and of that subject. Shares no code with the agent; its evidence is read from the store again.
import type { AskResult } from "../../../src/agent/index.js";
import type { Database } from "../../../src/index.js";
import { Allowed, follow, type Reread, reread, type Traceable } from "./evidence.js";
import { type ReadMedium, readMedium, visible } from "./medium.js";
import { INSTANT } from "./printed.js";
import { datesOfQuestion, numbersOfQuestion, runsOf } from "./question.js";
import { suspectsIn } from "./suspects.js";
import { inZone, type LocalTime, type WordedZone, zonesOfQuestion, zoneToTellIn } from "./zones.js";

export interface Finding {
  readonly kind: "number" | "date" | "name" | "quote" | "alphabet" | "raw" | "untied" | "evidence" | "value";
  readonly text: string;
}

export interface Audited extends AskResult {
  readonly db: Database;
  readonly question: string;
  readonly medium: ReadMedium;
  readonly nameProp?: string;
}

const COVERED = "\u0001";

/** Those of some texts that are uids or names of the store. */
async function namesAmong(
  db: Database,
  tx: number,
  texts: Iterable<string>,
  prop: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const query of texts) {
    if (Buffer.byteLength(query) > 1000) continue;
    const args = { query, name_props: [prop], min_tier: "exact" as const, as_of_tt: `tx:${tx}`, limit: 1 };
    const { rows } = (await db.call("resolve_entities", args)) as unknown as { rows: { uid: string }[] };
    if (rows.length > 0) found.set(query, rows[0]!.uid);
  }
  return found;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** A printed value stands alone: no digit, sign or letter touches it. */
const alone = ({ printed, type }: Traceable): RegExp =>
  type === "entity" || type === "text"
    ? new RegExp(escapeRegExp(printed), "g")
    : new RegExp(`(?<![\\p{L}\\p{N}_.,:/\\u2212-])${escapeRegExp(printed)}(?![\\p{L}\\p{N}_%/:-]|[.,]\\p{N})`, "gu");

interface Place {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Traceable[];
}

/** Where the text holds what it may, the longest first. */
function cover(
  text: string,
  items: readonly Traceable[],
): { readonly rest: string; readonly places: readonly Place[] } {
  const places: Place[] = [];
  let rest = text;
  const forms = [...new Set(items.map(({ printed }) => printed))].sort((a, b) => b.length - a.length);
  for (const printed of forms.filter((form) => form !== "")) {
    const same = items.filter((item) => item.printed === printed);
    for (const { index } of [...rest.matchAll(alone(same[0]!))]) {
      const to = index + printed.length;
      if (rest.slice(index, to).includes(COVERED)) continue;
      places.push({ from: index, to, items: same });
      rest = rest.slice(0, index) + COVERED.repeat(printed.length) + rest.slice(to);
    }
  }
  return { rest, places };
}

/** Values said beside entities, of none of which they are. */
function untied(text: string, rest: string, places: readonly Place[]): Finding[] {
  const found: Finding[] = [];
  const ends = [...rest.matchAll(/[.!?…]\s|\n|$/g)].map(({ index }) => index);
  for (const [i, end] of ends.entries()) {
    const here = places.filter(({ from }) => from >= (i === 0 ? 0 : ends[i - 1]!) && from < end);
    const uids = new Set(here.flatMap(({ items }) => items.flatMap(({ uid }) => uid ?? [])));
    if (uids.size === 0) continue;
    for (const { from, to, items } of here) {
      if (items.some(({ type }) => type !== "number" && type !== "duration")) continue;
      const isTied = items.some(({ subjects }) => subjects === null || [...uids].some((uid) => subjects.has(uid)));
      if (!isTied) found.push({ kind: "untied", text: text.slice(from, to) });
    }
  }
  return found;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

/** A row with its instants in a zone. */
const rowIn = (zone: LocalTime, value: unknown): unknown => {
  if (typeof value === "string") return INSTANT.test(value) ? inZone(value, zone) : value;
  if (Array.isArray(value)) return value.map((each) => rowIn(zone, each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rowIn(zone, member)]));
};

/** The lines that code prints of lists and of what could not be shown, taken away where they are right. */
function withoutPrintedLines(
  text: string,
  { answer, trace }: AskResult,
  read: Reread | null,
  zone: LocalTime | null,
): string {
  const exact = new Set<string>();
  const listed = answer.parts.filter(({ kind }) => ["table", "series", "paths"].includes(kind));
  for (const { from } of read === null ? [] : listed) {
    const [id, ...segments] = from.split(".");
    const slice = trace?.plan.steps.find((step) => step.id === id)?.slice ?? [0, null];
    const isOfRows = segments.length === 0 || segments[0] === "rows" || segments[0] === "rows[*]";
    const named = follow(read!, segments.length === 0 ? `${id}.rows` : from).values;
    const all = (from.includes("[*]") ? named : (named[0] as readonly unknown[] | undefined)) ?? [];
    const rows = isOfRows ? all.slice(slice[0], slice[1] === null ? undefined : slice[0] + slice[1]) : all;
    for (const row of rows) exact.add(visible(JSON.stringify(sorted(zone === null ? row : rowIn(zone, row))), 2_000));
    if (rows.length === 0) exact.add("no rows");
    for (let shown = 1; shown < rows.length; shown += 1) exact.add(`and ${rows.length - shown} more rows`);
  }
  if (trace !== null) {
    const tried = trace.steps.map(({ id, op }) => `${id} ${op}`).join(", ");
    for (const { part, why } of answer.could_not) {
      const { kind, from } = answer.parts[part]!;
      if (!/\d|`|"/.test(why))
        exact.add(`Could not be shown: ${kind} at ${from}. ${why}. Tried: ${tried}. Trace ${trace.trace_digest}.`);
    }
  }
  const failure = /^Could not be shown: (?:no plan held|the store failed) \(E_[A-Z_]+\)\.$/;
  // A loop that came to no end says why, and which steps it took.
  const spent =
    /^Could not be shown: (?:limits\.[a-z_]+ = \d+ is spent|the same call came three times)\. Tried: (?:s\d+ [a-z_]+(?:, |\.))+$/;
  const isRight = (line: string): boolean =>
    exact.has(line) ||
    (answer.status === "failed" && failure.test(line)) ||
    (answer.status === "abstained" && answer.claims.length === 0 && spent.test(line));
  const lines = text.split("\n").filter((line) => !isRight(line));
  return lines.join("\n");
}

/** What of an answer a reader may repeat from the question. */
async function allowQuestion(
  allowed: Allowed,
  { db, question, answer, nameProp = "name" }: Audited,
  zones: readonly WordedZone[],
): Promise<void> {
  const times = zones.length === 0 ? [() => 0] : zones.map(({ time }) => time);
  for (const date of datesOfQuestion(question, times)) allowed.value(date, null);
  for (const { word } of zones) allowed.items.push({ printed: word, type: "text", subjects: null, uid: null });
  for (const number of numbersOfQuestion(question))
    allowed.items.push({ printed: number, type: "number", subjects: null, uid: null });
  const known = await namesAmong(db, answer.pin.tx, runsOf(question), nameProp);
  for (const [text, uid] of known) {
    allowed.items.push({ printed: visible(text), type: "text", subjects: null, uid });
    await allowed.entity(uid, null);
  }
}

/** What programs read must be what the store holds. */
function partFindings({ answer }: AskResult, read: Reread | null): Finding[] {
  return answer.parts.flatMap(({ kind, from, value }): Finding[] => {
    if (value === undefined) return [];
    const same = (held: unknown): boolean => JSON.stringify(sorted(held)) === JSON.stringify(sorted(value));
    if (read === null) return [{ kind: "value", text: from }];
    const { values, row, total } = follow(read, from);
    const isHeld =
      kind === "entity_set"
        ? same([...values].sort()) && (values.length === total || values.length === 0)
        : kind === "interval"
          ? Object.values((row ?? {}) as object).includes((value as { from: unknown }).from)
          : kind === "ordering" || typeof value === "object"
            ? true
            : same(values[0]) || value === 0 || ["up", "down", "same", "different"].includes(String(value));
    return isHeld ? [] : [{ kind: "value", text: `${from} = ${JSON.stringify(value)}` }];
  });
}

/** The line of each claim names its paths and the digest of its step. */
function evidenceFindings({ answer, trace }: AskResult): Finding[] {
  return answer.claims.flatMap((claim, i): Finding[] => {
    const line = answer.evidence[i] ?? "";
    const step = trace?.steps.find(({ id }) => JSON.stringify(claim).includes(`"${id}`));
    const isRight =
      line.startsWith(`${claim.id} · `) && step !== undefined && line.includes(step.result_digest!.slice(0, 16));
    return isRight ? [] : [{ kind: "evidence", text: line }];
  });
}

/** Everything in an answer that cannot be traced; none for an honest one. */
export async function audit(audited: Audited): Promise<readonly Finding[]> {
  const { db, answer, trace, medium, nameProp = "name" } = audited;
  const { text, raw } = readMedium(answer.text, medium);
  const read = trace === null ? null : await reread(db, trace);
  const zones = zonesOfQuestion(audited.question);
  const zone = zoneToTellIn(zones);
  const allowed = new Allowed(db, answer.pin.tx, nameProp, zone);
  if (read !== null && trace !== null) {
    for (const claim of answer.claims) await allowed.claim(read, trace, claim as never);
  }
  await allowQuestion(allowed, audited, zones);
  const said = withoutPrintedLines(text, audited, read, zone);
  const { rest, places } = cover(said, allowed.items);
  const words = rest.replaceAll(COVERED, " ").replace(/(?<=\s)\((?=\s*\))|end excluded/g, "");
  const names = await namesAmong(db, answer.pin.tx, runsOf(words), nameProp);
  return [
    ...raw.map((character): Finding => ({ kind: "raw", text: character })),
    ...suspectsIn(words, new Set(names.keys())),
    ...untied(said, rest, places),
    ...[read?.change ?? []].flat().map((text): Finding => ({ kind: "evidence", text })),
    ...partFindings(audited, read),
    ...evidenceFindings(audited),
  ];
}
