// The words of a dot command: divided by blanks, held together by single or double quotes.
// A backslash is a backslash, as in TQL.

const WORD = /'([^']*)'|"([^"]*)"|[^\s'"]+/g;

/** A word may be made of parts: `a'b c'` is one. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let end = -1;
  for (const part of text.matchAll(WORD)) {
    const value = part[1] ?? part[2] ?? part[0];
    if (part.index === end) words[words.length - 1] += value;
    else words.push(value);
    end = part.index + part[0].length;
  }
  return words;
}
