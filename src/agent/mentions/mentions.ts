// What a question names: zones and times first, then durations, quoted texts, uids and names that the store knows, numbers last.
// Code, not a model: what stands here is what a plan may take for granted.
import { zoneOf } from "../../calendar/zones.js";
import type { Mention } from "../types.js";
import { folded } from "../words/names-in-prose.js";
import { Cover, type Span } from "./cover.js";
import type { Found } from "./found.js";
import { commitsIn, durationsIn, numbersIn, type Quoted, quotesIn } from "./literals.js";
import { type NameSource, namesIn, notInNames } from "./names.js";
import { timesIn } from "./times.js";
import { onlyZone, type QuestionZone, type ZoneMeaning, zonesIn } from "./zones.js";

const LONGEST_LABEL = 80;

export interface MentionOptions {
  /** Zone of dates, where the question names none. */
  readonly zone: string;
  /** Entities that the caller names, whatever the question says. */
  readonly entities: readonly string[];
  /** The labels that the store knows: what stands behind one is an entity. */
  readonly labels: ReadonlySet<string>;
}

export interface Named {
  /** In the order of the text, the caller's entities behind it. */
  readonly mentions: readonly Mention[];
  /** The one zone that the question names; null where it names none, or several. */
  readonly zone: ZoneMeaning | null;
  /** How times were read that the question leaves open. */
  readonly assumed: readonly string[];
}

/** The zones of a question: what stands in quotes is a text, and a part of a name is none. */
async function zonesOf(
  question: string,
  quotes: readonly Quoted[],
  source: NameSource,
): Promise<readonly QuestionZone[]> {
  const inQuotes = new Cover(question.length);
  for (const quote of quotes) inQuotes.take(quote);
  const zones = zonesIn(question).filter((zone) => inQuotes.isFree(zone));
  return zones.length === 0 ? zones : notInNames(question, zones, source);
}

async function quoted({ from, to, text }: Quoted, source: NameSource): Promise<Found> {
  const [uid] = source.knownUids([text]);
  const named = uid === undefined ? await source.named(text) : [uid];
  return { kind: "quoted", from, to, ...(named.length === 1 ? { uid: named[0]! } : {}), value: text };
}

/** Of two mentions of the same words the entity is told first. */
const ORDER: readonly string[] = ["zone", "number"];
const byPlace = (a: Found, b: Found): number =>
  a.from - b.from || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.to - a.to;

const mentionOf = (question: string, { kind, from, to, uid, value }: Found, position: number): Mention => ({
  id: `q${position + 1}`,
  kind,
  text: question.slice(from, to),
  span: [from, to],
  ...(uid === undefined ? {} : { uid }),
  ...(value === undefined ? {} : { value }),
});

const WORD_BEFORE = /([\p{L}\p{M}\p{N}_]+)\s+$/u;

/** Whether a stretch stands behind a label, in capitals or not: `Person 42`. */
function isBehindLabel(question: string, labels: ReadonlySet<string>): (stretch: Span) => boolean {
  const known = new Set(Array.from(labels, folded));
  return ({ from }) => {
    const before = WORD_BEFORE.exec(question.slice(Math.max(0, from - LONGEST_LABEL), from))?.[1];
    return before !== undefined && known.has(folded(before));
  };
}

/** Everything that a question names. */
export async function mentionsOf(question: string, source: NameSource, options: MentionOptions): Promise<Named> {
  const { zone: fallback, entities, labels } = options;
  const quotes = quotesIn(question);
  const zones = await zonesOf(question, quotes, source);
  const inForce = { name: fallback, isIana: true, zone: zoneOf(fallback, "zone") };
  const { times, unmeant } = timesIn(question, zones, inForce);
  const cover = new Cover(question.length);
  const found: Found[] = [];
  const add = (each: Found): void => {
    if (!cover.isFree(each)) return;
    cover.take(each);
    found.push(each);
  };
  for (const { kind, from, to, value } of times) add({ kind, from, to, value });
  for (const each of unmeant) cover.take(each);
  for (const each of durationsIn(question)) add(each);
  for (const each of commitsIn(question)) add(each);
  for (const each of quotes) if (cover.isFree(each)) add(await quoted(each, source));
  const isInZone = ({ from, to }: Found): boolean =>
    zones.some((zone) => zone.from <= from && to <= zone.to && to - from < zone.to - zone.from);
  found.push(...(await namesIn(question, source, cover)).filter((each) => !isInZone(each)));
  // A uid or a name that is a zone, too, gives both mentions; so does a bare number that is a uid, if nothing tells which.
  const uidSpans = new Set(found.flatMap(({ kind, from, to }) => (kind === "uid" ? [`${from} ${to}`] : [])));
  for (const { from, to, name } of zones) {
    found.push({ kind: "zone", from, to, value: name });
    cover.take({ from, to });
  }
  const isEntityAlone = isBehindLabel(question, labels);
  const numbers = numbersIn(question).filter((each) => {
    if (!uidSpans.has(`${each.from} ${each.to}`)) return cover.isFree(each);
    return !(entities.includes(question.slice(each.from, each.to)) || isEntityAlone(each));
  });
  const inText = [...found, ...numbers].sort(byPlace).map((each, i) => mentionOf(question, each, i));
  const named = new Set(inText.map(({ uid }) => uid));
  const given = entities
    .filter((uid) => !named.has(uid))
    .map((uid, i): Mention => ({ id: `q${inText.length + i + 1}`, kind: "uid", text: uid, span: [0, 0], uid }));
  return {
    mentions: [...inText, ...given],
    zone: onlyZone(zones),
    assumed: [...times, ...unmeant].flatMap(({ assumed }) => assumed),
  };
}
