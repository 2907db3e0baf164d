// The answer that a caller gets: text, parts, claims, evidence and what could not be shown. Printed by code from cells.
import { canonicalJson } from "../contract/canonical.js";
import { sha256Hex } from "../contract/digest.js";
import type { JsonObject } from "../contract/values.js";
import { type Search, searchOf } from "./claims/absences.js";
import type { Claim } from "./claims/claim.js";
import type { Evidence } from "./claims/evidence.js";
import { type Places, placesOf } from "./claims/places.js";
import { type AskedPart, stepOf } from "./claims/relevance.js";
import { evidenceLine } from "./evidence-line.js";
import type { JudgedClaim, Shown } from "./gate.js";
import { type PrintedLists, shownList } from "./printed-lists.js";
import type { AgentAnswer, AnsweredPart, Mention, ShownClaim } from "./types.js";
import { shownAbsence } from "./words/absence.js";
import { shownCode, shownText } from "./words/media.js";
import { partValue, type Rendering, shownClaim, shownSubject } from "./words/render.js";
import { filled } from "./words/sentences.js";
import { shownInstant, shownInterval } from "./words/values.js";

const withVerdict = ({ claim, verdict }: JudgedClaim): ShownClaim => ({
  ...claim,
  verdict: verdict.verdict,
  reasons: verdict.reasons,
});

/** A mention as it is worded: times by code, the rest as the question has it. */
export function shownMention({ kind, value, text, uid }: Mention, { medium, zone }: Rendering): string {
  if (kind === "window") {
    const { from, to } = value as { from: string; to: string };
    return shownInterval(from, to, zone);
  }
  if (kind === "instant") return shownInstant(value as string, zone);
  return uid === undefined || kind === "name" ? shownText(text, medium) : shownCode(uid, medium);
}

/** Places by claim; only of claims that have them. */
async function placesByClaim(evidence: Evidence, claims: readonly Claim[]): Promise<ReadonlyMap<string, Places>> {
  const found = new Map<string, Places>();
  for (const claim of claims) {
    const places = await placesOf(evidence, claim);
    if (typeof places !== "string") found.set(claim.id, places);
  }
  return found;
}

/** Where claims of absence were looked for, by claim. */
function searchesByClaim(
  evidence: Evidence,
  claims: readonly JudgedClaim[],
  places: ReadonlyMap<string, Places>,
): ReadonlyMap<string, Search> {
  return new Map(
    claims.flatMap(({ claim }): [string, Search][] => {
      if (claim.type !== "absence") return [];
      const found = places.get(claim.id)!;
      const { step } = claim.cell === undefined ? found.list(claim.list!) : found.cell(claim.cell);
      return [[claim.id, searchOf(evidence, step)]];
    }),
  );
}

export interface AnswerParts {
  readonly evidence: Evidence;
  readonly parts: readonly AskedPart[];
  /** Those that code prints. */
  readonly lists: PrintedLists;
  readonly shown: Shown;
  readonly blocked: readonly JudgedClaim[];
  readonly mentions: readonly Mention[];
  readonly rendering: Rendering;
}

const WHY: Readonly<Record<string, string>> = {
  page: "only a part of the list was read",
  unknown_name: "the store does not know a name that was looked for",
  upstream: "it rests on an incomplete input",
  rank: "no order shows which is first",
  not_an_entity: "what was found is no entity of the store",
  null_cell: "there is no value at that place",
  no_cell: "there is no value at that place",
  no_claim: "nothing that was found answers it",
};

export interface Worded {
  readonly text: string;
  readonly parts: readonly AnsweredPart[];
  readonly claims: readonly ShownClaim[];
  readonly blocked: readonly ShownClaim[];
  readonly evidence: readonly string[];
  readonly could_not: AgentAnswer["could_not"];
}

/** Everything of an answer that stands on results. */
export async function wordAnswer({
  evidence,
  parts,
  lists,
  shown,
  blocked,
  mentions,
  rendering,
}: AnswerParts): Promise<Worded> {
  const places = await placesByClaim(
    evidence,
    shown.claims.map(({ claim }) => claim),
  );
  const searches = searchesByClaim(evidence, shown.claims, places);
  await rendering.names.load([
    ...[...places.values()].flatMap((each) => each.texts(rendering.membersShown)),
    ...[...searches.values()].flatMap(({ uids }) => uids.slice(0, rendering.membersShown)),
  ]);
  const byId = new Map(shown.claims.map((judged) => [judged.claim.id, judged]));
  const mentioned = new Map(mentions.map((mention) => [mention.id as string, shownMention(mention, rendering)]));
  const say = (id: string, as: Rendering = rendering): string => {
    const { claim, verdict } = byId.get(id)!;
    if (claim.type === "absence") return shownAbsence(searches.get(id)!, verdict.reasons, as);
    return shownClaim(claim, verdict, places.get(id)!, as);
  };
  const sentences = shown.sentences.map(({ text }) =>
    filled(text, ({ kind, id }) => {
      if (kind === "mention") return mentioned.get(id) ?? "";
      return kind === "claim" ? say(id) : shownSubject(byId.get(id)!.claim, places.get(id)!, mentioned, rendering);
    }),
  );
  const printed = Array.from(lists.values(), (list) => ("wrong" in list ? "" : shownList(list, rendering)));
  const { trace_digest: digest } = evidence.trace;
  const could_not = shown.lost.map((part) => {
    const fallen = blocked.find(({ standing }) => standing.as === "main" && standing.part === part);
    const list = lists.get(part);
    const code = list !== undefined && "wrong" in list ? list.wrong : (fallen?.verdict.reasons[0] ?? "no_claim");
    return { part, code, why: WHY[code] ?? `the check of its claim says ${code}` };
  });
  const steps = evidence.trace.steps.map(({ id, op }) => `${id} ${op}`).join(", ");
  const missing = could_not.map(
    ({ part, why }) =>
      `Could not be shown: ${parts[part]!.kind} at ${parts[part]!.from}. ${why}. Tried: ${steps}. Trace ${digest}.`,
  );
  const answered = parts.map((part, i): AnsweredPart => {
    const main = shown.mains[i] ?? null;
    const { kind, from } = part;
    const complete = evidence.step(stepOf(from) ?? "")?.record.complete === true;
    if (main === null) return { kind, from, complete };
    const { claim, verdict } = main;
    return {
      kind,
      from,
      value: partValue(claim, places.get(claim.id)!),
      complete,
      claim: claim.id,
      verdict: verdict.verdict,
    };
  });
  return {
    text: [sentences.join(" "), ...printed, ...missing].filter((text) => text !== "").join("\n"),
    parts: answered,
    claims: shown.claims.map(withVerdict),
    blocked: blocked.map(withVerdict),
    evidence: shown.claims.map((judged) => {
      const { id } = judged.claim;
      // The calls and the rows beside it are in UTC.
      return evidenceLine(evidence, judged, places.get(id)!, say(id, { ...rendering, zone: null }), rendering.medium);
    }),
    could_not,
  };
}

/** The answer with its digest, which covers all but usage and attempts. */
export function withDigest(answer: Omit<AgentAnswer, "answer_digest">): AgentAnswer {
  const { usage: _usage, attempts: _attempts, ...covered } = answer;
  return { ...answer, answer_digest: sha256Hex(canonicalJson(covered as unknown as JsonObject)) };
}
