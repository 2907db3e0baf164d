// The prose check: what the words around claims may not say. Rejections by sentence, each with its kind and the text that
// is meant. Knows claims and the names of the store, and no verdict.
import type { Claim } from "../claims/claim.js";
import { leansAs } from "./leanings.js";
import {
  ALSO_OF_BELIEF,
  BEFORE_TIMES,
  CAUSE_WORDS,
  DATE_WORDS,
  LICENSED_WORDS,
  type Licence,
  NUMBER_WORDS,
  OFTEN_NO_DATES,
  PATTERNS_OF_RANKS,
  TIMES,
  WHOLE_PHRASES,
} from "./lexicon.js";
import { isEnglish, namesIn, writtenLikeNames } from "./names-in-prose.js";
import { addressesIn, formProblems, quotedIn } from "./prose-form.js";
import type { ProseInput, WordedClaim } from "./prose-input.js";
import { spokenOf, untiedIn } from "./prose-ties.js";
import { PLACEHOLDER, type Sentence, sentencesOf } from "./sentences.js";
import { entriesIn, lexiconOf, type StandingEntry, type WordToken, wordTokens, writtenAt } from "./word-tokens.js";
import { isSuperlative, numbersOtherwise, otherNumbersIn, wordsOtherwise } from "./written-otherwise.js";

export type RejectionKind = "bare_number" | "bare_date" | "bare_name" | "form" | "unlicensed" | "untied" | "cause";

export interface Rejection {
  readonly kind: RejectionKind;
  /** The sentence, by its position in the text; null for the text as a whole. */
  readonly sentence: number | null;
  readonly text: string;
}

const MOST_CHARACTERS = 1_200;
const NUMERIC = /[\p{Nd}\p{Nl}\p{No}%‰‱٪％﹪]/u;

const LEXICON = lexiconOf<Licence | "number" | "date" | "cause">([
  ["number", NUMBER_WORDS],
  ["date", DATE_WORDS],
  ["cause", CAUSE_WORDS],
  ...(Object.entries(LICENSED_WORDS) as [Licence, readonly string[]][]),
]);

/** Whether a word of dates is another word here: months are written with a capital, or stand behind `in`. */
const isNoDate = (tokens: readonly WordToken[], at: number, text: string): boolean =>
  OFTEN_NO_DATES.includes(text) && !BEFORE_TIMES.includes(tokens[at - 1]?.forms[0] ?? "");

/** Whether a claim says that its row is first by some order. */
const hasRank = (claim: Claim): boolean => "rank" in claim && claim.rank !== undefined;

const LICENCES: Readonly<Record<Licence, (worded: WordedClaim) => boolean>> = {
  extreme: ({ isExtreme }) => isExtreme,
  universal: ({ claim, isFirstFew }) => claim.type === "entity_set" && claim.complete && isFirstFew !== true,
  negation: ({ claim }) => claim.type === "absence",
  change: ({ claim }) => claim.type === "change" || (claim.type === "temporal_pattern" && claim.pattern === "trend"),
  order: ({ claim }) => claim.type === "ordering" || claim.type === "interval",
  pattern: ({ claim }) => claim.type === "temporal_pattern",
  belief: ({ isOfBelief }) => isOfBelief,
};

/** Whether a claim licenses an entry of the lexicon beside those that its licence asks for. */
const licensesToo = (entry: string, { claim, isOfBelief }: WordedClaim): boolean =>
  (PATTERNS_OF_RANKS.includes(entry) && hasRank(claim)) || (ALSO_OF_BELIEF.includes(entry) && isOfBelief);

/** `in all` at the end of what it closes, and `In all, …`; `in all weeks` says something of each. */
const IN_ALL = /(?<![\p{L}\p{N}])(?:all )?in all(?=\s*(?:[,;:.!?)]|$))/giu;
const DURING = /(?<![\p{L}\p{N}])during(?![\p{L}\p{N}])/giu;
const DURING_MENTION = /(?<![\p{L}\p{N}])during\s+(?:the\s+)?\{(q[1-9]\d{0,2})\}/giu;

class SentenceCheck {
  readonly rejections: Rejection[] = [];
  private readonly claims: readonly WordedClaim[];
  private readonly tokens: readonly WordToken[];
  private readonly entries: readonly StandingEntry<Licence | "number" | "date" | "cause">[];

  constructor(
    private readonly sentence: Sentence,
    private readonly position: number,
    /** Whom it speaks of. */
    private readonly entities: ReadonlySet<string>,
    private readonly input: ProseInput,
  ) {
    const ids = new Set(sentence.placeholders.filter(({ kind }) => kind !== "mention").map(({ id }) => id));
    this.claims = [...ids].flatMap((id) => input.claims.get(id) ?? []);
    this.tokens = wordTokens(sentence.text.replace(IN_ALL, " ").replace(PLACEHOLDER, " "));
    this.entries = entriesIn(this.tokens, LEXICON);
  }

  private reject(kind: RejectionKind, text: string): void {
    const isSaid = this.rejections.some((each) => each.kind === kind && each.text === text);
    if (!isSaid) this.rejections.push({ kind, sentence: this.position, text });
  }

  run(): readonly Rejection[] {
    this.form();
    this.words();
    this.names();
    this.licences();
    this.superlatives();
    this.ties();
    return this.rejections;
  }

