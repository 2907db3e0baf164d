// Bends statements: tokens dropped, doubled, swapped, replaced by tokens of other statements, literals and names changed.
// Knows tokens only roughly, so that it does not depend on the lexer it is meant to try.
import type { Random } from "../support/random.js";

const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\d+\.\d+|\$?\w+|->|<-|=>|<>|[<>!|]=|\|\||\S/gu;

const STRANGE: readonly string[] = [
  "NULL",
  "TRUE",
  "0",
  "-1",
  "9223372036854775807",
  "9223372036854775808",
  "9007199254740993",
  "1e308",
  "1e999",
  "0.1",
  "''",
  "'x'",
  "'tx:99'",
  "'P1M'",
  "'\u0000'",
  "'\u202E\u200B'",
  "'''; DROP TABLE e; --'",
  "DATE '2025-02-30'",
  "DATE '294000-01-01'",
  "TIMESTAMP '2025-03-30T02:30:00 Europe/Oslo'",
  "INTERVAL 'P1M'",
  "INTERVAL 'P300000Y'",
  "FOREVER",
  "CURRENT_TIMESTAMP",
  "[]",
  "[1, 'a']",
  "{a: 1}",
  "$p",
  "*",
  "(",
  ")",
  ",",
  ";",
  "__proto__",
  "constructor",
  '"a "" b"',
  "uid",
  "valid_time",
  "props",
  "COUNT(*)",
  "SUM(1)",
  "ROW_NUMBER() OVER ()",
  "(SELECT 1)",
  "x IN (SELECT uid FROM NODES)",
  "PERIOD(DATE '2025-01-01', DATE '2025-02-01')",
  "CASE WHEN 1 THEN 2 END",
  "CAST(1 AS STRING)",
  "DISTINCT",
  "LIMIT 0",
  "NOT",
  "FOR VALID_TIME ALL",
  "GROUP BY ALL",
  "UNION",
  "§",
];

/** Which changes happen how often: those that mostly still parse stand more than once. */
const CHANGES = [0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 7, 7, 7, 7] as const;

export const tokensOf = (text: string): string[] => text.match(TOKENS) ?? [];

export function mutated(text: string, others: readonly string[], random: Random): string {
  const tokens = tokensOf(text);
  for (let left = random.chance(1, 3) ? 3 : 1; left > 0 && tokens.length > 0; left -= 1) change(tokens, others, random);
  return tokens.join(" ");
}

function change(tokens: string[], others: readonly string[], random: Random): void {
  const kind = random.pick(CHANGES);
  // Names and literals are worth more than keywords and signs: what comes out is more often a statement.
  const telling = [...tokens.keys()].filter((i) => !/^(keyword|sign)$/.test(kindOf(tokens[i]!)));
  const at = kind > 3 && telling.length > 0 ? random.pick(telling) : random.below(tokens.length);
  const token = tokens[at]!;
  const donor = tokensOf(random.pick(others));
  switch (kind) {
    case 0:
      tokens.splice(at, 1);
      break;
    case 1:
      tokens.splice(at, 0, token);
      break;
    case 2: {
      const other = random.below(tokens.length);
      tokens[at] = tokens[other]!;
      tokens[other] = token;
      break;
    }
    case 3:
      tokens[at] = random.pick(STRANGE);
      break;
    case 4: {
      // A token of the same kind from another statement: most of what comes out still parses.
      const alike = donor.filter((one) => one !== token && kindOf(one) === kindOf(token));
      tokens[at] = alike.length === 0 ? random.pick(STRANGE) : random.pick(alike);
      break;
    }
    case 5: {
      const from = random.below(donor.length);
      tokens.splice(at, random.below(3), ...donor.slice(from, from + 1 + random.below(6)));
      break;
    }
    case 6:
      tokens[at] = bent(token, random);
      break;
    default: {
      const alike = tokens.filter((one) => one !== token && kindOf(one) === kindOf(token));
      tokens[at] = alike.length === 0 ? random.pick(STRANGE) : random.pick(alike);
    }
  }
}

function kindOf(token: string): string {
  if (/^\d/.test(token)) return "number";
  if (/^[A-Z_]+$/.test(token)) return "keyword";
  if (/^\w/.test(token)) return "name";
  return token[0] === "'" ? "string" : "sign";
}

/** Another number, another letter case, or a text with a letter less or a strange one more. */
function bent(token: string, random: Random): string {
  if (/^\d+$/.test(token)) return random.pick([`-${token}`, `${token}000`, `${token}.5`, "0", `'${token}'`]);
  if (/^\w+$/.test(token)) return random.pick([token.toUpperCase(), `"${token}"`, `${token}x`, `'${token}'`]);
  const at = random.below(token.length + 1);
  return token.slice(0, at) + random.pick(["", "é", "\u200B", "0", "'", "-"]) + token.slice(at + random.below(2));
}
