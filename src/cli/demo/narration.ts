// How the demo speaks: headings, sentences, and results set apart.
// Standard output only; no step of the demo prints by itself.
import pc from "picocolors";

export interface Narration {
  heading(text: string): void;
  say(text: string): void;
  /** What was asked of the database, as `palimpsest call STORE` takes it. */
  asked(operator: string, args: object): void;
  found(text: string): void;
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
    asked: (operator, args) => write(pc.cyan(`     > ${operator} '${JSON.stringify(args)}'`)),
    found: (text) => write(pc.green(`       ${text}`)),
  };
}