  private form(): void {
    const { placeholders, text } = this.sentence;
    const { claims, mentions } = this.input;
    for (const { kind, id, text: shown } of placeholders) {
      if (!(kind === "mention" ? mentions.has(id) : claims.has(id))) this.reject("form", shown);
    }
    // What is said around mentions alone, `{q1} paid {q2}`, nothing has verified.
    if (placeholders.every(({ kind }) => kind === "mention")) this.reject("form", text);
    for (const problem of formProblems(this.sentence)) this.reject("form", problem);
    const quoted = quotedIn(this.sentence);
    if (quoted !== null) this.reject("bare_name", quoted);
  }

  private words(): void {
    const numeric = NUMERIC.exec(this.sentence.bare);
    if (numeric !== null) this.reject("bare_number", numeric[0]);
    for (const text of numbersOtherwise(this.tokens)) this.reject("bare_number", text);
    for (const text of wordsOtherwise(this.sentence.bare, this.tokens, (word) => LEXICON.has(word)))
      this.reject("form", text);
    for (const { at, length, of } of this.entries) {
      const text = writtenAt(this.tokens, at, length);
      if (of === "number" && !this.isOneOfAll(at)) this.reject("bare_number", text);
      if (of === "date" && !isNoDate(this.tokens, at, text)) this.reject("bare_date", text);
      if (of === "cause" && !this.claims.some(({ isOfReason }) => isOfReason)) this.reject("cause", text);
    }
  }

  private names(): void {
    for (const word of writtenLikeNames(this.sentence)) this.reject("bare_name", word);
  }

  /** Of the words that need a licence the longest from each place on that has one, else the longest. */
  private licences(): void {
    let from = 0;
    for (const at of this.tokens.keys()) {
      if (at < from) continue;
      const all = this.entries
        .flatMap(({ at: begin, length, entry, of }) =>
          begin === at && Object.hasOwn(LICENCES, of)
            ? [{ length, entry, isAllowed: this.isLicensed(of as Licence, entry) || this.isHarmless(entry, at) }]
            : [],
        )
        .sort((a, b) => b.length - a.length);
      const whole = all.find(({ entry }) => WHOLE_PHRASES.includes(entry));
      const standing = all.filter(({ length }) => length >= (whole?.length ?? 0));
      const longest = standing.find(({ isAllowed }) => isAllowed) ?? standing[0];
      if (longest?.isAllowed === false) this.reject("unlicensed", writtenAt(this.tokens, at, longest.length));
      from = at + (longest?.length ?? 1);
    }
  }

  private isLicensed(licence: Licence, entry: string): boolean {
    return this.claims.some(
      (worded) => (LICENCES[licence](worded) || licensesToo(entry, worded)) && leansAs(entry, worded),
    );
  }

  /** `every one of` those of a set: no number. */
  private isOneOfAll(at: number): boolean {
    const [before, own, behind] = [-1, 0, 1].map((by) => this.tokens[at + by]?.forms[0]);
    return before === "every" && own === "one" && behind === "of" && this.isLicensed("universal", "every");
  }

  /** `the following`, of what is listed, and `during {q1}`, which the claims of the sentence have to be asked with. */
  private isHarmless(entry: string, at: number): boolean {
    if (entry === "following") {
      const isListed = this.tokens[at - 1]?.forms[0] === "the";
      return isListed && !TIMES.includes(this.tokens[at + 1]?.forms[0] ?? "");
    }
    if (entry !== "during") return false;
    const { text } = this.sentence;
    const held = Array.from(text.matchAll(DURING_MENTION)).filter(([, id]) => this.input.conditions?.has(id!) === true);
    return held.length === Array.from(text.matchAll(DURING)).length;
  }

  private superlatives(): void {
    if (this.claims.some(LICENCES.extreme)) return;
    for (const { written, forms } of this.tokens) {
      if (forms.some((form) => isSuperlative(form) && !LEXICON.has(form))) this.reject("unlicensed", written);
    }
  }

  private ties(): void {
    for (const text of untiedIn(this.sentence, this.entities, this.claims, this.input)) this.reject("untied", text);
  }
}

/** What is wrong with a text, whatever sentences it is cut into. */
function wholeTextProblems(input: ProseInput): readonly Omit<Rejection, "sentence">[] {
  const { text, names } = input;
  return [
    ...otherNumbersIn(input).map((number) => ({ kind: "bare_number" as const, text: number })),
    ...namesIn(text, (name) => names.has(name)).map((name) => ({ kind: "bare_name" as const, text: name })),
    ...addressesIn(text).map((address) => ({ kind: "form" as const, text: address })),
    ...(isEnglish(text) ? [] : [{ kind: "form" as const, text: "words that are not English" }]),
  ];
}

/** Everything that is wrong with a text; none: it may be shown once its claims hold. */
export function checkProse(input: ProseInput): readonly Rejection[] {
  const { mostCharacters = MOST_CHARACTERS } = input;
  const length = [...input.text].length;
  if (length > mostCharacters) return [{ kind: "form", sentence: null, text: `${length} characters` }];
  const sentences = sentencesOf(input.text);
  const spoken = spokenOf(sentences, input);
  const ofSentences = sentences.flatMap((sentence, position) =>
    new SentenceCheck(sentence, position, spoken[position]!, input).run(),
  );
  const isSaid = ({ kind, text }: Omit<Rejection, "sentence">): boolean =>
    ofSentences.some((other) => other.kind === kind && other.text === text);
  const ofText = wholeTextProblems(input).filter((each) => !isSaid(each));
  return [...ofSentences, ...ofText.map((each) => ({ ...each, sentence: null }))];
}
