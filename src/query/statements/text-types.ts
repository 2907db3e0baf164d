// Texts that the compiler knows, taken apart: words, names and parentheses. Types only; knows nothing of statements.

type Space = " " | "\n" | "\t" | "\r";
export type Trimmed<T extends string> = T extends `${Space}${infer Rest}`
  ? Trimmed<Rest>
  : T extends `${infer Rest}${Space}`
    ? Trimmed<Rest>
    : T;

export type Replaced<
  T extends string,
  From extends string,
  To extends string,
  Done extends string = "",
> = T extends `${infer Head}${From}${infer Rest}` ? Replaced<Rest, From, To, `${Done}${Head}${To}`> : `${Done}${T}`;

/** One line, so that words stand between spaces. */
export type OneLine<T extends string> = Replaced<Replaced<Replaced<T, "\r", " ">, "\n", " ">, "\t", " ">;

/** The words as they are written mostly: `SELECT`, `select` and `Select` are read, other spellings are open. */
export type Word<W extends string> = Uppercase<W> | Lowercase<W> | Capitalize<Lowercase<W>>;

type Opened<T extends string, Depth extends readonly unknown[]> = T extends `${string}(${infer Rest}`
  ? Opened<Rest, readonly [...Depth, unknown]>
  : Depth;
type Closed<T extends string, Depth extends readonly unknown[]> = T extends `${string})${infer Rest}`
  ? Depth extends readonly [unknown, ...infer Less]
    ? Closed<Rest, Less>
    : never
  : Depth;

export type IsWhole<Item extends string> = Closed<Item, Opened<Item, []>> extends readonly [] ? true : false;

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
export type PlainName<T extends string> = T extends "" ? never : AllSigns<T> extends true ? T : never;
type AllSigns<T extends string> = T extends `${infer Sign}${infer Rest}`
  ? Sign extends NameSign
    ? AllSigns<Rest>
    : false
  : T extends ""
    ? true
    : false;
