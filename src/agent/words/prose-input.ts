// What the prose check is given: a text, and what claims, mentions and names are to its words.
import type { Claim } from "../claims/claim.js";

/** What a claim is, as far as words need a licence for it. */
export interface WordedClaim {
  readonly claim: Claim;
  /** Whether it says which is first by some order: by rank, by a column of extremes, or by an arrival. */
  readonly isExtreme: boolean;
  /** On which sides it is the first: by its rank, and by the functions that made its column; left out: unknown. */
  readonly sides?: ReadonlySet<"max" | "min">;
  /** On which sides it is the first in time: by an order of instants, or by `first` and `last`; left out: none. */
  readonly sidesInTime?: ReadonlySet<"max" | "min">;
  /** Of a set: how many there are, */
  readonly members?: number;
  /** and whether they are the first few alone, as its plan asked for no more. */
  readonly isFirstFew?: boolean;
  /** Whether its step was asked at an earlier commit, or tells of belief. */
  readonly isOfBelief: boolean;
  /** Whether it stands on a reason that a write gave. */
  readonly isOfReason: boolean;
  /** What it is tied to of what a sentence may name: claims of entities `c1`, mentions `q1`, subjects of claims `c1.of`. */
  readonly tiedTo: ReadonlySet<string>;
  /** What its own subject is tied to, where that is no entity. */
  readonly subjectTiedTo?: ReadonlySet<string>;
  /** The mentions of times, numbers and texts that its steps were asked with. */
  readonly askedWith?: ReadonlySet<string>;
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
  /** Mentions and subjects that are entities, `q1` and `c1.of`; claims of entities are known as such. */
  readonly entities?: ReadonlySet<string>;
  /** Mentions that are no entities: what repeats them has to be asked with them. */
  readonly conditions?: ReadonlySet<string>;
  readonly names: KnownNames;
  /** That the text may have. Default: 1,200. */
  readonly mostCharacters?: number;
}
