// Functions of texts, by code point: LENGTH LOWER UPPER TRIM LTRIM RTRIM SUBSTRING REPLACE SPLIT LPAD RPAD CONCAT.
import type { Bound, CallNode } from "../bound.js";
import { call, plain } from "../nodes.js";
import { INT, listOf, STRING } from "../types.js";
import { anInt, aText, type ScalarRule, type Site, scalar, wrongArgument } from "./rule.js";
import { once, raise } from "./sql.js";

/**
 * DuckDB makes texts of 2,048 rows at once, outside of its memory limit and without looking for an interrupt: what makes
 * much of little may make this much of it, and no text that is computed is longer than the largest version
 * (docs/contract.md "Limits").
 */
const LONGEST_PADDED = 1 << 16;
const LONGEST_BYTES = 1 << 20;
const TOO_LONG = raise("E_LIMIT", "a text is too long");

/** Simple case mapping; DuckDB makes U+1E9E of ß, which the mapping of Unicode leaves alone. */
export const lowerSql = (text: string): string => `lower(${text})`;
const upperSql = (text: string): string =>
  once([text], ([x]) => {
    const parts = `list_transform(string_split(${x}, 'ß'), lambda part: upper(part))`;
    return `CASE WHEN contains(${x}, 'ß') THEN array_to_string(${parts}, 'ß') ELSE upper(${x}) END`;
  });

const texts = (site: Site): readonly Bound[] => site.args.map((_, i) => aText(site, i));

function length(site: Site): Bound {
  const [arg] = site.args as [Bound];
  switch (arg.type.kind) {
    case "string":
    case "null":
      return plain("length", INT, [arg]);
    case "list":
      return call("length_list", INT, [arg], ([x]) => `len(${x})`);
    case "json":
      return call("length_json", INT, [arg], ([x]) =>
        once([x!], ([j]) => `CASE WHEN json_type(${j}) = 'ARRAY' THEN json_array_length(${j})::BIGINT END`),
      );
    default:
      throw wrongArgument(site, 0, "a string or a list");
  }
}

const trim =
  (sqlName: string) =>
  (site: Site): Bound =>
    plain(sqlName, STRING, texts(site));

function substring(site: Site): Bound {
  const args = [aText(site, 0), ...site.args.slice(1).map((_, i) => anInt(site, i + 1))];
  return plain("substring", STRING, args);
}

/** Texts one behind the other, of `whole` made of them: NULLs count for nothing. */
const joinedSql = (texts: readonly string[], whole: (texts: readonly string[]) => string): string =>
  once(texts, (parts) => {
    const bytes = parts.map((part) => `coalesce(strlen(${part}), 0)`).join(" + ");
    return `CASE WHEN ${bytes} > ${LONGEST_BYTES} THEN ${TOO_LONG} ELSE ${whole(parts)} END`;
  });

const isJoining = (node: Bound): node is CallNode => node.kind === "call" && node.name === "||" && node.type === STRING;

/** The operator || of texts; a chain of them is one call. */
export function joinedTexts(a: Bound, b: Bound): Bound {
  const parts = [a, b].flatMap((node) => (isJoining(node) ? node.args : [node]));
  return call("||", STRING, parts, (texts) => joinedSql(texts, (given) => `(${given.join(" || ")})`));
}

const concat = (site: Site): Bound =>
  call("concat", STRING, texts(site), (given) => joinedSql(given, (parts) => `concat(${parts.join(", ")})`));

/** Only a longer text in the place of a shorter one grows. */
const replace = (site: Site): Bound =>
  call("replace", STRING, texts(site), (given) =>
    once(given, ([text, what, by]) => {
      const found = `(strlen(${text}) - strlen(replace(${text}, ${what}, ''))) // greatest(1, strlen(${what}))`;
      const bytes = `strlen(${text}) + ${found} * (strlen(${by}) - strlen(${what}))`;
      const mayGrow = `strlen(${by}) > strlen(${what}) AND strlen(${text}) * strlen(${by}) > ${LONGEST_BYTES}`;
      return `CASE WHEN ${mayGrow} AND ${bytes} > ${LONGEST_BYTES} THEN ${TOO_LONG} ELSE replace(${text}, ${what}, ${by}) END`;
    }),
  );

const padding =
  (sqlName: string) =>
  (site: Site): Bound => {
    const fill = site.args.length > 2 ? [aText(site, 2)] : [];
    return call(sqlName, STRING, [aText(site, 0), anInt(site, 1), ...fill], ([text, length, with_ = "' '"]) =>
      once([length!], ([n]) => {
        const short = `CASE WHEN ${n} <= ${LONGEST_PADDED} THEN ${n}::INTEGER ELSE ${TOO_LONG} END`;
        return `${sqlName}(${text}, ${short}, ${with_})`;
      }),
    );
  };

export const TEXT_RULES: readonly ScalarRule[] = [
  scalar("LENGTH", "LENGTH(string) → INT64, code points; LENGTH(list) → its members", 1, 1, length),
  scalar("LOWER", "LOWER(string) → STRING, by simple case mapping", 1, 1, (site) =>
    call("lower", STRING, texts(site), ([x]) => lowerSql(x!)),
  ),
  scalar("UPPER", "UPPER(string) → STRING, by simple case mapping", 1, 1, (site) =>
    call("upper", STRING, texts(site), ([x]) => upperSql(x!)),
  ),
  scalar("TRIM", "TRIM(string [, characters]) → STRING without spaces at its ends", 1, 2, trim("trim")),
  scalar("LTRIM", "LTRIM(string [, characters]) → STRING", 1, 2, trim("ltrim")),
  scalar("RTRIM", "RTRIM(string [, characters]) → STRING", 1, 2, trim("rtrim")),
  scalar("SUBSTRING", "SUBSTRING(string, from [, length]) → STRING, the first is 1", 2, 3, substring),
  scalar("REPLACE", "REPLACE(string, what, with) → STRING", 3, 3, replace),
  scalar("SPLIT", "SPLIT(string, separator) → LIST(STRING)", 2, 2, (site) =>
    plain("string_split", listOf(STRING), texts(site)),
  ),
  scalar("LPAD", "LPAD(string, length [, with]) → STRING", 2, 3, padding("lpad")),
  scalar("RPAD", "RPAD(string, length [, with]) → STRING", 2, 3, padding("rpad")),
  scalar("CONCAT", "CONCAT(string, …) → STRING; NULLs are left out", 1, Number.POSITIVE_INFINITY, concat),
];
