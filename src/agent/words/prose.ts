// The prose check: what the words around claims may not say. Rejections by sentence, each with its kind and the text that
// is meant. Knows claims and the names of the store, and no verdict.
import type { Claim } from "../claims/claim.js";
import { FUNCTION_WORDS } from "./function-words.js";
import { CAUSE_WORDS, DATE_WORDS, LICENSED_WORDS, type Licence, NUMBER_WORDS } from "./lexicon.js";
import { type Sentence, sentencesOf } from "./sentences.js";

export type RejectionKind = "bare_number" | "bare_date" | "bare_name" | "form" | "unlicensed" | "untied" | "cause";

export interface Rejection {
  readonly kind: RejectionKind;
  /** The sentence, by its position in the text; null for the text as a whole. */
  readonly sentence: number | null;
  readonly text: string;
}

/** What a claim is, as far as words need a licence for it. */
export interface WordedClaim {
  readonly claim: Claim;
  /** Whether it says which is first by some order: by rank, by a column of extremes, or by an arrival. */
  readonly isExtreme: boolean;
  /** Whether its step was asked at an earlier commit, or tells of belief. */
  readonly isOfBelief: boolean;
  /** Whether it stands on a reason that a write gave. */
  readonly isOfReason: boolean;
  /** The ids of the claims of entities to which it is tied. */
  readonly tiedTo: ReadonlySet<string>;
}

/** The names that the store knows at the pin of the question. */
export interface KnownNames {
  /** `folded` is in NFC and case-folded. */
  has(folded: string): boolean;
}

export interface ProseInput {
  readonly text: string;
  readonly claims: ReadonlyMap<string, WordedClaim>;
  /** The ids of the mentions of the question. */
  readonly mentions: ReadonlySet<string>;
  readonly names: KnownNames;
}

const MOST_CHARACTERS = 1200;
const MOST_NAME_TOKENS = 6;

