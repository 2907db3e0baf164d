// `.help`: the commands; or a command, a clause, an operator, a function.
// Says nothing of its own about clauses and operators: those have their manual, functions their table.
import { PalimpsestError } from "../../contract/errors.js";
import { CLAUSES, clauseOf } from "../../manual/clauses.js";
import { operatorManual } from "../../manual/terminal.js";
import { tableLines } from "../formats/table.js";
import type { DotCommand, Invocation } from "./dot-command.js";
import type { Repl } from "./repl.js";

const LINE = 78;

function wrapped(words: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || indent.length + last.length + 1 + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}\n`).join("");
}

function commandList(commands: readonly DotCommand[]): string {
  const usages = commands.map(({ usage }) => usage);
  const widest = Math.min(30, Math.max(...usages.map(({ length }) => length)));
  const rows = commands.map(({ usage, summary }) =>
    usage.length > widest
      ? `  ${usage}\n  ${" ".repeat(widest)}  ${summary}\n`
      : `  ${usage.padEnd(widest)}  ${summary}\n`,
  );
  return [
    "A statement ends with ; and may have several lines. Tab completes, the arrows recall, Ctrl-C cancels.\n\n",
    "Commands, each alone on its line:\n",
    ...rows,
    "\nClauses, explained by .help CLAUSE:\n",
    wrapped(
      CLAUSES.map(({ names: [name] }, i) => (i === CLAUSES.length - 1 ? name : `${name},`)),
      "  ",
    ),
    "\n.help OPERATOR explains an operator of CALL (.operators lists them), .help FUNCTION a function\n",
    "(SHOW FUNCTIONS; lists them).\n",
  ].join("");
}

function commandHelp(commands: readonly DotCommand[], topic: string): string | null {
  const name = topic.startsWith(".") ? topic : `.${topic}`;
  const command = commands.find((each) => each.name === name.toLowerCase());
  return command === undefined ? null : `${command.usage}\n  ${command.summary}\n`;
}

function clauseHelp(topic: string): string | null {
  const entry = clauseOf(topic);
  if (entry === undefined) return null;
  const { form, meaning, example } = entry;
  return `${form}\n\n${wrapped(meaning.split(" "), "  ")}\n  ${example};\n`;
}

function operatorHelp(topic: string): string | null {
  try {
    return `${operatorManual(topic.toLowerCase())}\n`;
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "E_NOT_FOUND") return null;
    throw error;
  }
}

/** Functions are listed by the language itself; the pattern takes the name as it is. */
async function functionHelp(repl: Repl, topic: string, signal: AbortSignal): Promise<string | null> {
  const name = topic.toUpperCase().replace(/\(\)?$/, "");
  if (!/^[A-Z_]+$/.test(name)) return null;
  const answer = await repl.store.session.query(`SHOW FUNCTIONS LIKE '${name}'`, { params: {}, signal });
  if (answer.rows.length === 0) return null;
  return tableLines(answer, repl.style)
    .map((line) => `${line}\n`)
    .join("");
}

export async function help(repl: Repl, topic: string, around: Omit<Invocation, "words">): Promise<void> {
  const { commands, signal } = around;
  if (topic === "") return await repl.show(commandList(commands));
  const found =
    commandHelp(commands, topic) ??
    clauseHelp(topic) ??
    operatorHelp(topic) ??
    (await functionHelp(repl, topic, signal));
  if (found === null) {
    throw new PalimpsestError("E_NOT_FOUND", `there is no help on "${topic}"`, {
      details: { topic },
      hint: ".help lists commands and clauses, .operators the operators, SHOW FUNCTIONS; the functions",
    });
  }
  await repl.show(found);
}
