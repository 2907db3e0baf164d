// The parser as its rules see it: Chevrotain's methods under short names, places of nodes, gates, and refusals.
// Rules live in rules/, by subject; each file adds its own to one table.
import type { IOrAlt, IProduction, IToken, ParserMethod, Rule as Recorded, TokenType } from "chevrotain";
import type { Position } from "./ast.js";
import { chevrotain } from "./chevrotain.js";
import type { Fault } from "./errors/fault.js";
import { TOO_DEEP } from "./limits.js";
import { LazyLookahead } from "./lookahead.js";
import type { Slot } from "./slots.js";
import { vocabulary } from "./vocabulary.js";

export type Rule<T> = ParserMethod<[], T>;

/** Thrown by a rule that reads a construct and refuses it; the token is what is wrong. */
export class Refusal extends Error {
  constructor(
    readonly token: IToken,
    readonly fault: Fault,
  ) {
    super(fault.message);
  }
}

/** What may stand at the cursor: a token, or what a choice begins with. */
interface Gathering {
  onToken(type: TokenType, slot: Slot | undefined, rules: readonly string[]): void;
  onDecision(choices: readonly (readonly IProduction[])[], rules: readonly string[]): void;
  /** How a gate decides that would look past the cursor. */
  readonly assume: boolean;
}

export interface RuleWriter {
  rule<T>(name: string, body: () => T): Rule<T>;
  /** Takes one token; the slot says what kind of name it is. */
  take(type: TokenType, slot?: Slot): IToken;
  sub<T>(rule: Rule<T>): T;
  /** Numbers tell the options, choices and repetitions of one rule apart. */
  option<T>(idx: number, body: (() => T) | { GATE: () => boolean; DEF: () => T }): T | undefined;
  or<T>(idx: number, alternatives: IOrAlt<T>[]): T;
  many(idx: number, body: (() => void) | { GATE: () => boolean; DEF: () => void }): void;
  /** One or more, between commas. */
  list<T>(idx: number, item: () => T): T[];
  /** Takes the token if it is there. */
  has(idx: number, type: TokenType): boolean;
  /** For gates: whether the token `ahead` (1: the next) is one of these. */
  sees(ahead: number, ...types: readonly TokenType[]): boolean;
  /** The token to come. */
  next(): IToken;
  /** The place from a token to the last one taken. */
  since(first: IToken): Position;
  /** The place from the beginning of a node to the last token taken. */
  upTo(from: Position | undefined): Position;
  /** Runs when parsing, not while the grammar is recorded. */
  act<T>(action: () => T): T;
  refuse(token: IToken, fault: Fault): never;
  /** Refuses what nests deeper than the machine's stack allows; called by every rule that can contain itself. */
  guard(): void;
}

/** The whole parser: what the rules write, and what drives it. */
export interface Machine extends RuleWriter {
  input: IToken[];
  readonly errors: readonly { readonly name: string; readonly token: IToken }[];
  gathering: Gathering | null;
  readonly recorded: Readonly<Record<string, Recorded>>;
}

/** Rules inside rules: about a hundred pairs of brackets. Half of what Node's stack bears. */
const DEEPEST_RULE = 600;

const silent = () => "";

export function createMachine(define: (writer: RuleWriter) => void): Machine {
  const { EmbeddedActionsParser } = chevrotain();
  const words = vocabulary();
  const cursor = words.Cursor;

  class TqlParser extends EmbeddedActionsParser {
    declare getHumanReadableRuleStack: () => string[];
    gathering: Gathering | null = null;

    constructor() {
      super([...words.all], {
        maxLookahead: 1,
        skipValidations: true,
        lookaheadStrategy: new LazyLookahead(),
        // Texts are made of what is gathered at the wrong token, only when there is one.
        errorMessageProvider: {
          buildMismatchTokenMessage: silent,
          buildNotAllInputParsedMessage: silent,
          buildNoViableAltMessage: silent,
          buildEarlyExitMessage: silent,
        },
      });
      define(this as unknown as RuleWriter);
      this.performSelfAnalysis();
    }

    rule<T>(name: string, body: () => T): Rule<T> {
      return this.RULE(name, body);
    }
    take(type: TokenType, slot?: Slot): IToken {
      if (this.gathering !== null && this.LA(1).tokenType === cursor) {
        this.gathering.onToken(type, slot, this.getHumanReadableRuleStack());
      }
      const isRecording = (this as unknown as { RECORDING_PHASE: boolean }).RECORDING_PHASE;
      return slot !== undefined && isRecording ? this.consume(0, type, { LABEL: slot }) : this.consume(0, type);
    }
    sub<T>(rule: Rule<T>): T {
      return this.subrule(0, rule);
    }
    list<T>(idx: number, item: () => T): T[] {
      const items = [item()];
      this.many(idx, () => {
        this.take(words.mark.Comma);
        items.push(item());
      });
      return items;
    }
    has(idx: number, type: TokenType): boolean {
      return this.option(idx, () => this.take(type)) !== undefined;
    }
    sees(ahead: number, ...types: readonly TokenType[]): boolean {
      const { tokenType } = this.LA(ahead);
      const isUnknown = tokenType === cursor || this.LA(ahead - 1).tokenType === cursor;
      if (isUnknown && this.gathering !== null) return this.gathering.assume;
      return types.includes(tokenType);
    }
    next(): IToken {
      return this.LA(1);
    }
    since(first: IToken): Position {
      const last = this.LA(0);
      return {
        line: first.startLine!,
        column: first.startColumn!,
        offset: first.startOffset,
        length: last.endOffset! + 1 - first.startOffset,
      };
    }
    upTo(from: Position | undefined): Position {
      // Nodes of the parser have places; while the grammar is recorded there are none.
      if (from === undefined) return from as unknown as Position;
      const end = this.LA(0).endOffset! + 1;
      return { line: from.line, column: from.column, offset: from.offset, length: end - from.offset };
    }
    act<T>(action: () => T): T {
      return this.ACTION(action);
    }
    refuse(token: IToken, fault: Fault): never {
      throw new Refusal(token, fault);
    }
    guard(): void {
      if ((this as unknown as { RULE_STACK_IDX: number }).RULE_STACK_IDX > DEEPEST_RULE) {
        this.refuse(this.LA(1), TOO_DEEP);
      }
    }
    /** Told of by the look-ahead. */
    get onDecision(): ((choices: readonly (readonly IProduction[])[]) => void) | null {
      const { gathering } = this;
      if (gathering === null || this.LA(1).tokenType !== cursor) return null;
      return (choices) => gathering.onDecision(choices, this.getHumanReadableRuleStack());
    }
    get recorded(): Readonly<Record<string, Recorded>> {
      return this.getGAstProductions();
    }
  }
  return new TqlParser() as unknown as Machine;
}
