// The rows of a statement whose text the compiler knows: the names of its columns, as output-names.ts of the binder gives
// them, and what each may hold. Types only. Where a text says more than this reads, rows have the open type, which is
// never wrong.
import type { AnswerRow } from "./answer.js";
import type { IsWhole, OneLine, PlainName, Trimmed, Word } from "./text-types.js";
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

/** A row of all items, no two of one name; never where a name is not known. */
type Row<List extends readonly string[], Columns, Found = unknown> = List extends readonly [
  infer Item extends string,
  ...infer Rest extends readonly string[],
]
  ? [ItemName<Trimmed<Item>>] extends [never]
    ? never
    : ItemName<Trimmed<Item>> extends keyof Found
      ? never
      : Row<Rest, Columns, Found & Cell<Trimmed<Item>, ItemName<Trimmed<Item>>, Columns>>
  : { readonly [Name in keyof Found]: Found[Name] };

type Cell<Item extends string, Name extends string, Columns> = {
  readonly [Key in Name]: ValueOf<Expression<Item, Name>, Columns>;
};

type RowOfLine<Line extends string> =
  SelectList<Line> extends infer List extends string
    ? [List] extends [never]
      ? never
      : Items<List> extends infer Found extends readonly string[]
        ? Row<Found, ColumnsOf<Line>>
        : never
    : never;

/** The rows of a statement: its columns where the text is a literal that says them, any column otherwise. */
export type RowOf<Text extends string> = string extends Text
  ? AnswerRow
  : [RowOfLine<Trimmed<OneLine<Text>>>] extends [never]
    ? AnswerRow
    : RowOfLine<Trimmed<OneLine<Text>>>;
