// A rendered text as a reader sees it: markup of its medium taken away, and what should never have been in it told.

export type ReadMedium = "plain" | "terminal" | "markdown" | "html";

export interface Read {
  readonly text: string;
  /** Raw markup, controls, and characters that hide or turn text. */
  readonly raw: readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: line ends are the only controls that a text may have
const HIDING = /(?!\u000a)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** How a text of the store is to be shown, before any medium: hiding characters as escapes, 128 code points unless said. */
export function visible(text: string, most = 128): string {
  const points = [...text];
  const cut = points.length > most ? `${points.slice(0, most).join("")}… (+${points.length - most})` : text;
  const hides = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  return cut.replace(hides, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function readHtml(text: string): Read {
  const raw: string[] = [];
  const withoutCode = text.replace(/<\/?code>/g, "\u0001");
  for (const [tag] of withoutCode.matchAll(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/g)) raw.push(tag);
  const read = withoutCode.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);
  return { text: read.replaceAll("\u0001", "`"), raw };
}

/** Code spans become single back-quotes; what is escaped stands for itself, and the rest may not be markup. */
function readMarkdown(text: string): Read {
  const raw: string[] = [];
  let read = "";
  for (let i = 0; i < text.length; ) {
    const fence = /^`+/.exec(text.slice(i))?.[0];
    if (text[i] === "\\" && i + 1 < text.length) {
      read += text[i + 1];
      i += 2;
    } else if (fence !== undefined) {
      const end = text.indexOf(fence, i + fence.length);
      if (end < 0) raw.push(fence);
      const inside = text.slice(i + fence.length, end < 0 ? text.length : end);
      read += `\`${fence.length > 1 ? inside.slice(1, -1) : inside}\``;
      i = end < 0 ? text.length : end + fence.length;
    } else {
      // An underscore inside a word is no markup.
      const isWord = text[i] === "_" && /\w_\w/.test(text.slice(Math.max(0, i - 1), i + 2));
      if (/[*_[\]<>#|~]/.test(text[i]!) && !isWord) raw.push(text[i]!);
      read += text[i];
      i += 1;
    }
  }
  return { text: read, raw };
}

export function readMedium(text: string, medium: ReadMedium): Read {
  const hiding = Array.from(text.matchAll(HIDING), ([character]) => `U+${character.codePointAt(0)!.toString(16)}`);
  const read = medium === "html" ? readHtml(text) : medium === "markdown" ? readMarkdown(text) : { text, raw: [] };
  return { text: read.text, raw: [...hiding, ...read.raw] };
}
