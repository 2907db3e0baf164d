// What reads as a number, a date, a name or a quote, in a text from which everything traceable is taken away.

const list = (text: string): string => text.trim().split(/\s+/).join("|");

const NUMBER_WORD = new RegExp(
  `\\b(?:${list(`
  zero one two three four five six seven eight nine ten eleven twelve (?:thir|four|fif|six|seven|eigh|nine)teen
  (?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)(?:y|ies|ieth) hundreds? thousands? millions? billions? trillions?
  dozens? half halves thirds? quarters? twice thrice doubled? tripled? seconds? fourth fifth sixth seventh eighth ninth
  tenths? hundredths? \\w+fold percent percentage per\\scent minus couple nil`)})\\b`,
  "giu",
);
const DATE_WORD = new RegExp(
  `\\b(?:${list(`
  january february march april june july august september october november december
  (?:mon|tues|wednes|thurs|fri|satur|sun)days? christmas easter yesterday today tomorrow tonight midnight noon
  (?:last|next|this)\\s(?:day|week|month|year|quarter|hour|decade|century)s?`)})\\b|\\b(?:May|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|BC|AD|UTC)\\b|\\bin\\smay\\b`,
  "giu",
);
const ROMAN = /\b(?:[IVXLCDM]{2,}|[ivx]{2,})\b/gu;
const QUOTE = /["“”„«»‹›‘`]|(?<!\p{L})['’]/gu;
const NUMERIC = /[\p{N}%‰％٪][\p{N}.,:%]*/gu;
const CAPITAL = /\p{Lu}[\p{L}\p{M}'’.-]*/gu;
const OTHER_ALPHABET = /[^\P{L}\p{Script=Latin}]+/gu;
/** Words that stand with a capital in honest answers. */
const ORDINARY = new Set(
  `a accounts after all altogether among an and are as at before believed both by could during each every for from here in is
  it its most nobody no none nothing of on only people so some that the their then there they this those to was were when who
  yes events messages they had it was not no-one everybody`.split(/\s+/),
);

export interface Suspect {
  readonly kind: "number" | "date" | "name" | "quote" | "alphabet";
  readonly text: string;
}

const matches = (kind: Suspect["kind"], text: string, pattern: RegExp): Suspect[] =>
  Array.from(text.matchAll(pattern), ([found]) => ({ kind, text: found }));

/** `names`: those of the runs of the text that the store knows. */
export function suspectsIn(text: string, names: ReadonlySet<string>): readonly Suspect[] {
  const plain = text.normalize("NFKC");
  const capitals = matches("name", plain, CAPITAL).filter(
    ({ text: word }) => !ORDINARY.has(word.toLowerCase().replace(/['’.-].*$/, "")),
  );
  const known = [...names].filter((name) => !ORDINARY.has(name.toLowerCase()));
  return [
    ...matches("number", text, NUMERIC),
    ...matches("number", plain, NUMBER_WORD),
    ...matches("number", plain, ROMAN),
    ...matches("date", plain, DATE_WORD),
    ...matches("quote", plain, QUOTE),
    ...matches("alphabet", text, OTHER_ALPHABET),
    ...capitals,
    ...known.map((name): Suspect => ({ kind: "name", text: name })),
  ];
}
