// Commands that change how answers are shown.
import { ANSWER_FORMATS } from "../../formats/names.js";
import type { DotCommand } from "../dot-command.js";
import { choiceOf, misused } from "../misuse.js";
import type { Repl } from "../repl.js";
import { EXPLAIN_MODES } from "../settings.js";

const SWITCH = ["on", "off"] as const;
const MOST_PLACES = 10_000;

const onOff = (isOn: boolean): string => (isOn ? "on" : "off");

function switchCommand(setting: "timer" | "pager", summary: string): DotCommand {
  const usage = `.${setting} [on|off]`;
  return {
    name: `.${setting}`,
    usage,
    summary,
    run: ({ settings, remark }: Repl, { words: [word] }) => {
      if (word !== undefined) settings[setting] = choiceOf(word, SWITCH, usage) === "on";
      remark(`${setting} ${onOff(settings[setting])}`);
    },
  };
}

const FORMAT_USAGE = `.format ${ANSWER_FORMATS.join("|")}`;
const EXPLAIN_USAGE = `.explain [${EXPLAIN_MODES.join("|")}|off]`;
const WIDTH_USAGE = ".width [n]";

export const OUTPUT_COMMANDS: readonly DotCommand[] = [
  {
    name: ".format",
    usage: FORMAT_USAGE,
    summary: "how answers are shown",
    run: ({ settings, remark }, { words: [word] }) => {
      if (word !== undefined) settings.format = choiceOf(word, ANSWER_FORMATS, FORMAT_USAGE);
      remark(`format ${settings.format}`);
    },
  },
  {
    name: ".width",
    usage: WIDTH_USAGE,
    summary: "places in a line of a table or chart; 0: those of the terminal",
    run: ({ settings, remark }, { words: [word] }) => {
      if (word !== undefined) {
        const width = Number(word);
        if (!Number.isInteger(width) || width < 0 || width > MOST_PLACES) {
          throw misused(WIDTH_USAGE, `"${word}" is no number from 0 to ${MOST_PLACES}`);
        }
        settings.width = width === 0 ? null : width;
      }
      remark(`width ${settings.width ?? "of the terminal"}`);
    },
  },
  switchCommand("timer", "the time that a statement took, below its answer"),
  switchCommand("pager", "answers longer than the screen through $PAGER"),
  {
    name: ".explain",
    usage: EXPLAIN_USAGE,
    summary: "show the plan of each statement before running it",
    run: ({ settings, remark }, { words: [word] }) => {
      const mode = choiceOf(word ?? "plan", [...EXPLAIN_MODES, "off"], EXPLAIN_USAGE);
      settings.explain = mode === "off" ? null : mode;
      remark(`explain ${mode}`);
    },
  },
];
