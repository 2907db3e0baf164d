// The legal names nearest to one that does not exist, for hints.
// Plain edit distance; only ever called on the way to an error.

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}

/** No name is longer; what a caller gave instead of one may be of any length, and is not worth an edit distance. */
const LONGEST_NAME = 256;

/** At most `count` candidates, nearest first, none that shares less than half its letters with the name. */
export function nearestNames(name: string, candidates: Iterable<string>, count = 3): string[] {
  if (name.length > LONGEST_NAME) return [];
  const lower = name.toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance * 2 <= Math.max(candidate.length, name.length))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
