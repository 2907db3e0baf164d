// "Did you mean": the nearest of some words, by Damerau-Levenshtein distance, ties by code point.

/** Insertions, deletions, changes, and exchanges of neighbours (each pair exchanged once), of code points. */
export function distance(a: string, b: string): number {
  const from = [...a];
  const to = [...b];
  let before: number[] = [];
  let above = to.map((_, j) => j);
  above.push(to.length);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, change);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
      }
    }
    before = above;
    above = row;
  }
  return above[to.length]!;
}

const byCodePoint = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return left.length - right.length;
};

/** The nearest words, at most three, at distance 1, or up to 2 for a word of five letters and more; case does not count. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.toUpperCase();
  const length = [...wanted].length;
  // One or two letters are near to too much, and nothing this long is a word of the language or a sensible name.
  if (length < 3 || length > 100) return [];
  const limit = length < 5 ? 1 : 2;
  const found: { readonly candidate: string; readonly far: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - length) > 2 * limit) continue;
    const far = distance(wanted, candidate.toUpperCase());
    if (far <= limit) found.push({ candidate, far });
  }
  found.sort((a, b) => a.far - b.far || byCodePoint(a.candidate, b.candidate));
  return found
    .filter(({ far }) => far === found[0]!.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}
