// Arguments of an operator in as few words as they can be read in: name, type, bounds and default of each, what is inside an
// object in braces. Arguments that every operator has are left out.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import type { ArgumentEntry } from "../../manual/arguments.js";
import { type ArgumentForm, type OperatorEntry, SHARED_ARGUMENTS } from "../../manual/entry.js";

/** All there is to tell, or what fits into a small context: names, and the types that names do not tell. */
export type Detail = "full" | "brief";

const INSIDE = /^(\[\])?\./;
/** Types that a brief text leaves out. */
const PLAIN = /^(string|integer|number|boolean|any JSON|object)(\[\])*\??$/;

/** The entries that are inside one, at any depth, with their names from there on. */
const below = (entries: readonly ArgumentEntry[], { name }: ArgumentEntry): ArgumentEntry[] =>
  entries
    .filter((entry) => entry.name.startsWith(name) && INSIDE.test(entry.name.slice(name.length)))
    .map((entry) => ({ ...entry, name: entry.name.slice(name.length).replace(INSIDE, "") }));

const outer = (entries: readonly ArgumentEntry[]): ArgumentEntry[] =>
  entries.filter(({ name }) => !name.includes(".") && !name.includes("["));

const ownOf = (entries: readonly ArgumentEntry[]): ArgumentEntry[] =>
  entries.filter(({ name }) => !SHARED_ARGUMENTS.includes(name));

/** Bounds on numbers and on short lists; those of long lists tell a planner nothing. */
function boundsOf({ bounds }: ArgumentEntry): string {
  const [, least, most] = /^(\d+) to (\d{1,5})(?: members)?$/.exec(bounds) ?? [];
  if (least !== undefined) return ` ${least}..${most}`;
  return bounds.startsWith("above ") ? ` >${bounds.slice("above ".length)}` : "";
}

const shortened = (type: string): string => type.replaceAll('"', "").replaceAll(" | ", "|").replaceAll(" or null", "?");

/** The default where it says something: neither null nor empty; a list of all words is "all". */
function presetOf({ isRequired, fallback, choices, type }: ArgumentEntry): string {
  if (isRequired || fallback === undefined || fallback === null) return "";
  const text = canonicalJson(fallback as JsonValue);
  if (text.length === 2) return "";
  const words = Object.keys(choices).length > 0 ? Object.keys(choices) : (type.match(/"[a-z_]+"/g) ?? []);
  const isAll = Array.isArray(fallback) && fallback.length > 1 && fallback.length === words.length;
  return isAll ? "=all" : `=${text.replaceAll('"', "")}`;
}

function argumentText(entry: ArgumentEntry, all: readonly ArgumentEntry[], detail: Detail): string {
  const { name, type, isRequired } = entry;
  const inside = below(all, entry);
  const title = `${name}${isRequired ? "*" : ""}`;
  if (inside.length > 0) {
    const outline = shortened(type.replace("object", `{${listText(inside, detail)}}`));
    return `${title}: ${outline}`;
  }
  const shown = shortened(type);
  // A window is a Window.
  const isTold = shown.toLowerCase() === name || shown.toLowerCase() === `${name}?`;
  const isLeftOut = isTold || (detail === "brief" && PLAIN.test(shown));
  const bounds = detail === "brief" ? "" : boundsOf(entry);
  return `${title}${isLeftOut ? "" : `: ${shown}${bounds}`}${presetOf(entry)}`;
}

const textsOf = (entries: readonly ArgumentEntry[], all: readonly ArgumentEntry[], detail: Detail): string[] =>
  outer(entries).map((entry) => argumentText(entry, all, detail));

const listText = (entries: readonly ArgumentEntry[], detail: Detail): string =>
  textsOf(entries, entries, detail).join("; ");

/** The arguments that at least half of the forms have alike. */
function commonOf(forms: readonly ArgumentForm[], detail: Detail): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { arguments: entries } of forms) {
    for (const text of textsOf(entries, entries, detail)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([text, count]) => (2 * count >= forms.length ? [text] : [])));
}

/** One line; or one for what most forms have, and one for each form. */
export function argumentsText({ forms }: OperatorEntry, detail: Detail): string {
  const [shared, ...several] = forms;
  if (several.length === 0) return `args ${listText(ownOf(shared!.arguments), detail)}`;
  const common = commonOf(several, detail);
  const lines = several.map(({ title, arguments: entries }) => {
    const texts = textsOf(ownOf(entries), entries, detail).filter((text) => !common.has(text));
    const words = shortened(title!).replace(/^.*?: /, "");
    return `  ${words}${texts.length === 0 ? "" : `: ${texts.join("; ")}`}`;
  });
  return [`args ${shared!.arguments[0]!.name}*; most have ${[...common].join("; ")}`, ...lines].join("\n");
}
