// P6: what a sentence says beside entities has to be of one of them, and the times and numbers of the question that it repeats
// have to be what its claims were asked with. Knows claims by what they are tied to, and no cells.
import type { ProseInput, WordedClaim } from "./prose-input.js";
import { refersBack } from "./references-back.js";
import type { Placeholder, Sentence } from "./sentences.js";
import { wordTokens } from "./word-tokens.js";

/** What a sentence names by a placeholder: `c1`, `q1`, `c1.of`. */
const named = ({ kind, id }: Placeholder): string => (kind === "subject" ? `${id}.of` : id);

/** The entities that a sentence names. */
function entitiesOf({ placeholders }: Sentence, { claims, entities }: ProseInput): ReadonlySet<string> {
  const isEntity = (each: Placeholder): boolean =>
    entities?.has(named(each)) === true || (each.kind === "claim" && claims.get(each.id)?.claim.type === "entity");
  return new Set(placeholders.filter(isEntity).map(named));
}

/**
 * By sentence, the entities that it speaks of: those that it names, else, where its words refer back, those of the last
 * sentence that named some.
 */
export function spokenOf(sentences: readonly Sentence[], input: ProseInput): readonly ReadonlySet<string>[] {
  let last: ReadonlySet<string> = new Set();
  return sentences.map((sentence) => {
    const own = entitiesOf(sentence, input);
    if (own.size > 0) {
      last = own;
      return own;
    }
    return refersBack(wordTokens(sentence.bare)) ? last : own;
  });
}

const isAmong = (tied: ReadonlySet<string> | undefined, entities: ReadonlySet<string>): boolean =>
  [...entities].some((entity) => tied?.has(entity) === true);

/** Whether what a placeholder prints is said of entities, and of none of these. */
function isUntied(
  { kind, id }: Placeholder,
  entities: ReadonlySet<string>,
  { claims, entities: known }: ProseInput,
): boolean {
  const worded = claims.get(id);
  if (worded === undefined || kind === "mention" || entities.size === 0) return false;
  if (kind === "claim") return worded.claim.type !== "entity" && !isAmong(worded.tiedTo, entities);
  // A subject that is no entity is a value beside them.
  return (
    known?.has(`${id}.of`) !== true && worded.subjectTiedTo !== undefined && !isAmong(worded.subjectTiedTo, entities)
  );
}

/** The placeholders of a sentence that stand beside what they have nothing to do with. */
export function untiedIn(
  { placeholders }: Sentence,
  entities: ReadonlySet<string>,
  claimsOfSentence: readonly WordedClaim[],
  input: ProseInput,
): readonly string[] {
  const untied = placeholders.filter((each) => isUntied(each, entities, input));
  const repeated = placeholders.filter(
    ({ kind, id }) =>
      kind === "mention" &&
      input.conditions?.has(id) === true &&
      !claimsOfSentence.some(({ askedWith }) => askedWith?.has(id) === true),
  );
  return [...new Set([...untied, ...repeated].map(({ text }) => text))];
}
