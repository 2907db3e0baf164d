// Mistakes that people make, each recognised by what stands around the wrong token. The first that fits is told.
import { isReserved } from "../keywords.js";
import { type Fault, syntaxFault } from "./fault.js";
import { FOREIGN } from "./foreign.js";
import { nearest } from "./near.js";
import { type Scene, shown, shownMark } from "./scene.js";

type Diagnosis = (scene: Scene) => Fault | null;

const upper = (scene: Scene): string => (scene.isWord(scene.found) ? scene.found!.image.toUpperCase() : "");

/** UPDATE, CREATE, MERGE: at the beginning, or where a write may stand. */
const foreignWord: Diagnosis = (scene) => {
  const word = upper(scene);
  const cure = Object.hasOwn(FOREIGN, word) ? FOREIGN[word]! : null;
  const mayWrite = scene.index === 0 || scene.expects(scene.words.word.INSERT);
  if (cure === null || !mayWrite) return null;
  const isOurs = Object.hasOwn(scene.words.word, word);
  const message = isOurs ? `${word} cannot begin a statement` : `TQL has no ${word}`;
  return syntaxFault("foreign_word", message, `write ${cure}`.replace(/^write (properties|one store|nothing)/, "$1"));
};

const limitComma: Diagnosis = (scene) => {
  const { word, mark, Integer, Parameter } = scene.words;
  if (!scene.is(scene.found, mark.Comma) || !scene.is(scene.back(1), Integer, Parameter)) return null;
  if (!scene.is(scene.back(2), word.LIMIT)) return null;
  return syntaxFault("limit_comma", "LIMIT takes one number", "LIMIT 10 OFFSET 5 leaves five rows out, then gives ten");
};

const pointAnd: Diagnosis = (scene) => {
  const { word } = scene.words;
  if (!scene.is(scene.found, word.AND)) return null;
  for (let i = scene.index - 1; i > 0; i--) {
    const token = scene.tokens[i];
    if (scene.is(token, word.FOR, word.DEFAULT, word.FROM, word.BETWEEN)) return null;
    if (!scene.is(token, word.OF) || !scene.is(scene.tokens[i - 1], word.AS)) continue;
    return syntaxFault("point_and", "AS OF takes one instant", "FROM a TO b leaves b out, BETWEEN a AND b takes it in");
  }
  return null;
};

const missingTo: Diagnosis = (scene) => {
  const { word } = scene.words;
  if (!scene.requires(word.TO)) return null;
  let from = scene.index - 1;
  while (from > 0 && !scene.is(scene.tokens[from], word.FROM)) from -= 1;
  const written = scene.since(scene.tokens[from]!);
  return syntaxFault(
    "missing_to",
    `expected TO after ${written}, found ${shown(scene.found)}`,
    `a range has two ends: ${written} TO <instant>, or TO FOREVER`,
  );
};

/** `(a)-[:T]->(b)` where an expression is read. */
const patternInWhere: Diagnosis = (scene) => {
  const { mark, Identifier } = scene.words;
  if (!scene.within("expr") || scene.within("node") || scene.within("inside")) return null;
  const isEdge =
    scene.is(scene.found, mark.Colon) &&
    (scene.follows(mark.Minus, mark.LeftBracket) || scene.follows(mark.Minus, mark.LeftBracket, Identifier));
  const isArrow = scene.is(scene.found, mark.Greater) && scene.follows(mark.Minus);
  const isNode =
    (scene.is(scene.found, mark.Colon) &&
      (scene.follows(mark.LeftParen, Identifier) || scene.follows(mark.LeftParen))) ||
    (scene.is(scene.found, mark.RightParen) &&
      scene.follows(mark.LeftParen) &&
      scene.is(scene.back(-1), mark.Minus, mark.Less)) ||
    (scene.is(scene.found, mark.LeftBrace) && scene.follows(mark.LeftParen, Identifier));
  if (!isEdge && !isArrow && !isNode) return null;
  return syntaxFault(
    "pattern_in_where",
    "a pattern is not a value",
    "write EXISTS { (a)-[:T]->(b) }, or COUNT { … } for how many",
  );
};

