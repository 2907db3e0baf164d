// Full Unicode case folding (C and F of CaseFolding), and the distance between texts: what names are compared by.
// The mappings come from the upper and lower case that Node.js ships, a source apart from the product's own table.

/** One code point. Folding goes to the lower case, but for dotless i, which stays, and Cherokee, whose base is the upper case. */
function foldCodePoint(letter: string): string {
  const code = letter.codePointAt(0)!;
  if (code === 0x131 || (code >= 0x13a0 && code <= 0x13f5)) return letter;
  if ((code >= 0x13f8 && code <= 0x13fd) || (code >= 0xab70 && code <= 0xabbf)) return letter.toUpperCase();
  return letter.toLowerCase().toUpperCase().toLowerCase();
}

/** Code point by code point: a sigma folds the same way wherever it stands. */
export function fold(text: string): string {
  return Array.from(text, foldCodePoint).join("");
}

/** Optimal string alignment: insert, delete, replace, swap neighbours, no part edited twice. */
export function alignmentDistance(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  const distance = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = distance[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(distance[i - 1]![j]! + 1, row[j - 1]! + 1, replaced));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, distance[i - 2]![j - 2]! + 1);
    }
    distance.push(row);
  }
  return distance[a.length]![b.length]!;
}
