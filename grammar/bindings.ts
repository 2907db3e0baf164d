// Which names a half-written statement binds, and to what, read off its tokens: a tree is not there yet.
// For completion only; what a name means is decided where statements are bound.
import type { Token } from "./scanner.js";
import { vocabulary } from "./vocabulary.js";

export interface Bindings {
  /** Names of WITH. */
  readonly steps: readonly string[];
  variables(): string[];
  /** The labels or types of a variable; none where it has none. */
  labelsOf(variable: Token): readonly string[];
  /** Names that every node or edge has, as far as it is known which it is. */
  fieldsOf(variable: Token): readonly string[];
  /** The labels of the element whose map is being written. */
  labelsBefore(tokens: readonly Token[]): readonly string[];
}

const NODE_FIELDS = ["uid", "labels", "props"];
const EDGE_FIELDS = ["src", "dst", "type", "key", "seq", "props"];
const TIME_FIELDS = ["valid_from", "valid_to", "valid_time", "tx_from", "tx_to", "transaction_time", "tx", "reason"];
const EVENT_FIELDS = ["at", "duration"];

interface Bound {
  readonly labels: readonly string[];
  readonly fields: readonly string[];
}

export function bindingsIn(tokens: readonly Token[]): Bindings {
  const { mark, word } = vocabulary();
  const bound = new Map<string, Bound>();
  const steps: string[] = [];
  const fieldsOfTable = new Map([
    [word.NODES, [...NODE_FIELDS, ...TIME_FIELDS]],
    [word.EDGES, [...EDGE_FIELDS, ...TIME_FIELDS]],
    [word.EVENTS, [...EDGE_FIELDS, ...EVENT_FIELDS]],
    [word.ENDPOINTS, ["uid", "other", "role", ...EDGE_FIELDS, ...EVENT_FIELDS]],
  ]);
  /** The last table or element that was opened: an alias after it is its name. */
  let table: Bound | null = null;

  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    const after = tokens[i + 1];
    const fields = fieldsOfTable.get(token.tokenType);
    if (fields !== undefined && (after?.tokenType === mark.LeftParen || before?.tokenType === mark.LeftParen)) {
      table = { labels: namesInParentheses(tokens, i + 1), fields };
    }
    if (!isName(token)) continue;
    const name = textOf(token);
    const opensNode = before?.tokenType === mark.LeftParen && !isName(tokens[i - 2]);
    const opensEdge = before?.tokenType === mark.LeftBracket && tokens[i - 2]?.tokenType === mark.Minus;
    if (opensNode || opensEdge) {
      const own = opensEdge ? EDGE_FIELDS : NODE_FIELDS;
      const labels = after?.tokenType === mark.Colon ? labelsFrom(tokens, i + 2) : [];
      const known = bound.get(name);
      if (known === undefined || labels.length > 0) bound.set(name, { labels, fields: [...own, ...TIME_FIELDS] });
    } else if (before?.tokenType === word.AS && token.tokenType !== word.OF && table !== null) {
      bound.set(name, table);
      table = null;
    } else if (after?.tokenType === mark.Equal && isPathStart(tokens, i)) bound.set(name, { labels: [], fields: [] });
    const isStep =
      after?.tokenType === word.AS && (before?.tokenType === word.WITH || before?.tokenType === mark.Comma);
    if (isStep && tokens[i + 2]?.tokenType === mark.LeftParen) steps.push(name);
  }

  const boundOf = (variable: Token): Bound | undefined => bound.get(textOf(variable));
  return {
    steps,
    variables: () => [...bound.keys()],
    labelsOf: (variable) => boundOf(variable)?.labels ?? [],
    fieldsOf: (variable) => boundOf(variable)?.fields ?? [],
    labelsBefore: (some) => {
      const opening = some.findLastIndex(
        (token) => token.tokenType === mark.LeftParen || token.tokenType === mark.LeftBracket,
      );
      const colon = some.findIndex((token, i) => i > opening && token.tokenType === mark.Colon);
      return opening === -1 || colon === -1 ? [] : labelsFrom(some, colon + 1);
    },
  };
}

/** `MATCH p = (`, or after a comma. */
function isPathStart(tokens: readonly Token[], i: number): boolean {
  const { mark, word } = vocabulary();
  const before = tokens[i - 1]?.tokenType;
  return before === word.MATCH || (before === mark.Comma && tokens[i + 2]?.tokenType === mark.LeftParen);
}

function isName(token: Token | undefined): boolean {
  const { Name } = vocabulary();
  return token !== undefined && (token.tokenType.CATEGORIES ?? []).includes(Name);
}
const textOf = (token: Token): string =>
  token.tokenType === vocabulary().QuotedName ? (token.payload as string) : token.image;

/** Names joined by `|`, `&` and `:`, from one place on. */
function labelsFrom(tokens: readonly Token[], start: number): string[] {
  const { mark, AnyName } = vocabulary();
  const joins = new Set([mark.Bar, mark.Ampersand, mark.Colon, mark.Bang]);
  const labels: string[] = [];
  for (const token of tokens.slice(start)) {
    if ((token.tokenType.CATEGORIES ?? []).includes(AnyName)) labels.push(textOf(token));
    else if (!joins.has(token.tokenType)) break;
  }
  return labels;
}

function namesInParentheses(tokens: readonly Token[], start: number): string[] {
  const { mark } = vocabulary();
  const from = tokens[start]?.tokenType === mark.LeftParen ? start + 1 : start;
  return labelsFrom(tokens, from);
}
