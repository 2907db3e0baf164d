// Lexical search over a few short documents: BM25 with weighted fields (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009), over stems of words. Deterministic: equal scores keep the order of the documents.

/** How soon more of the same word counts no more, and how much long documents are held back. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;

/** Words that say nothing of a subject. */
const STOP_WORDS = new Set(
  (
    "a an and any are as at be been by did do does each for from had has have how i in into is it its me of on one or our she he " +
    "that the their them then there they this those to up was we were what when where which who whom whose will with you your"
  ).split(" "),
);

/** A word without the endings of its plural and its tenses: as much as short descriptions need. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const bare = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x)es$/, "$1")
    .replace(/([^s])s$/, "$1")
    .replace(/(ing|ed|est|er)$/, "");
  const root = bare.length >= 3 ? bare : word;
  // stopped, running; and taken as take is.
  return root.replace(/([bdgmnprt])\1$/, "$1").replace(/e$/, "");
}

/** The stems of a text; names with underscores are words of their own. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

export interface SearchedField {
  readonly text: string;
  readonly weight: number;
}

export interface SearchedDocument {
  readonly name: string;
  readonly fields: readonly SearchedField[];
}

interface Indexed {
  readonly name: string;
  /** Weighted counts by stem. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function indexed({ name, fields }: SearchedDocument): Indexed {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of fields) {
    for (const word of stemsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += weight;
    }
  }
  return { name, counts, length };
}

export class LexicalIndex {
  private readonly documents: readonly Indexed[];
  private readonly meanLength: number;

  constructor(documents: readonly SearchedDocument[]) {
    this.documents = documents.map(indexed);
    this.meanLength = this.documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  }

  private weightOf(word: string): number {
    const holding = this.documents.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (this.documents.length - holding + 0.5) / (holding + 0.5));
  }

  private scoreOf({ counts, length }: Indexed, words: readonly string[], weights: ReadonlyMap<string, number>): number {
    const held = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / this.meanLength);
    return words.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      return sum + (weights.get(word)! * count * (SATURATION + 1)) / (count + held);
    }, 0);
  }

  /** The names of the documents that share a word with the query, the best first. */
  ranked(query: string): readonly string[] {
    const words = [...new Set(stemsOf(query))];
    const weights = new Map(words.map((word) => [word, this.weightOf(word)]));
    return this.documents
      .map((document) => ({ name: document.name, score: this.scoreOf(document, words, weights) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name);
  }
}
