// How text of the store is shown in a medium: escaped, cut, and with characters that would hide or turn text made visible.
// The only way in which a name or a text of the store reaches an answer.

/** `json` is for programs: texts are as the store has them, and it is JSON that escapes what hides. */
export const MEDIA = ["plain", "terminal", "markdown", "html", "json"] as const;
export type Medium = (typeof MEDIA)[number];

const LONGEST_TEXT = 128;
/** Controls, separators, bidi, zero-width, tag and private characters, lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const codePoint = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const MARKDOWN = /[\\`*_{}[\]()#+\-.!|<>~&:/@]/g;

/** The text at most so many code points long, what was cut told. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  const points = [...text];
  return points.length <= longest ? text : `${points.slice(0, longest).join("")}… (+${points.length - longest})`;
}

/** The text on one line, without what hides or turns text. */
export const withoutHidden = (text: string): string => text.replace(HIDDEN, " ").replace(/\s+/gu, " ").trim();

const visible = (text: string, medium: Medium): string => (medium === "json" ? text : text.replace(HIDDEN, codePoint));

function inMedium(text: string, medium: Medium): string {
  if (medium === "html") return text.replace(/[&<>"']/g, (character) => HTML[character]!);
  if (medium === "markdown") return text.replace(MARKDOWN, "\\$&");
  // A name with back-quotes would show an id that is not its own.
  return medium === "json" ? text : text.replaceAll("`", codePoint);
}

/** A text of the store in running words. */
export const shownText = (text: string, medium: Medium, longest = LONGEST_TEXT): string =>
  inMedium(visible(cutText(text, longest), medium), medium);

/** A uid, set apart from words. */
export function shownCode(text: string, medium: Medium): string {
  const safe = visible(cutText(text), medium);
  if (medium === "html") return `<code>${inMedium(safe, "html")}</code>`;
  // A back-quote in a uid would end its code, and what follows would read as our words.
  if (medium === "plain" || medium === "terminal") return `\`${inMedium(safe, medium)}\``;
  // A code span is fenced by more back-quotes than it holds.
  const longest = Math.max(0, ...Array.from(safe.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${safe}${fence}` : `${fence} ${safe} ${fence}`;
}

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The same JSON with everything that hides or turns text as an escape of JSON: harmless where a terminal shows it. */
export const escapedJson = (json: string): string =>
  json.replace(HIDDEN, (character) => character.split("").map(unitEscape).join(""));
