// How the demo speaks: headings, sentences, statements with their answers, and results set apart.
// Standard output only; no step of the demo prints by itself.
import pc from "picocolors";
import type { Answer, Database } from "../../index.js";
import { answerLines } from "../formats/print-answer.js";

const INDENT = "     ";
const WIDTH = 110;

export interface Narration {
  heading(text: string): void;
  say(text: string): void;
  found(text: string): void;
  /** A question in words, as somebody would type it. */
  question(text: string): void;
  /** Parts of one entry: the first on a line of its own, the others below it. */
  listed(parts: readonly string[]): void;
  /** Shows a statement as the REPL takes it, runs it, and shows the answer. */
  ask(db: Database, text: string, format?: "table" | "chart"): Promise<Answer>;
}

export function narration(write: (line: string) => void): Narration {
  let part = 0;
  return {
    heading: (text) => {
      part += 1;
      write("");
      write(pc.bold(`${part}. ${text}`));
    },
    say: (text) => write(`   ${text}`),
    found: (text) => write(pc.green(`${INDENT}${text}`)),
    question: (text) => write(pc.cyan(`ask> ${text}`)),
    listed: (parts) => {
      for (const [i, part] of parts.entries()) {
        const indent = `${INDENT}${i === 0 ? "" : "  "}`;
        const room = WIDTH - indent.length;
        for (let from = 0; from < part.length; from += room) write(`${indent}${part.slice(from, from + room)}`);
      }
    },
    ask: async (db, text, format = "table") => {
      for (const [i, line] of text.split("\n").entries()) write(pc.cyan(`${i === 0 ? "tql> " : "  -> "}${line}`));
      const answer = await db.query(text);
      const { lines } = answerLines(answer, format, { width: WIDTH, colours: pc });
      for (const line of lines) write(`${INDENT}${line}`);
      return answer;
    },
  };
}