const positional: Diagnosis = (scene) => {
  const { mark } = scene.words;
  const isArgument = scene.expected.some((one) => one.slot === "argument");
  if (scene.found === null || !(scene.requires(mark.Gives) || isArgument)) return null;
  if (scene.is(scene.found, mark.RightParen, mark.Comma) && isArgument) return null;
  const isSign = scene.is(scene.found, mark.Colon, mark.Equal);
  return syntaxFault(
    "positional",
    isSign ? `${scene.found.image} does not give an argument its value` : "arguments have names",
    `write name => value; SHOW OPERATOR shows the names`,
  );
};

const cypherWith: Diagnosis = (scene) => {
  const { word } = scene.words;
  if (!scene.is(scene.found, word.WITH) || !scene.expects(word.RETURN)) return null;
  return syntaxFault(
    "cypher_with",
    "WITH names a step at the start of a statement",
    "WITH s AS (MATCH … RETURN …) SELECT … FROM s, or MATCH … RETURN …, COUNT(*) … GROUP BY … HAVING …",
  );
};

const unclosedBracket: Diagnosis = (scene) => {
  const open = scene.openBracket();
  if (open === null || !scene.expects(scene.words.mark[open.closing])) return null;
  if (scene.found !== null && !scene.isReservedToken(scene.found)) return null;
  const { startLine, startColumn, image } = open.token;
  return syntaxFault(
    "unclosed",
    `${image} opened at line ${startLine}, column ${startColumn} is not closed before ${shown(scene.found)}`,
    `close it with ${shownMark(open.closing)}`,
  );
};

const noReturn: Diagnosis = (scene) => {
  if (scene.found !== null || !scene.expects(scene.words.word.RETURN)) return null;
  return syntaxFault(
    "no_return",
    "a MATCH ends in RETURN or in a write",
    "add RETURN …, or SET, REMOVE, DELETE, INSERT, ERASE",
  );
};

/** A reserved word where nothing but a name may stand, or where it is used like one. */
const reservedWord: Diagnosis = (scene) => {
  const { found } = scene;
  const { mark, word, Name } = scene.words;
  if (!scene.isReservedToken(found) || !scene.expects(Name)) return null;
  const next = scene.back(-1);
  const usedLikeName =
    next === undefined ||
    scene.is(
      next,
      mark.Comma,
      mark.Dot,
      mark.RightParen,
      mark.Equal,
      word.AS,
      word.FROM,
      mark.Colon,
      mark.RightBracket,
    );
  if (!scene.requires(Name) && !usedLikeName) return null;
  const name = found!.image;
  return syntaxFault("reserved", `${name.toUpperCase()} is reserved`, `to use it as a name, quote it: "${name}"`);
};

const stringAsName: Diagnosis = (scene) => {
  const { found } = scene;
  const { Name, AnyName, String: Text } = scene.words;
  if (!scene.is(found, Text) || !(scene.requires(Name) || scene.requires(AnyName))) return null;
  const name = found!.payload as string;
  const quoted = `"${name.replaceAll('"', '""')}"`;
  return syntaxFault(
    "string_as_name",
    `${shown(found)} is a string, not a name`,
    `names take double quotes: ${quoted}`,
  );
};

const trailingComma: Diagnosis = (scene) => {
  const { mark } = scene.words;
  if (!scene.follows(mark.Comma)) return null;
  const endsList = scene.found === null || scene.isReservedToken(scene.found);
  const closes = scene.is(scene.found, mark.RightParen, mark.RightBracket, mark.RightBrace);
  if (scene.found === null || !(endsList || closes)) return null;
  return syntaxFault(
    "trailing_comma",
    `a comma stands before ${shown(scene.found)}`,
    "take it out, or add what is missing",
  );
};

