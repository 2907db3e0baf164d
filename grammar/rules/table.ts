// The table of rules that refer to each other across files, and what those give that are no nodes of the tree;
// each file of this folder fills in its own.
import type { IToken, TokenType } from "chevrotain";
import type {
  Alias,
  CallQuery,
  Case,
  Chain,
  CommonTable,
  Count,
  Default,
  Expr,
  Grouping,
  Insert,
  Invocation,
  Item,
  Labels,
  MapLiteral,
  MatchClause,
  MatchQuery,
  Name,
  Parameter,
  PatternBody,
  Period,
  Position,
  Query,
  QueryBody,
  Select,
  Sort,
  Source,
  Span,
  Statement,
  StringLiteral,
  Table,
  TimeClause,
  Window,
  Write,
} from "../ast.js";
import type { Rule, RuleWriter } from "../rule-writer.js";
import type { Slot } from "../slots.js";
import { type Vocabulary, vocabulary } from "../vocabulary.js";

/** What a set operation puts beside what came before it. */
export interface Operand {
  readonly op: "union" | "except" | "intersect";
  readonly all: boolean;
  readonly body: QueryBody;
}

/** What follows the first head of a query. */
export interface Tail {
  readonly operands: readonly Operand[];
  readonly orderBy: readonly Sort[];
  readonly limit: Count | null;
  readonly withTies: boolean;
  readonly offset: Count | null;
}

export type Returned = Pick<MatchQuery, "distinct" | "items" | "grouping">;

export interface Rules {
  statement: Rule<Statement>;
  query: Rule<Query>;
  parenthesised: Rule<QueryBody>;
  tail: Rule<Tail>;
  returned: Rule<Returned>;
  commonTables: Rule<CommonTable[]>;
  select: Rule<Select>;
  items: Rule<Item[]>;
  grouping: Rule<Grouping>;
  call: Rule<CallQuery>;
  invocation: Rule<Invocation>;
  sorts: Rule<Sort[]>;
  count: Rule<Count>;
  source: Rule<Source>;
  table: Rule<Table>;
  alias: Rule<Alias>;
  clause: Rule<MatchClause>;
  body: Rule<PatternBody>;
  chain: Rule<Chain>;
  labels: Rule<Labels>;
  map: Rule<MapLiteral>;
  span: Rule<Span>;
  time: Rule<TimeClause>;
  period: Rule<Period>;
  defaults: Rule<Default[]>;
  insert: Rule<Insert>;
  write: Rule<Write>;
  expr: Rule<Expr>;
  point: Rule<Expr>;
  additive: Rule<Expr>;
  primary: Rule<Expr>;
  reference: Rule<Expr>;
  case: Rule<Case>;
  window: Rule<Window>;
}

/** What a file of rules works with. */
export interface Workshop extends Vocabulary {
  readonly p: RuleWriter;
  readonly r: Rules;
  /** A name; keywords that are not reserved are names too. */
  name(slot: Slot): Name;
  /** Any word, reserved ones too. */
  anyName(slot: Slot): Name;
  string(): string;
  /** A string or a parameter; no rule may hold two of it beside each other in one choice. */
  text(): StringLiteral | Parameter;
  /** An alternative of one word, and what it means. */
  choice<const T>(type: TokenType, value: T): { ALT: () => T };
  /** What was last read in parentheses: `IN (x)` is a list of one. */
  readonly memory: { parenthesised: Expr | null };
}

export const placeOf = (token: IToken): Position => ({
  line: token.startLine!,
  column: token.startColumn!,
  offset: token.startOffset,
  length: token.image.length,
});

/** From the beginning of one place to the end of another. */
export function joined(from: Position | undefined, to: Position | undefined): Position {
  // Nodes of the parser have places; while the grammar is recorded there are none.
  if (from === undefined || to === undefined) return from as Position;
  return { line: from.line, column: from.column, offset: from.offset, length: to.offset + to.length - from.offset };
}

export function workshop(p: RuleWriter): Workshop {
  const words = vocabulary();
  const nameOf = (token: IToken): Name =>
    token.tokenType === words.QuotedName
      ? { text: token.payload as string, quoted: true, at: placeOf(token) }
      : { text: token.image, at: placeOf(token) };
  return {
    ...words,
    p,
    r: {} as Rules,
    name: (slot) => nameOf(p.take(words.Name, slot)),
    anyName: (slot) => nameOf(p.take(words.AnyName, slot)),
    memory: { parenthesised: null },
    choice: (type, value) => ({
      ALT: () => {
        p.take(type);
        return value;
      },
    }),
    string: () => p.take(words.String).payload as string,
    text: () =>
      p.or<StringLiteral | Parameter>(99, [
        {
          ALT: () => {
            const token = p.take(words.String);
            return { kind: "string", value: token.payload as string, at: placeOf(token) };
          },
        },
        {
          ALT: () => {
            const token = p.take(words.Parameter);
            return { kind: "parameter", name: token.payload as string, at: placeOf(token) };
          },
        },
      ]),
  };
}
