// From results to what may be shown: the reporter's words with their claims verified, asked for once more where something
// fell, and at last the mechanical answer, which no model had a hand in.
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Budget } from "./budget.js";
import { bindClaims } from "./claims/bind.js";
import type { Claim, Verdict } from "./claims/claim.js";
import type { Evidence } from "./claims/evidence.js";
import { mechanicalClaim } from "./claims/mechanical.js";
import { type AskedPart, isPrinted, standingOf } from "./claims/relevance.js";
import { verifyClaim } from "./claims/verify.js";
import { gate, type JudgedClaim, type Shown } from "./gate.js";
import type { PrintedLists } from "./printed-lists.js";
import { CutAnswer } from "./provider/provider.js";
import { askForReport, type ReporterInput, type ReportSetback } from "./reporter.js";
import type { Mention } from "./types.js";
import { wordingOf } from "./wording.js";
import { possibleNames } from "./words/names-in-prose.js";
import { checkProse, type RejectionKind } from "./words/prose.js";
import type { KnownNames } from "./words/prose-input.js";
import { withPlaceholders } from "./words/sentences.js";

const MOST_REPORTS = 2;

export interface Reported {
  readonly shown: Shown;
  /** Claims of drafts that fell, for auditors. */
  readonly blocked: readonly JudgedClaim[];
  /** The limit that kept the model from being asked for words, or for better ones. */
  readonly stoppedBy: string | null;
  /** Where code words it in place of the model: what was wrong with the model's last report. No text of the model. */
  readonly refusedFor: readonly RefusalKind[];
}

/** What is wrong with a report: words that may not stand, a part that none of its sentences answers, or that it is none. */
export type RefusalKind = RejectionKind | "unanswered" | "no_report";

export interface ReportOptions extends ReporterInput {
  /** Those of the folded texts that name an entity at the pin of the question. */
  readonly knownNames: (texts: ReadonlySet<string>) => Promise<KnownNames>;
  readonly lists: PrintedLists;
  readonly budget: Budget;
  /** Told of each report how many claims it has; null for one that is none. */
  readonly onReport: (attempt: number, claimCount: number | null) => void;
  readonly onVerdicts: (attempt: number, verdicts: readonly Verdict[]) => void;
}

async function judge(
  evidence: Evidence,
  claims: readonly Claim[],
  parts: readonly AskedPart[],
): Promise<JudgedClaim[]> {
  const judged: JudgedClaim[] = [];
  for (const claim of claims) {
    judged.push({ claim, verdict: await verifyClaim(evidence, claim), standing: standingOf(evidence, claim, parts) });
  }
  return judged;
}

const idOf = (given: JsonValue): string | null =>
  typeof given === "object" && given !== null && !Array.isArray(given) && typeof given.id === "string"
    ? given.id
    : null;

/** Two claims of one id are none: nobody knows which one a placeholder means. */
function withoutDoubles(given: readonly JsonValue[]): readonly JsonValue[] {
  return given.filter((each) => given.filter((other) => idOf(other) === idOf(each)).length === 1);
}

/** What the next report is told: claims that may not be shown, and parts of the question that no sentence answers. */
function fallenOf({ blocked, lost, claims: shown }: Shown, parts: readonly AskedPart[]): readonly JsonObject[] {
  const claims = blocked.map(
    ({ claim, verdict, standing }): JsonObject => ({
      claim: claim.id,
      verdict: verdict.verdict,
      reasons: [...verdict.reasons],
      ...(standing.as === "off_topic" ? { off_topic: true } : {}),
    }),
  );
  const unanswered = lost.map((part): JsonObject => {
    const unsaid = shown.find(({ standing }) => standing.as === "main" && standing.part === part);
    const { kind, from } = parts[part]!;
    return { unanswered: kind, from, ...(unsaid === undefined ? {} : { in_no_shown_sentence: unsaid.claim.id }) };
  });
  return [...claims, ...unanswered];
}

interface Drafted {
  readonly shown: Shown | null;
  readonly setback: ReportSetback | null;
  readonly blocked: readonly JudgedClaim[];
}

