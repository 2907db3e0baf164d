// The rows of a statement whose text the compiler knows: the names of its columns, as output-names.ts of the binder gives
// them. Types only. Where a text says more than this reads, rows have the open type, which is never wrong.
import type { JsonValue } from "../../contract/values.js";
import type { AnswerRow } from "./answer.js";

type Space = " " | "\n" | "\t" | "\r";
type Trimmed<T extends string> = T extends `${Space}${infer Rest}`
  ? Trimmed<Rest>
  : T extends `${infer Rest}${Space}`
    ? Trimmed<Rest>
    : T;

type Replaced<
  T extends string,
  From extends string,
  To extends string,
  Done extends string = "",
> = T extends `${infer Head}${From}${infer Rest}` ? Replaced<Rest, From, To, `${Done}${Head}${To}`> : `${Done}${T}`;

/** One line, so that words stand between spaces. */
type OneLine<T extends string> = Replaced<Replaced<Replaced<T, "\r", " ">, "\n", " ">, "\t", " ">;

/** The words as they are written mostly: `SELECT`, `select` and `Select` are read, other spellings are open. */
type Word<W extends string> = Uppercase<W> | Lowercase<W> | Capitalize<Lowercase<W>>;

/** The select list of a text that begins with SELECT: what stands before its first FROM. */
type SelectList<T extends string> = T extends `${Word<"SELECT">} ${infer Rest}`
  ? Rest extends `${infer List} ${Word<"FROM">} ${string}`
    ? ListBefore<List>
    : never
  : never;

/** The first of several FROMs may be spelt otherwise; and quotes, comments and brackets may hide commas. */
type ListBefore<List extends string> = List extends
  | `${string} ${Word<"FROM">} ${string}`
  | `${string}"${string}`
  | `${string}'${string}`
  | `${string}--${string}`
  | `${string}/*${string}`
  | `${string}[${string}`
  | `${string}{${string}`
  ? never
  : Trimmed<List> extends `${Word<"DISTINCT">} ${infer Rest}`
    ? Rest
    : List;

type Opened<T extends string, Depth extends readonly unknown[]> = T extends `${string}(${infer Rest}`
  ? Opened<Rest, readonly [...Depth, unknown]>
  : Depth;
type Closed<T extends string, Depth extends readonly unknown[]> = T extends `${string})${infer Rest}`
  ? Depth extends readonly [unknown, ...infer Less]
    ? Closed<Rest, Less>
    : never
  : Depth;

/** Items between commas that stand in no parentheses. */
type Items<
  List extends string,
  Item extends string = "",
  Found extends readonly string[] = [],
> = List extends `${infer Head},${infer Rest}`
  ? IsWhole<`${Item}${Head}`> extends true
    ? Items<Rest, "", readonly [...Found, `${Item}${Head}`]>
    : Items<Rest, `${Item}${Head},`, Found>
  : readonly [...Found, `${Item}${List}`];

type IsWhole<Item extends string> = Closed<Item, Opened<Item, []>> extends readonly [] ? true : false;

type Letter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z";
type NameSign = Letter | Uppercase<Letter> | "_" | "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

/** The text itself when it is a plain name. */
type PlainName<T extends string> = T extends "" ? never : AllSigns<T> extends true ? T : never;
type AllSigns<T extends string> = T extends `${infer Sign}${infer Rest}`
  ? Sign extends NameSign
    ? AllSigns<Rest>
    : false
  : T extends ""
    ? true
    : false;

type AfterLastAs<T extends string> = T extends `${string} ${Word<"AS">} ${infer Rest}` ? AfterLastAs<Rest> : T;
type AfterLastDot<T extends string> = T extends `${infer Head}.${infer Rest}`
  ? PlainName<Head> extends never
    ? never
    : AfterLastDot<Rest>
  : PlainName<T>;

/** The name of one item; never where this does not know it. */
type ItemName<Item extends string> = Item extends `${string} ${Word<"AS">} ${string}`
  ? PlainName<Trimmed<AfterLastAs<Item>>>
  : AfterLastDot<Item> extends never
    ? Item extends `${infer Head}(${string})`
      ? PlainName<Head> extends never
        ? never
        : IsCall<Item> extends true
          ? Lowercase<Head>
          : never
      : never
    : AfterLastDot<Item>;

/** One call and nothing else: `f(a)`, not `f(a) + g(b)`. Calls within calls are left open. */
type IsCall<Item extends string> = Item extends `${string}(${string}(${string}` ? false : true;

/** The names of all items, no two alike; never where one is not known. */
type Names<List extends readonly string[], Found extends string = never> = List extends readonly [
  infer Item extends string,
  ...infer Rest extends readonly string[],
]
  ? [ItemName<Trimmed<Item>>] extends [never]
    ? never
    : ItemName<Trimmed<Item>> extends Found
      ? never
      : Names<Rest, Found | ItemName<Trimmed<Item>>>
  : Found;

type ColumnNames<Text extends string> =
  SelectList<Trimmed<OneLine<Text>>> extends infer List extends string
    ? [List] extends [never]
      ? never
      : Items<List> extends infer Found extends readonly string[]
        ? Names<Found>
        : never
    : never;

/** The rows of a statement: its columns where the text is a literal that says them, any column otherwise. */
export type RowOf<Text extends string> = string extends Text
  ? AnswerRow
  : [ColumnNames<Text>] extends [never]
    ? AnswerRow
    : { readonly [Name in ColumnNames<Text>]: JsonValue };
