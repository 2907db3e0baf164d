// What may follow an unfinished statement: keywords by the grammar, names by what kind of name stands there.
// Walks the recorded rules from where the parser stands; gates are taken both ways, so it offers a little too much rather than
// too little. Names come from whoever asks: the catalogue, the registry of operators, the table of functions.
import { type Bindings, bindingsIn } from "./bindings.js";
import { type Expectation, expectationsAfter } from "./expectations.js";
import { tokensOf } from "./parse.js";
import { printAnyName, printName } from "./printer/names.js";
import type { Token } from "./scanner.js";
import { vocabulary } from "./vocabulary.js";

/** What the asker knows; every list may be long, only what begins as the typed word is kept. */
export interface CompletionNames {
  labels(): readonly string[];
  types(): readonly string[];
  /** Properties of the labels or types; of everything for none. */
  properties(of: readonly string[]): readonly string[];
  operators(): readonly string[];
  argumentsOf(operator: string): readonly string[];
  /** Columns of an operator's answer. */
  columnsOf(operator: string): readonly string[];
  functions(): readonly string[];
  parameters(): readonly string[];
  /** Of the calendar, as EXTRACT takes them. */
  units(): readonly string[];
}

export type CandidateKind =
  | "keyword"
  | "label"
  | "type"
  | "property"
  | "operator"
  | "argument"
  | "column"
  | "function"
  | "variable"
  | "with_name"
  | "parameter"
  | "unit";

export interface Candidate {
  /** As it is written: quoted where it must be. */
  readonly text: string;
  readonly kind: CandidateKind;
}

export interface Completions {
  /** What is being typed, which the candidates replace; from `start` to the end of the text. */
  readonly prefix: string;
  readonly start: number;
  readonly candidates: readonly Candidate[];
}

const NONE: Completions = { prefix: "", start: 0, candidates: [] };

/** For the text up to the cursor; a script's earlier statements are left alone. */
export function completions(textUpToCursor: string, names: CompletionNames): Completions {
  const all = tokensOf(textUpToCursor);
  const lastEnd = all.findLastIndex((token) => token.tokenType === vocabulary().mark.Semicolon);
  const tokens = all.slice(lastEnd + 1);
  const end = textUpToCursor.length;
  const last = tokens.at(-1);
  const { Invalid, Parameter } = vocabulary();
  if (last !== undefined && last.tokenType === Invalid && last.image !== "$") return { ...NONE, start: end };
  const isTyping = last !== undefined && last.endOffset === end - 1 && isWord(last);
  const before = isTyping ? tokens.slice(0, -1) : tokens;
  const prefix = isTyping ? last.image : "";
  const expected = expectationsAfter(before);
  const isParameter = last?.tokenType === Parameter || last?.image === "$";
  const offered = isTyping && isParameter ? parameters(names) : candidatesFor(before, expected, names);
  const wanted = prefix.replace(/^["`]/, "").toLowerCase();
  const seen = new Set<string>();
  const candidates = offered.filter(({ text, kind }) => {
    const isNew = !seen.has(text);
    seen.add(text);
    const bare = kind === "keyword" ? text : text.replace(/^"/, "");
    return isNew && bare.toLowerCase().startsWith(wanted);
  });
  return { prefix, start: end - prefix.length, candidates };
}

function isWord({ tokenType, image }: Token): boolean {
  const { AnyName, Parameter } = vocabulary();
  return tokenType === Parameter || image === "$" || (tokenType.CATEGORIES ?? []).includes(AnyName);
}

const parameters = (names: CompletionNames): Candidate[] =>
  names.parameters().map((name) => ({ text: `$${name}`, kind: "parameter" }));

function candidatesFor(
  before: readonly Token[],
  expected: readonly Expectation[],
  names: CompletionNames,
): Candidate[] {
  const { word, Parameter } = vocabulary();
  const bindings = bindingsIn(before);
  const candidates: Candidate[] = [];
  const add = (kind: CandidateKind, texts: readonly string[]): void => {
    for (const text of texts) candidates.push({ kind, text });
  };
  const bare = (texts: readonly string[]): string[] => texts.map((text) => printName({ text }));
  const anywhere = (texts: readonly string[]): string[] => texts.map((text) => printAnyName({ text }));
  for (const { type, slot, rules } of expected) {
    if (slot === "label_or_type") {
      const { isEdge, isNode } = elementAt(before, rules);
      if (!isEdge) add("label", anywhere(names.labels()));
      if (!isNode) add("type", anywhere(names.types()));
    } else if (slot === "property" || slot === "key") add("property", anywhere(propertiesAt(before, bindings, names)));
    else if (slot === "operator") add("operator", bare(names.operators()));
    else if (slot === "argument") add("argument", anywhere(names.argumentsOf(operatorAt(before))));
    else if (slot === "column") add("column", anywhere(names.columnsOf(operatorAt(before))));
    else if (slot === "value") {
      add("variable", bare(bindings.variables()));
      add("with_name", bare(bindings.steps));
      add("function", names.functions());
    } else if (slot === "variable") add("variable", bare(bindings.variables()));
    else if (slot === "table" || slot === "cohort") add("with_name", bare(bindings.steps));
    else if (slot === "unit") add("unit", names.units());
    else if (type === Parameter)
      add(
        "parameter",
        parameters(names).map(({ text }) => text),
      );
    else if (Object.hasOwn(word, type.name)) add("keyword", [type.name]);
  }
  return candidates;
}

/** Whether a label or type is asked for of an edge or of a node, where the text says it. */
function elementAt(before: readonly Token[], rules: readonly string[]): { isEdge: boolean; isNode: boolean } {
  const { word, mark } = vocabulary();
  if (rules.includes("inside")) return { isEdge: true, isNode: false };
  if (rules.includes("node")) return { isEdge: false, isNode: true };
  const opening = before.findLastIndex((token) => token.tokenType === mark.LeftParen);
  // VERSIONS(EDGES …: the word stands inside.
  const heads = [before[opening - 1], before[opening + 1]];
  const is = (...types: readonly unknown[]): boolean => heads.some((token) => types.includes(token?.tokenType));
  if (is(word.EDGES, word.EVENTS, word.ENDPOINTS)) return { isEdge: true, isNode: false };
  if (is(word.NODES)) return { isEdge: false, isNode: true };
  return { isEdge: false, isNode: false };
}

/** The operator of the CALL that the cursor is in. */
function operatorAt(before: readonly Token[]): string {
  const { word, QuotedName } = vocabulary();
  const call = before.findLastIndex((token) => token.tokenType === word.CALL);
  const named = before[call + 1];
  if (call === -1 || named === undefined) return "";
  return named.tokenType === QuotedName ? (named.payload as string) : named.image;
}

/** After `n.` those of what n stands for; in a map those of the element around it. */
function propertiesAt(before: readonly Token[], bindings: Bindings, names: CompletionNames): readonly string[] {
  const { mark } = vocabulary();
  const last = before.at(-1);
  if (last?.tokenType === mark.Dot) {
    const owner = before.at(-2);
    return owner === undefined
      ? names.properties([])
      : [...names.properties(bindings.labelsOf(owner)), ...bindings.fieldsOf(owner)];
  }
  return names.properties(bindings.labelsBefore(before));
}
