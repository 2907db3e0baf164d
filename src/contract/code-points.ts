// Order of strings by code point, the order of everything but the keys of canonical JSON.
// JavaScript's `<` compares UTF-16 units and would put U+1F600 before U+FF5E.

/** Moves surrogates above U+E000..U+FFFF, so that units compare as the code points that they begin. */
const liftSurrogate = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return liftSurrogate(x) - liftSurrogate(y);
  }
  return a.length - b.length;
}

/** A set of strings in its canonical form: no duplicates, sorted by code point. */
export function sortedSet(values: readonly string[]): string[] {
  if (values.length < 2) return values.slice();
  return [...new Set(values)].sort(compareCodePoints);
}
