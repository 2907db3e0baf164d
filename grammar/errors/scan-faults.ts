// What the scanner says of what it cannot read: characters that only look like the right ones, numbers, open quotes, short edges.
import { type Fault, syntaxFault } from "./fault.js";

const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "/*": "*/" };
const OPENED: Readonly<Record<string, string>> = {
  "'": "a string",
  '"': "a quoted name",
  "`": "a quoted name",
  "/*": "a comment",
};

export const unclosed = (mark: string, line: number, column: number): Fault =>
  syntaxFault(
    "unclosed",
    `${OPENED[mark]} that begins at line ${line}, column ${column} has no end`,
    `close it with ${CLOSING[mark]}${mark === "/*" ? "" : `; a ${mark} inside is written twice`}`,
  );

export function bareEdge(leftward: boolean): Fault {
  const shown = leftward ? "(a)<-[]-(b), (a)<-(b), (a)-(b)" : "(a)-[]->(b), (a)->(b), (a)-(b)";
  return syntaxFault("bare_edge", "-- begins a comment; an edge has one -", `write ${shown}`);
}

export function badNumber(image: string): Fault {
  if (/^\d+$/.test(image)) {
    const shown = image.length > 40 ? `${image.slice(0, 40)}…` : image;
    return syntaxFault(
      "integer_range",
      `${shown} is beyond 9223372036854775807, the largest integer`,
      "write it with a point for a DOUBLE, or quote it as a string",
    );
  }
  if (image.endsWith(".")) {
    return syntaxFault("number", `${image} is no number`, `write ${image}0 or ${image.slice(0, -1)}`);
  }
  if (/^\d[\d_]*_\d+$/.test(image)) {
    return syntaxFault("number", `${image} is no number`, `write ${image.replaceAll("_", "")}`);
  }
  if (/^[\d.]+[eE][+-]?\d+$/.test(image)) {
    return syntaxFault("number", `${image} is beyond the largest DOUBLE`, "write a smaller number");
  }
  const shown = image.length > 40 ? `${image.slice(0, 40)}…` : image;
  return syntaxFault("number", `${shown} is no number and no name`, "a name begins with a letter or _; or quote it");
}

/** Characters that stand for another one in running text, and what TQL wants. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ..."‘’‚‛′".split("").map((c): [string, string] => [c, "'"]),
  ..."“”„‟″«»".split("").map((c): [string, string] => [c, "' for a string, or \" for a name"]),
  ..."‐‑‒–—―−".split("").map((c): [string, string] => [c, "-"]),
  ..."→⟶➔".split("").map((c): [string, string] => [c, "->"]),
  ..."←⟵".split("").map((c): [string, string] => [c, "<-"]),
  ["≤", "<="],
  ["≥", ">="],
  ["≠", "<>"],
  ["×", "*"],
  ["÷", "/"],
  ["…", ".."],
]);

const INVISIBLE = /^[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\u0085]$/u;

export function badCharacter(text: string, what: string | null): Fault {
  if (what !== null) {
    if (text === "$") return syntaxFault("bad_character", "$ is not followed by a name", "write a parameter as $name");
    return syntaxFault("bad_character", `the text holds ${what}`, "take it out, or send the value as a parameter");
  }
  const number = `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  if (INVISIBLE.test(text)) {
    const blank = /^\p{Zs}$/u.test(text);
    const cure = blank ? "write an ordinary blank" : "take it out";
    return syntaxFault(
      "lookalike",
      `${number} is ${blank ? "a blank of another kind" : "an invisible character"}`,
      cure,
    );
  }
  const folded = text.normalize("NFKC");
  const plain = LOOKALIKES.get(text) ?? (folded !== text && /^[!-~]$/.test(folded) ? folded : null);
  if (plain !== null) return syntaxFault("lookalike", `${text} (${number}) is not a mark of TQL`, `write ${plain}`);
  const shown = /^[\p{Cc}\p{Cs}\p{Co}\p{Cn}]$/u.test(text) ? number : `${text} (${number})`;
  return syntaxFault("bad_character", `${shown} has no place here`, "take it out, or put it in quotes");
}
