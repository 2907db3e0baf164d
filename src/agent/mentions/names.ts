// The uids and names of a store that a question has: the longest runs of its tokens that are known.
import type { Cover, Span } from "./cover.js";
import type { Found } from "./found.js";

/** The names that a store knows at a pin. */
export interface NameSource {
  /** Those of the texts that are uids. */
  knownUids(texts: readonly string[]): ReadonlySet<string>;
  /** Those of the texts that are uids or names. */
  known(texts: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** The entities with exactly this name, at most two: more than one is no answer. */
  named(name: string): Promise<readonly string[]>;
}

const MOST_TOKENS = 6;
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’_.@:/+-]+[\p{L}\p{M}\p{N}]+)*/gu;

const tokensIn = (text: string): readonly Span[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({ from: index, to: index + token.length }));

interface Run extends Span {
  readonly text: string;
}

/** What stands behind a name and is no part of it: `Ada's`. */
const GENITIVE = /['’][sS]$/u;

/** From one token to another, and the same without a genitive at its end. */
function runsOf(text: string, { from }: Span, { to }: Span): readonly Run[] {
  const whole = text.slice(from, to);
  const stem = whole.replace(GENITIVE, "");
  const run: Run = { from, to, text: whole };
  return stem.length === whole.length ? [run] : [run, { from, to: from + stem.length, text: stem }];
}

/** A common word in lower case is a word, whoever is called so; digits are a number. */
const isLikeAName = (text: string): boolean => !/^\d+$/.test(text) && text !== text.toLowerCase();

/** Uids and names where the question is free, which they take. */
export async function namesIn(text: string, source: NameSource, cover: Cover): Promise<readonly Found[]> {
  const tokens = tokensIn(text);
  const free = tokens
    .flatMap((first, i) => tokens.slice(i, i + MOST_TOKENS).flatMap((last) => runsOf(text, first, last)))
    .filter((run) => cover.isFree(run))
    .sort((a, b) => b.text.length - a.text.length || a.from - b.from);
  const texts = new Set(free.map((run) => run.text));
  const uids = source.knownUids([...texts]);
  const names = await source.known(new Set([...texts].filter((each) => !uids.has(each) && isLikeAName(each))));
  const found: Found[] = [];
  for (const run of free) {
    if (!cover.isFree(run)) continue;
    const { from, to, text: name } = run;
    const kind = uids.has(name) ? "uid" : names.has(name) ? "name" : null;
    if (kind === null) continue;
    const named = kind === "uid" ? [name] : await source.named(name);
    cover.take(run);
    found.push({ kind, from, to, ...(named.length === 1 ? { uid: named[0]! } : {}) });
  }
  return found;
}

/** The runs that hold a stretch and more; `at` is the first token that ends behind where it begins. */
function runsAround(text: string, tokens: readonly Span[], at: number, { from, to }: Span): readonly Run[] {
  const runs: Run[] = [];
  for (let first = Math.max(0, at - MOST_TOKENS + 1); first <= at; first += 1) {
    for (const last of tokens.slice(at, first + MOST_TOKENS)) {
      const longer = runsOf(text, tokens[first]!, last).filter(
        (run) => run.from <= from && run.to >= to && run.text.length > to - from,
      );
      runs.push(...longer);
    }
  }
  return runs;
}

/** Those of some stretches that are no part of a longer uid or name; from left to right. */
export async function notInNames<T extends Span>(
  text: string,
  stretches: readonly T[],
  source: NameSource,
): Promise<readonly T[]> {
  const tokens = tokensIn(text);
  let at = 0;
  const around = stretches.map((stretch) => {
    while (at < tokens.length && tokens[at]!.to <= stretch.from) at += 1;
    return at === tokens.length ? [] : runsAround(text, tokens, at, stretch).map((run) => run.text);
  });
  const texts = new Set(around.flat());
  const uids = source.knownUids([...texts]);
  const names = await source.known(new Set([...texts].filter(isLikeAName)));
  return stretches.filter((_, i) => !around[i]!.some((name) => uids.has(name) || names.has(name)));
}
