// How many places a text takes in a terminal, and texts made safe and short enough for one line of it.
// Widths are those of UAX 11 in outline: a terminal that draws otherwise shows columns a little off, nothing worse.

/** Ranges of code points that are drawn two places wide. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
const MARK = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Texts in which every character takes one place: nearly all. */
const PLAIN = /^[\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2190-\u2bff]*$/;

function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (MARK.test(character)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text in at most `width` places; what is cut off shows as `…`. */
export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let taken = 1;
  for (const character of text) {
    taken += widthOf(character);
    if (taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padTo(text: string, width: number, side: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return side === "right" ? blanks + text : text + blanks;
}

/** Characters that would move the cursor, change colours, break the line, or turn the reading direction around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a terminal
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Stored text as it may be shown: no text of a store can steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (found) => SHORT[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
