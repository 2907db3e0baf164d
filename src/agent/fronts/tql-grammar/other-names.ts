// Rules for names that are none of some words: what a grammar has no sign for is written out, letter by letter. States that
// the same endings lead away from are one rule.

/** What names are made of, in the order of codes; letters stand for both their cases. */
const FIRST = "_abcdefghijklmnopqrstuvwxyz";
const FURTHER = `0123456789${FIRST}`;

/** A class of characters, neighbours as ranges. */
function classOf(characters: readonly string[]): string {
  const codes = characters.flatMap((each) => [...new Set([each.toUpperCase(), each])].map((one) => one.charCodeAt(0)));
  const runs: [from: number, to: number][] = [];
  for (const code of codes.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else runs.push([code, code]);
  }
  const parts = runs.map(([from, to]) => {
    const [first, last] = [String.fromCharCode(from), String.fromCharCode(to)];
    return from === to ? first : `${first}-${last}`;
  });
  return `[${parts.join("")}]`;
}

class Rules {
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();

  /** The rule for what may stand behind the beginning of words that end in these ways; an empty ending: one ends here. */
  after(endings: readonly string[], alphabet = FURTHER): string {
    const key = endings.join(" ");
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = this.names.size === 0 ? "bare-name" : `bare-name-${this.names.size}`;
    this.names.set(key, name);
    const next = new Map<string, string[]>();
    for (const ending of endings) {
      const [first] = ending;
      if (first !== undefined) next.set(first, [...(next.get(first) ?? []), ending.slice(1)]);
    }
    const free = [...alphabet].filter((each) => !next.has(each));
    const ways = Array.from(next, ([first, rest]) => {
      const isEnd = rest.length === 1 && rest[0] === "";
      return `${classOf([first])} ${isEnd ? "word-char+" : this.after(rest)}`;
    });
    const all = [`${classOf(free)} word-char*`, ...ways].join(" | ");
    const hasToGoOn = alphabet === FIRST || endings.includes("");
    this.lines.push(`${name} ::= ${hasToGoOn ? all : `(${all})?`}`);
    return name;
  }
}

/** Rules `bare-name` and what it needs: names of ASCII that are none of the words, whatever their case. */
export function otherNames(words: readonly string[]): string {
  const rules = new Rules();
  rules.after(words.map((word) => word.toLowerCase()).sort(), FIRST);
  return rules.lines.reverse().join("\n");
}
