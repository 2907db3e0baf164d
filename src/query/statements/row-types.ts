// The rows of a statement whose text the compiler knows: the names of its columns, as output-names.ts of the binder gives
// them, and what each may hold. Types only. Where a text says more than this reads, rows have the open type, which is
// never wrong.
import type { JsonValue } from "../../contract/values.js";
import type { AnswerRow } from "./answer.js";
import type { IsWhole, OneLine, PlainName, Replaced, Trimmed, Word } from "./text-types.js";
import type { ColumnsOf, ValueOf } from "./value-types.js";

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

/** What stands before the name that an item gives itself. */
type Expression<Item extends string, Name extends string> = Item extends `${infer Of} ${Word<"AS">} ${Name}`
  ? Trimmed<Of>
  : Item;

type ItemValue<Item extends string, Columns> = ValueOf<Expression<Item, ItemName<Item>>, Columns>;

/** What each item may hold; none are known beside a star, which is any number of columns. */
type Values<List extends readonly string[], Columns, Found extends readonly unknown[] = []> = List extends readonly [
  infer Item extends string,
  ...infer Rest extends readonly string[],
]
  ? Item extends `${string}*`
    ? readonly []
    : Values<Rest, Columns, readonly [...Found, ItemValue<Trimmed<Item>, Columns>]>
  : Found;

/** A row of all items, no two of one name; never where a name is not known. What has no value in the list may be any. */
type Row<List extends readonly string[], Known extends readonly unknown[], Found = unknown> = List extends readonly [
  infer Item extends string,
  ...infer Rest extends readonly string[],
]
  ? [ItemName<Trimmed<Item>>] extends [never]
    ? never
    : ItemName<Trimmed<Item>> extends keyof Found
      ? never
      : Row<Rest, Others<Known>, Found & { readonly [Name in ItemName<Trimmed<Item>>]: First<Known> }>
  : { readonly [Name in keyof Found]: Found[Name] };

type First<Known extends readonly unknown[]> = Known extends readonly [infer Value, ...unknown[]] ? Value : JsonValue;
type Others<Known extends readonly unknown[]> = Known extends readonly [unknown, ...infer Rest] ? Rest : readonly [];

// ---------------------------------------------------------------- set operations

type SetWord = "union" | "except" | "intersect";
/** What may hide a word. */
type Hides = "'" | '"' | "--" | "/*";

/** One spelling of one word, as each of them parts two operands. */
type Parted<T extends string> = Spelt<Spelt<Spelt<T, "except">, "intersect">, "union">;
type Spelt<T extends string, Name extends SetWord> = Replaced<
  Replaced<Replaced<T, ` ${Uppercase<Name>} `, " union ">, ` ${Capitalize<Name>} `, " union ">,
  ` ${Name} `,
  " union "
>;

/** Never where a word stands in parentheses. */
type Operands<T extends string> = T extends `${infer Left} union ${infer Right}`
  ? IsWhole<Left> extends true
    ? [Operands<Right>] extends [never]
      ? never
      : readonly [Left, ...Operands<Right>]
    : never
  : readonly [T];

/** A set of rows may have what any of its operands has at that place. */
type ValuesOfSet<Selects extends readonly string[]> = Selects extends readonly [infer Select extends string]
  ? ValuesOfSelect<Select>
  : Selects extends readonly [infer Select extends string, ...infer Rest extends readonly string[]]
    ? Either<ValuesOfSelect<Select>, ValuesOfSet<Rest>>
    : readonly [];
type ValuesOfSelect<Text extends string> = Text extends `${Word<"ALL"> | Word<"DISTINCT">} ${infer Select}`
  ? ValuesOfSelect<Trimmed<Select>>
  : SelectList<Text> extends infer List extends string
    ? [List] extends [never]
      ? readonly []
      : Values<Items<List>, ColumnsOf<Text>>
    : readonly [];
type Either<A extends readonly unknown[], B extends readonly unknown[]> = A extends readonly [
  infer Left,
  ...infer Lefts,
]
  ? B extends readonly [infer Right, ...infer Rights]
    ? readonly [Left | Right, ...Either<Lefts, Rights>]
    : readonly []
  : readonly [];

type ValuesOfLine<Line extends string> =
  Lowercase<Line> extends `${string} ${SetWord} ${string}`
    ? Line extends `${string}${Hides}${string}`
      ? readonly []
      : [Operands<Parted<Line>>] extends [never]
        ? readonly []
        : Lowercase<Operands<Parted<Line>>[number]> extends `${string} ${SetWord} ${string}`
          ? readonly []
          : ValuesOfSet<Operands<Parted<Line>>>
    : ValuesOfSelect<Line>;

type RowOfLine<Line extends string> =
  SelectList<Line> extends infer List extends string
    ? [List] extends [never]
      ? never
      : Row<Items<List>, ValuesOfLine<Line>>
    : never;

/** The rows of a statement: its columns where the text is a literal that says them, any column otherwise. */
export type RowOf<Text extends string> = string extends Text
  ? AnswerRow
  : [RowOfLine<Trimmed<OneLine<Text>>>] extends [never]
    ? AnswerRow
    : RowOfLine<Trimmed<OneLine<Text>>>;
