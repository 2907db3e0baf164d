// Commands about the session: help, pin, parameters, the last plan, what was typed, leaving.
import { canonicalJson } from "../../../contract/canonical.js";
import { parseInstant } from "../../../contract/parse-instant.js";
import type { JsonValue } from "../../../contract/values.js";
import { jsonText } from "../../../manual/json-lines.js";
import { parameterValue } from "../../script/parameters.js";
import type { DotCommand } from "../dot-command.js";
import { help } from "../help.js";
import { misused } from "../misuse.js";
import type { Repl } from "../repl.js";

const AS_OF_USAGE = ".as-of [tx:N | instant | latest]";
const PARAMS_USAGE = ".params [name value]";
const PARAMETER_NAME = /^\$?([\p{ID_Start}_][\p{ID_Continue}]*)$/u;

/** The TQL that sets the pin. */
function pinStatement(word: string): string {
  const at = (point: string): string => `SET DEFAULT TRANSACTION_TIME AS OF ${point}`;
  if (word.toLowerCase() === "latest") return at("LATEST");
  const commit = /^tx:(\d+)$/i.exec(word);
  if (commit !== null) return at(`TX ${commit[1]}`);
  // A date alone is midnight of the zone in force; what is no instant is refused here, so that no text goes on unread.
  const isDate = /^[+-]?\d{4,5}-\d\d-\d\d$/.test(word);
  parseInstant(word, ".as-of");
  return at(`${isDate ? "DATE" : "TIMESTAMP"} '${word}'`);
}

async function asOf(repl: Repl, words: readonly string[], signal: AbortSignal): Promise<void> {
  const { session } = repl.store;
  if (words.length > 2) throw misused(AS_OF_USAGE, "a pin is one commit or one instant");
  // An instant may be written with a blank between date and time.
  if (words.length > 0) await session.query(pinStatement(words.join("T")), { params: {}, signal });
  repl.remark(`as of ${session.state().pin ?? "latest"}`);
}

async function showParams(repl: Repl, names: readonly string[]): Promise<void> {
  if (names.length === 0) repl.remark("no parameters are set");
  for (const name of names) {
    const value = repl.params.get(name);
    if (value === undefined) repl.remark(`$${name} is not set`);
    else await repl.show(`$${name} = ${canonicalJson(value)}\n`);
  }
}

async function params(repl: Repl, words: readonly string[]): Promise<void> {
  const [word, ...rest] = words;
  if (word === undefined) return await showParams(repl, [...repl.params.keys()].sort());
  const name = PARAMETER_NAME.exec(word)?.[1];
  if (name === undefined) throw misused(PARAMS_USAGE, `"${word}" is no name of a parameter`);
  if (rest.length === 0) return await showParams(repl, [name]);
  const value = parameterValue(rest.join(" "));
  repl.params.set(name, value);
  repl.remark(`$${name} = ${canonicalJson(value)}`);
}

async function showPlan(repl: Repl): Promise<void> {
  if (repl.lastPlan === null) repl.remark("no statement with a plan was run yet");
  else await repl.show(`${jsonText(repl.lastPlan as JsonValue)}\n`);
}

async function showHistory(repl: Repl, words: readonly string[]): Promise<void> {
  const { history } = repl;
  if (history === null) return repl.remark("no history is kept here");
  // The command itself is the newest entry.
  const found = history.matching(words.join(" ")).slice(0, -1);
  await repl.show(found.map((entry) => `${entry}\n`).join(""));
}

export const SESSION_COMMANDS: readonly DotCommand[] = [
  {
    name: ".help",
    usage: ".help [topic]",
    summary: "these commands; or a command, a clause, an operator, a function",
    run: (repl, { words, ...around }) => help(repl, words.join(" "), around),
  },
  {
    name: ".as-of",
    usage: AS_OF_USAGE,
    summary: "what was believed then: sets the pin of the session, or shows it",
    run: (repl, { words, signal }) => asOf(repl, words, signal),
  },
  {
    name: ".params",
    usage: PARAMS_USAGE,
    summary: "show the parameters, or set one; a value is JSON if it parses, else a string",
    run: (repl, { words }) => params(repl, words),
  },
  { name: ".plan", usage: ".plan", summary: "the plan of the last statement", run: showPlan },
  {
    name: ".history",
    usage: ".history [text]",
    summary: "what was typed before, or what of it has the text in it",
    run: (repl, { words }) => showHistory(repl, words),
  },
  {
    name: ".quit",
    usage: ".quit",
    summary: "leave; so does Ctrl-D",
    run: (repl) => {
      repl.isLeaving = true;
    },
  },
];
