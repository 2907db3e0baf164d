// What the REPL needs around itself: a place to write to, a pager, a store, and a way to open another.
// Interfaces, so that the REPL is tried without a terminal and without an engine.
import type { Colors } from "picocolors/types.js";
import type { TqlSession } from "../session.js";

export interface ReplScreen {
  /** False for a pipe: no prompts, no pager, nothing cut. */
  readonly isTerminal: boolean;
  readonly colours: Colors;
  width(): number;
  height(): number;
  write(text: string): Promise<void>;
  /** Errors and remarks. */
  complain(text: string): void;
  /** Shows a long text; false where there is no pager. */
  page(text: string): Promise<boolean>;
}

export interface Offered {
  readonly candidates: readonly string[];
  /** The end of the text, which they take the place of. */
  readonly typed: string;
}

export interface OpenStore {
  readonly path: string;
  readonly session: TqlSession;
  info(): Promise<unknown>;
  /** What may stand at the end of the text: keywords, names of the catalogue, the parameters that are set. */
  completions(text: string, parameters: readonly string[]): Promise<Offered>;
  /** Takes in a file, with the options of `palimpsest load`. */
  load(words: readonly string[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type OpenAnother = (path: string) => Promise<OpenStore>;