async function draftOnce(options: ReportOptions, last: ReportSetback | null, attempt: number): Promise<Drafted> {
  const { evidence, parts, mentions, knownNames, lists, onReport, onVerdicts, budget } = options;
  const { draft, answer, written } = await askForReport(options, last);
  budget.charge(answer.usage);
  onReport(attempt, "wrong" in draft ? null : draft.claims.length);
  if ("wrong" in draft) {
    return { shown: null, setback: { written, rejections: [], fallen: [{ ...draft }] }, blocked: [] };
  }
  const claims = await bindClaims(evidence, withoutDoubles(draft.claims));
  const judged = await judge(evidence, claims, parts);
  onVerdicts(
    attempt,
    judged.map(({ verdict }) => verdict),
  );
  const ids = mentionIds(mentions);
  const { claims: worded, entities, conditions } = await wordingOf(evidence, claims, mentions);
  // A sentence without a placeholder is not shown, whatever it says; of a report of nothing else it is told that they need one.
  const text = withPlaceholders(draft.text) || draft.text;
  const names = await knownNames(possibleNames(text));
  const rejections = checkProse({
    text,
    claims: worded,
    mentions: ids,
    entities,
    conditions,
    names,
    mostCharacters: options.mostCharacters,
  });
  const shown = gate(draft.text, judged, parts, lists);
  // No words bring back a list.
  const isShort = shown.lost.some((part) => !lists.has(part));
  const setback = rejections.length > 0 || isShort ? { written, rejections, fallen: fallenOf(shown, parts) } : null;
  return { shown: rejections.length === 0 ? shown : null, setback, blocked: shown.blocked };
}

const mentionIds = (mentions: readonly Mention[]): ReadonlySet<string> => new Set(mentions.map(({ id }) => id));

/** For each part the one claim that its kind prescribes, each a sentence of its own. */
export async function mechanicalReport(
  evidence: Evidence,
  parts: readonly AskedPart[],
  lists: PrintedLists,
): Promise<Shown> {
  const claims: Claim[] = [];
  for (const [i, part] of parts.entries()) {
    if (isPrinted(part)) continue;
    const isSupported = async (claim: object): Promise<boolean> =>
      (await verifyClaim(evidence, { id: `c${i + 1}`, ...claim })).verdict === "supported";
    const made = await mechanicalClaim(evidence, part, isSupported);
    if (made !== null) claims.push({ id: `c${i + 1}`, ...made } as Claim);
  }
  const bound = await bindClaims(evidence, claims);
  const text = bound.map(({ id }) => `{${id}}.`).join(" ");
  return gate(text, await judge(evidence, bound, parts), parts, lists);
}

/** The limit that a prompt or an answer of the model met: code words the answer then. */
function limitOf(error: unknown, budget: Budget): string {
  if (error instanceof CutAnswer) budget.charge(error.usage);
  if (error instanceof PalimpsestError && error.code === "E_LIMIT") return String(error.details.limit);
  throw error;
}

function refusalKinds({ rejections, fallen }: ReportSetback): readonly RefusalKind[] {
  const kinds: RefusalKind[] = rejections.map(({ kind }) => kind);
  if (fallen.some((each) => "wrong" in each)) kinds.push("no_report");
  if (fallen.some((each) => "unanswered" in each)) kinds.push("unanswered");
  return [...new Set(kinds)].sort();
}

/** What may be shown of a run. */
export async function report(options: ReportOptions): Promise<Reported> {
  const { evidence, parts, lists, budget } = options;
  let last: ReportSetback | null = null;
  let best: Shown | null = null;
  const blocked: JudgedClaim[] = [];
  const mostReports = parts.every(isPrinted) ? 0 : MOST_REPORTS;
  let stoppedBy: string | null = null;
  for (let attempt = 1; attempt <= mostReports; attempt += 1) {
    stoppedBy = budget.spent;
    if (stoppedBy !== null) break;
    const drafted: Drafted | string = await draftOnce(options, last, attempt).catch((error: unknown) =>
      limitOf(error, budget),
    );
    if (typeof drafted === "string") {
      stoppedBy = drafted;
      break;
    }
    blocked.push(...drafted.blocked);
    if (drafted.setback === null) return { shown: drafted.shown!, blocked, stoppedBy, refusedFor: [] };
    // Words that may stand, though a part of the question is not in them.
    if (drafted.shown !== null && (best === null || drafted.shown.lost.length < best.lost.length)) best = drafted.shown;
    last = drafted.setback;
  }
  const mechanical = await mechanicalReport(evidence, parts, lists);
  const isBetter = best !== null && best.lost.length <= mechanical.lost.length && best.sentences.length > 0;
  const shown = isBetter ? best! : mechanical;
  // Why no claim answers a part is seen at the one that code made for it.
  const fallen = mechanical.blocked.filter(
    ({ standing }) => standing.as === "main" && shown.lost.includes(standing.part),
  );
  return {
    shown,
    blocked: [...blocked, ...(isBetter ? fallen : mechanical.blocked)],
    stoppedBy,
    refusedFor: isBetter || last === null ? [] : refusalKinds(last),
  };
}
