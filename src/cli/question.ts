// `palimpsest ask`: a question in words, answered by a model's plan over a store. Prints the answer and what it stands on.

import {
  type AgentAnswer,
  type AnswerError,
  type AskOptions,
  type AskResult,
  createAgent,
  type FrontName,
  type Mode,
  type ModelConfig,
} from "../agent/index.js";
import { escapedJson, shownText } from "../agent/words/media.js";
import { canonicalJson } from "../contract/canonical.js";
import { withInterrupt } from "./interrupt.js";
import { keptAnswer } from "./kept-answer.js";
import { note, print } from "./output.js";
import { fileSink } from "./sink.js";
import { readStore } from "./with-store.js";

export interface AskFlags {
  readonly url?: string;
  readonly model?: string;
  readonly pin?: string;
  readonly entity?: readonly string[];
  readonly zone?: string;
  readonly front?: FrontName;
  readonly nameProp?: readonly string[];
  readonly mode?: Mode;
  /** False for --no-memory. */
  readonly memory: boolean;
  readonly json?: boolean;
  readonly trace?: string;
}

/** The model that flags name; what they leave out comes from the environment. */
export const modelOf = ({ url, model }: { url?: string | undefined; model?: string | undefined }): ModelConfig => ({
  ...(url === undefined ? {} : { base_url: url }),
  ...(model === undefined ? {} : { model }),
});

/** The notice of a mention that the plan leaves out, in the words of the question. */
function noticeText(notice: string, mentions: AskResult["mentions"]): string {
  const ignored = mentions.find(({ id }) => notice === `ignored: ${id}`);
  return ignored === undefined ? notice : `not in the plan: ${shownText(ignored.text, "terminal")}`;
}

/** What a model was asked for. */
export const usageText = ({
  calls,
  prompt_tokens: asked,
  completion_tokens: said,
  is_estimated,
}: AgentAnswer["usage"]) => `${calls} calls, ${asked} + ${said} tokens${is_estimated ? " (estimated)" : ""}`;

const LONGEST_ERROR = 512;

/** Why there is no answer: a message may quote what a model wrote. */
function errorText({ code, message, hint }: AnswerError): string {
  const shown = (text: string): string => shownText(text, "terminal", LONGEST_ERROR);
  return `${code}: ${shown(message)}${hint === undefined ? "" : ` (${shown(hint)})`}`;
}

/** The answer for people: text, evidence, status; what it cost on standard error. */
async function printAnswer({ answer, mentions }: AskResult): Promise<void> {
  const { text, evidence, assumptions, notices, status, error, pin, trace_digest, usage } = answer;
  await print(text);
  if (error !== undefined) await print(`  ${errorText(error)}`);
  for (const line of evidence) await print(`  ${line}`);
  for (const assumption of assumptions) await print(`  assumed: ${assumption}`);
  for (const notice of notices) await print(`  ${noticeText(notice, mentions)}`);
  await print(
    [status, `as believed at tx:${pin.tx}`, ...(trace_digest === null ? [] : [`trace ${trace_digest}`])].join(" · "),
  );
  note(usageText(usage));
}

/**
 * Asks and shows, and leaves the trace in a file that is opened before: a path that is none costs no question, and a full disk
 * costs no answer.
 */
async function askInto(
  path: string | undefined,
  ask: () => Promise<AskResult>,
  show: (result: AskResult) => Promise<void>,
): Promise<void> {
  if (path === undefined) return show(await ask());
  const sink = await fileSink(path);
  try {
    const result = await ask();
    await show(result);
    if (result.trace === null) {
      await sink.drop();
      note(`no plan has run: ${path} is not written`);
    } else {
      await sink.write(`${keptAnswer(result, result.trace)}\n`);
      await sink.keep();
    }
  } catch (error) {
    await sink.drop();
    throw error;
  }
}

export async function question(path: string, text: string, flags: AskFlags): Promise<void> {
  await withInterrupt((signal) =>
    readStore(path, async (db) => {
      const names = flags.nameProp === undefined ? {} : { name_props: flags.nameProp };
      const memory = flags.memory ? "read" : "off";
      const medium = flags.json === true ? "json" : "terminal";
      const agent = createAgent(db, { model: modelOf(flags), medium, memory, ...names });
      const options: AskOptions = {
        signal,
        entities: flags.entity ?? [],
        ...(flags.pin === undefined ? {} : { pin: flags.pin }),
        ...(flags.mode === undefined ? {} : { mode: flags.mode }),
        ...(flags.zone === undefined ? {} : { zone: flags.zone }),
        ...(flags.front === undefined ? {} : { front: flags.front }),
      };
      const show = (result: AskResult) =>
        flags.json === true ? print(escapedJson(canonicalJson(result.answer))) : printAnswer(result);
      await askInto(flags.trace, () => agent.ask(text, options), show);
    }),
  );
}