/** Letters and digits, with apostrophes, hyphens and underscores inside. */
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’_.@-][\p{L}\p{M}\p{N}]+)*/gu;
const NUMERIC = /[\p{Nd}\p{Nl}\p{No}%]/u;
/** Markup, quotes, links, control, bidi, zero-width and tag characters. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be found
  /[<>`*_#|\\[\]{}~^=]|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|https?:|www\.|:\/\//iu;
const QUOTED = /["“”„«»‘‚‹›]|(?:^|\s)'[^']*'(?=\s|$|[.,;:!?])/u;

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
const isFunctionWord = new Set(FUNCTION_WORDS);

/** Words and phrases to look for, by their first token. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

function phrases(entries: readonly string[]): Phrases {
  const byFirst = new Map<string, string[][]>();
  for (const entry of entries) {
    const tokens = entry.split(" ");
    byFirst.set(tokens[0]!, [...(byFirst.get(tokens[0]!) ?? []), tokens]);
  }
  return byFirst;
}

const NUMBERS = phrases(NUMBER_WORDS);
const DATES = phrases(DATE_WORDS);
const CAUSES = phrases(CAUSE_WORDS);
const LICENSED = Object.entries(LICENSED_WORDS).map(
  ([licence, words]) => [licence as Licence, phrases(words)] as const,
);

interface Tokens {
  readonly words: readonly string[];
  readonly asWritten: readonly string[];
}

/** A contraction says two words: `wasn't` is `was n't`; the parts of a hyphenated word are words, too. */
function tokensOf(bare: string): Tokens {
  const asWritten: string[] = [];
  const words: string[] = [];
  for (const [token] of bare.matchAll(TOKEN)) {
    for (const part of token.split("-")) {
      const word = folded(part).replaceAll("’", "'");
      const contraction = /^(.+)(n't)$/.exec(word);
      for (const each of contraction === null ? [word] : [contraction[1]!, contraction[2]!]) {
        words.push(each);
        asWritten.push(part);
      }
    }
  }
  return { words, asWritten };
}

/** Whether a phrase stands in the words from one on. */
const standsAt = ({ words }: Tokens, from: number, phrase: readonly string[]): boolean =>
  phrase.every((token, k) => words[from + k] === token);

/** The entries that stand in the words. */
function* found(tokens: Tokens, entries: Phrases): Generator<string> {
  const { words, asWritten } = tokens;
  for (let i = 0; i < words.length; i += 1) {
    const phrase = entries.get(words[i]!)?.find((each) => standsAt(tokens, i, each));
    if (phrase !== undefined) yield asWritten.slice(i, i + phrase.length).join(" ");
  }
}

/** Whether `may` or `march` is the verb: months are written with a capital. */
const isVerb = (text: string): boolean =>
  text === "may" || text === "march" || text === "mar" || text === "sat" || text === "sun";

const LICENCES: Readonly<Record<Licence, (worded: WordedClaim) => boolean>> = {
  extreme: ({ isExtreme }) => isExtreme,
  universal: ({ claim }) => claim.type === "entity_set" && claim.complete,
  negation: ({ claim }) => claim.type === "absence",
  change: ({ claim }) => claim.type === "change" || (claim.type === "temporal_pattern" && claim.pattern === "trend"),
  order: ({ claim }) => claim.type === "ordering" || claim.type === "interval",
  pattern: ({ claim, isExtreme }) => claim.type === "temporal_pattern" || isExtreme,
  belief: ({ isOfBelief }) => isOfBelief,
};

/** The runs of up to six tokens that might be a name: all but common words with nothing but blanks between them. */
function nameRuns({ bare }: Sentence): string[] {
  const tokens = Array.from(bare.matchAll(TOKEN), ({ 0: token, index }) => ({
    from: index,
    to: index + token.length,
    isCommon: isFunctionWord.has(folded(token)),
  }));
  const runs: string[] = [];
  for (const [position, { from }] of tokens.entries()) {
    let isCommon = true;
    for (const [i, next] of tokens.slice(position, position + MOST_NAME_TOKENS).entries()) {
      const before = i === 0 ? " " : bare.slice(tokens[position + i - 1]!.to, next.from);
      isCommon &&= next.isCommon && before.trim() === "";
      if (!isCommon) runs.push(bare.slice(from, next.to).replace(/\s+/g, " "));
    }
  }
  return runs;
}

/** The texts of a report that may be names, for whoever asks the store which are. */
export const possibleNames = (text: string): ReadonlySet<string> =>
  new Set(sentencesOf(text).flatMap(nameRuns).map(folded));

class SentenceCheck {
  readonly rejections: Rejection[] = [];
  private readonly claims: readonly WordedClaim[];
  private readonly tokens: Tokens;

  constructor(
    private readonly sentence: Sentence,
    private readonly position: number,
    private readonly input: ProseInput,
  ) {
    const ids = new Set(sentence.placeholders.filter(({ kind }) => kind !== "mention").map(({ id }) => id));
    this.claims = [...ids].flatMap((id) => input.claims.get(id) ?? []);
    this.tokens = tokensOf(sentence.bare);
  }

  private reject(kind: RejectionKind, text: string): void {
    const isSaid = this.rejections.some((each) => each.kind === kind && each.text === text);
    if (!isSaid) this.rejections.push({ kind, sentence: this.position, text });
  }

  run(): readonly Rejection[] {
    this.form();
    this.numbersAndDates();
    this.names();
    this.licences();
    this.ties();
    return this.rejections;
  }

  private form(): void {
    const { placeholders, bare, text } = this.sentence;
    const { claims, mentions } = this.input;
    for (const { kind, id, text: shown } of placeholders) {
      if (!(kind === "mention" ? mentions.has(id) : claims.has(id))) this.reject("form", shown);
    }
    if (placeholders.length === 0) this.reject("form", text);
    const wrong = FORBIDDEN.exec(bare.replace(/[ \n]+/g, " "));
    if (wrong !== null) this.reject("form", wrong[0]);
    const quoted = QUOTED.exec(bare);
    if (quoted !== null) this.reject("bare_name", quoted[0].trim());
  }

  private numbersAndDates(): void {
    const numeric = NUMERIC.exec(this.sentence.bare);
    if (numeric !== null) this.reject("bare_number", numeric[0]);
    for (const text of found(this.tokens, NUMBERS)) this.reject("bare_number", text);
    for (const text of found(this.tokens, DATES)) if (!isVerb(text)) this.reject("bare_date", text);
  }

  private names(): void {
    for (const run of nameRuns(this.sentence)) if (this.input.names.has(folded(run))) this.reject("bare_name", run);
  }

  private licences(): void {
    const { words, asWritten } = this.tokens;
    for (let i = 0; i < words.length; ) {
      const standing = LICENSED.flatMap(([licence, entries]) =>
        (entries.get(words[i]!) ?? [])
          .filter((phrase) => standsAt(this.tokens, i, phrase))
          .map(({ length }) => ({ length, isAllowed: this.claims.some(LICENCES[licence]) })),
      ).sort((a, b) => b.length - a.length);
      const longest = standing.find(({ isAllowed }) => isAllowed) ?? standing[0];
      const length = longest?.length ?? 1;
      if (longest?.isAllowed === false) this.reject("unlicensed", asWritten.slice(i, i + length).join(" "));
      i += length;
    }
    if (this.claims.some(({ isOfReason }) => isOfReason)) return;
    for (const text of found(this.tokens, CAUSES)) this.reject("cause", text);
  }

  /** A value or a count beside entities of which it is said of none. */
  private ties(): void {
    const entities = this.claims.filter(({ claim }) => claim.type === "entity").map(({ claim }) => claim.id);
    if (entities.length === 0) return;
    for (const { claim, tiedTo } of this.claims) {
      if (claim.type !== "value" && claim.type !== "count") continue;
      if (!entities.some((id) => tiedTo.has(id))) this.reject("untied", `{${claim.id}}`);
    }
  }
}

/** Everything that is wrong with a text; none: it may be shown once its claims hold. */
export function checkProse(input: ProseInput): readonly Rejection[] {
  const length = [...input.text].length;
  if (length > MOST_CHARACTERS) return [{ kind: "form", sentence: null, text: `${length} characters` }];
  return sentencesOf(input.text).flatMap((sentence, position) => new SentenceCheck(sentence, position, input).run());
}
