// How claims, mentions and parts are written out: values by their type, names with their uid, qualifiers behind what they
// limit. Code prints every value; nothing here comes from a model but the words between placeholders.
import type { Zone } from "../../calendar/zones.js";
import { compareCodePoints } from "../../contract/code-points.js";
import type { JsonValue } from "../../contract/values.js";
import type { Cell } from "../claims/cells.js";
import type { Claim, Reason, Span, Verdict } from "../claims/claim.js";
import type { Places } from "../claims/places.js";
import { type Medium, shownCode, shownText } from "./media.js";
import { isNumber, shownDuration, shownInstant, shownInterval, shownNumber } from "./values.js";

/** How entities are called: a name, where the store has one. */
export interface EntityNames {
  /** Reads the names of those of the texts that are entities; only then are they known. */
  load(texts: readonly string[]): Promise<void>;
  nameOf(uid: string): string | null;
}

export interface Rendering {
  readonly medium: Medium;
  readonly names: EntityNames;
  /** Members of a set that are written out. */
  readonly membersShown: number;
  /** The zone that instants are shown in; null for UTC, as nobody named one. */
  readonly zone: Zone | null;
}

const QUALIFIERS: Partial<Readonly<Record<Reason, string>>> = {
  upstream: "(on incomplete evidence)",
  subset: "(among others)",
  tied: "(tied)",
  ambiguous_name: "(one of several matches)",
};

export function shownEntity(uid: string, { names, medium }: Rendering): string {
  const name = names.nameOf(uid);
  return name === null || name === uid
    ? shownCode(uid, medium)
    : `${shownText(name, medium)} (${shownCode(uid, medium)})`;
}

/** Units that say less than the words around them. */
const SILENT_UNITS: readonly (string | null)[] = [null, "1", "rows"];

/** One cell by its type. */
export function shownCell({ value, type }: Pick<Cell, "value" | "type">, rendering: Rendering): string {
  if (value === null) return type?.type === "instant_open" ? "for ever" : "nothing";
  if (isNumber(value)) {
    const unit = type?.unit ?? null;
    return SILENT_UNITS.includes(unit) ? shownNumber(value) : `${shownNumber(value)} ${unit}`;
  }
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value !== "string") return shownText(JSON.stringify(value), rendering.medium);
  if (type?.type === "instant" || type?.type === "instant_open") return shownInstant(value, rendering.zone);
  if (type?.type === "duration") return shownDuration(value);
  return shownText(value, rendering.medium);
}

/** Members in code point order, each once, and how many are left out: of those here, and rows that were not read. */
export function shownSet(uids: readonly string[], unread: number, rendering: Rendering): string {
  const sorted = [...new Set(uids)].sort(compareCodePoints);
  const shown = sorted.slice(0, rendering.membersShown).map((uid) => shownEntity(uid, rendering));
  const more = sorted.length - shown.length + unread;
  return more > 0 ? `${shown.join(", ")} and ${shownNumber(more)} more` : shown.join(", ");
}

const DIRECTIONS = {
  up: "rose",
  down: "fell",
  same: "stayed the same",
  different: "changed",
  flat: "stayed level",
} as const;

function shownSpan(span: Span, places: Places, rendering: Rendering): string {
  if ("at" in span) return shownCell(places.cell(span.at), rendering);
  const [from, to] = [places.cell(span.from).value as string, places.cell(span.to).value as string | null];
  return shownInterval(from, to, rendering.zone);
}

const shownRelation = (relation: string): string => relation.replaceAll("_", " ");

function shownPattern(claim: Claim & { type: "temporal_pattern" }, places: Places, { zone }: Rendering): string {
  const row = claim.row === undefined ? null : places.cell(claim.row).row;
  const where = row === null ? "" : shownInterval(row.from as string, (row.to ?? null) as string | null, zone);
  switch (claim.pattern) {
    case "burst":
      return `a ${claim.direction === "down" ? "dip" : "burst"} in ${where}`;
    case "concentration":
      return `at least ${claim.share} percent in ${where}`;
    case "trend":
      return `the series ${DIRECTIONS[claim.direction ?? "flat"]}`;
  }
}

/** An absence is worded by where it was looked for. */
type Rendered = Exclude<Claim, { type: "absence" }>;

/** What a claim says, without its qualifiers. */
function saying(claim: Rendered, places: Places, rendering: Rendering): string {
  switch (claim.type) {
    case "count": {
      const { value } = places.cell(claim.cell);
      return isNumber(value) ? shownNumber(value) : shownText(String(value), rendering.medium);
    }
    case "value":
      return shownCell(places.cell(claim.cell), rendering);
    case "entity":
      return shownEntity(places.cell(claim.cell).value as string, rendering);
    case "entity_set": {
      const { values, rowsTotal } = places.list(claim.cells);
      return shownSet(values as readonly string[], (rowsTotal ?? values.length) - values.length, rendering);
    }
    case "interval":
      return shownInterval(
        places.cell(claim.from).value as string,
        places.cell(claim.to).value as string | null,
        rendering.zone,
      );
    case "ordering":
      return `${shownSpan(claim.a, places, rendering)} ${shownRelation(claim.relation)} ${shownSpan(claim.b, places, rendering)}`;
    case "change": {
      const [before, after] = [places.cell(claim.before), places.cell(claim.after)];
      return `${DIRECTIONS[claim.direction]}: ${shownCell(before, rendering)}, then ${shownCell(after, rendering)}`;
    }
    case "temporal_pattern":
      return shownPattern(claim, places, rendering);
  }
}

/** A claim in words, its qualifiers behind it. */
export function shownClaim(
  claim: Rendered,
  { verdict, reasons }: Verdict,
  places: Places,
  rendering: Rendering,
): string {
  const qualifiers = verdict === "supported_partial" ? reasons.flatMap((reason) => QUALIFIERS[reason] ?? []) : [];
  return [saying(claim, places, rendering), ...qualifiers].join(" ");
}

/** What a claim is about: its first subject. */
export function shownSubject(
  claim: Claim,
  places: Places,
  mentions: ReadonlyMap<string, string>,
  rendering: Rendering,
): string {
  const [subject] = claim.about ?? [];
  if (subject === undefined) return "it";
  const mentioned = mentions.get(subject);
  if (mentioned !== undefined) return mentioned;
  const { value, type } = places.cell(subject);
  return typeof value === "string" && (type === null || type.type === "string")
    ? shownEntity(value, rendering)
    : shownCell({ value, type }, rendering);
}

/** The value of a part as programs read it. */
export function partValue(claim: Claim, places: Places): JsonValue {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return places.cell(claim.cell).value;
    case "entity_set":
      return [...(places.list(claim.cells).values as readonly string[])].sort(compareCodePoints);
    case "interval":
      return { from: places.cell(claim.from).value, to: places.cell(claim.to).value };
    case "ordering":
      return claim.relation;
    case "change":
      return claim.direction;
    case "absence":
      return claim.cell === undefined ? [] : 0;
    case "temporal_pattern":
      return claim.pattern;
  }
}
