// What a model may write in the TQL front as one grammar, in the notation of GBNF that xgrammar and llama.cpp read: the object
// with its three members, and in it one statement of TQL that reads. Names of operators, functions and answers are those that
// there are; names of columns, types and arguments are free.
import { isReserved, RESERVED } from "../../../../grammar/index.js";
import { operatorNames } from "../../../operators/registry.js";
import { ANSWER_KINDS, MOST_FURTHER_PARTS } from "../../../plan/schema.js";
import { FUNCTION_TABLE } from "../../../relational/index.js";
import { EXPRESSIONS } from "./expressions.js";
import { otherNames } from "./other-names.js";
import { PATTERNS } from "./patterns.js";
import { QUERIES } from "./queries.js";
import { TOKENS } from "./tokens.js";

// Lengths of texts are not counted: a bound of 600 characters cost xgrammar up to a second for each token.
const OBJECT = String.raw`
root ::= "{" ws "\"thought\":" ws thought "," ws "\"tql\":" ws "\"" statement "\"" ws "," ws "\"answer\":" ws answer ws "}"
thought ::= "\"" json-char* "\"" ws
answer ::= "{" ws part (ws "," ws "\"also\":" ws also)? ws "}"
also ::= "[" ws (closed-part (ws "," ws closed-part){0,${MOST_FURTHER_PARTS - 1}})? ws "]"
closed-part ::= "{" ws part ws "}"
part ::= "\"kind\":" ws "\"" kind "\"" ws "," ws "\"from\":" ws "\"" json-char+ "\""
json-char ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9A-Fa-f]{4})
ws ::= "\n"? " "{0,8}
`;

const choice = (rule: string, words: readonly string[]): string =>
  `${rule} ::= ${words.map((word) => `"${word}"`).join(" | ")}`;

/** A name that is reserved has to be quoted, inside of JSON. */
const operator = (name: string): string => (isReserved(name) ? String.raw`\\\"${name}\\\"` : name);

const WORDS = [
  choice("kind", ANSWER_KINDS),
  choice("operator", operatorNames().map(operator)),
  choice(
    "function",
    FUNCTION_TABLE.map(({ name }) => name),
  ),
].join("\n");

let made: string | null = null;

/** The grammar of answers in the TQL front. */
export function tqlGrammar(): string {
  made ??= [OBJECT, WORDS, QUERIES, EXPRESSIONS, PATTERNS, TOKENS, otherNames(RESERVED)]
    .map((rules) => rules.trim().replace(/\n\s+/g, " "))
    .join("\n");
  return made;
}