const SIGNS: Readonly<Record<string, string>> = {
  "==": "=",
  "&&": "AND",
  "=!": "<>",
  "=~": "LIKE",
  "**": "POWER(x, n)",
};

const foreignOperator: Diagnosis = (scene) => {
  const neighbours = [scene.back(1), scene.found, scene.back(-1)];
  for (const [i, left] of neighbours.slice(0, 2).entries()) {
    const right = neighbours[i + 1];
    if (left === undefined || left === null || left.endOffset + 1 !== right?.startOffset) continue;
    const written = `${left.image}${right.image}`;
    if (!Object.hasOwn(SIGNS, written)) continue;
    return syntaxFault("foreign_operator", `TQL has no ${written}`, `write ${SIGNS[written]}`);
  }
  return null;
};

const bareFraction: Diagnosis = (scene) => {
  const { mark, Integer } = scene.words;
  if (!scene.is(scene.found, mark.Dot) || !scene.is(scene.back(-1), Integer)) return null;
  const digits = scene.back(-1)!.image;
  return syntaxFault("number", `.${digits} is no number`, `write 0.${digits}`);
};

/** A word that is nearly one that may stand here. */
const misspelt: Diagnosis = (scene) => {
  const { found } = scene;
  if (!scene.isWord(found)) return null;
  const plain = found!.image.normalize("NFKC");
  const own = scene.isKeyword(found) ? found!.tokenType.name : null;
  const near = nearest(plain, scene.keywords()).filter((word) => word !== own);
  if (near.length === 0) return null;
  const isLookalike = plain !== found!.image && near[0] === plain.toUpperCase();
  const message = isLookalike ? `${found!.image} only looks like ${near[0]}` : `unknown word '${found!.image}'`;
  return syntaxFault("misspelt", message, `did you mean ${near.join(" or ")}?`);
};

/** The word before the wrong one was taken for a name, but is nearly a keyword that could have stood there. */
const misspeltBefore: Diagnosis = (scene) => {
  const before = scene.back(1);
  if (scene.found === null || !scene.is(before, scene.words.Identifier)) return null;
  const near = nearest(before!.image, scene.keywordsBefore());
  if (near.length === 0) return null;
  const message = `${shown(scene.found)} cannot follow ${before!.image}`;
  return syntaxFault("misspelt", message, `did you mean ${near.join(" or ")} instead of ${before!.image}?`);
};

const missingComma: Diagnosis = (scene) => {
  const { found } = scene;
  const { mark, String: Text, Integer, Number: Double, Parameter } = scene.words;
  if (!scene.expects(mark.Comma)) return null;
  const begins = scene.isName(found) || scene.is(found, Text, Integer, Double, Parameter);
  if (!begins) return null;
  const isItem = scene.expects(scene.words.word.AS) && scene.within("items");
  const hint = isItem && scene.isName(found) ? `a comma before it, or AS ${found!.image}` : "a comma before it";
  return syntaxFault(
    "missing_comma",
    `${shown(found)} cannot follow ${isItem ? "an item" : "here"} without a comma`,
    hint,
  );
};

const incomplete: Diagnosis = (scene) => (scene.found === null ? syntaxFault("incomplete", "", "") : null);

export const DIAGNOSES: readonly Diagnosis[] = [
  foreignWord,
  limitComma,
  pointAnd,
  patternInWhere,
  positional,
  cypherWith,
  reservedWord,
  unclosedBracket,
  missingTo,
  noReturn,
  trailingComma,
  stringAsName,
  foreignOperator,
  bareFraction,
  misspelt,
  misspeltBefore,
  missingComma,
  incomplete,
];

/** Words near a wrong one, for programs. */
export function nearWords(scene: Scene): string[] {
  if (!scene.isWord(scene.found) || isReserved(scene.found!.image)) return [];
  return nearest(scene.found!.image.normalize("NFKC"), scene.keywords());
}
