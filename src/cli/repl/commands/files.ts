// Commands about files and stores: another store, statements from a file, answers into one, data from one.
import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PalimpsestError } from "../../../contract/errors.js";
import { contentOfFile } from "../../file-content.js";
import { fileSink } from "../../sink.js";
import type { DotCommand } from "../dot-command.js";
import { misused } from "../misuse.js";
import type { Repl } from "../repl.js";

const DEEPEST = 8;

async function openOther(repl: Repl, path: string | undefined): Promise<void> {
  if (path === undefined) throw misused(".open STORE", "which store?");
  const other = await repl.openAnother(path);
  await repl.store.close();
  repl.store = other;
  repl.lastPlan = null;
  repl.remark(`now at ${path}`);
}

/** Names inside a file that is read are seen from its folder. */
async function read(repl: Repl, file: string | undefined, signal: AbortSignal): Promise<void> {
  if (file === undefined) throw misused(".read FILE", "which file?");
  if (repl.reading.length >= DEEPEST) {
    throw new PalimpsestError("E_LIMIT", `.read nests to ${DEEPEST} files`, {
      details: { files: [...repl.reading] },
      hint: "does a file read itself?",
    });
  }
  const outer = repl.reading.at(-1);
  const path = outer === undefined ? resolve(file) : resolve(dirname(outer), file);
  const text = contentOfFile(path);
  repl.reading.push(realpathSync(path));
  try {
    const lines = text.split(/\r?\n/);
    for (const [i, line] of lines.entries()) {
      if (signal.aborted) throw new PalimpsestError("E_CANCELLED", `reading ${file} was interrupted`);
      const isLast = i === lines.length - 1;
      const succeeded = (await repl.feed(line)) && (!isLast || (await repl.finish()));
      if (!succeeded) {
        throw new PalimpsestError("E_STATE", `${file} stopped at line ${i + 1}`, {
          details: { path: file, line_of_file: i + 1 },
          hint: "what stands before it was run",
        });
      }
      if (repl.isLeaving) return;
    }
  } finally {
    repl.reading.pop();
    repl.forgetPending();
  }
}

async function sendTo(repl: Repl, path: string | undefined): Promise<void> {
  const { output } = repl;
  if (output !== null) {
    repl.output = null;
    await output.sink.keep();
    repl.remark(`${output.path} is written`);
  }
  if (path === undefined) return;
  repl.output = { sink: await fileSink(path), path };
}

export const FILE_COMMANDS: readonly DotCommand[] = [
  {
    name: ".open",
    usage: ".open STORE",
    summary: "go on with another store",
    run: (repl, { words: [path] }) => openOther(repl, path),
  },
  {
    name: ".read",
    usage: ".read FILE",
    summary: `run the statements and commands of a file, which may read others, ${DEEPEST} deep`,
    run: (repl, { words: [file], signal }) => read(repl, file, signal),
  },
  {
    name: ".output",
    usage: ".output [FILE]",
    summary: "answers into a file, which is there when .output stands alone or you leave",
    run: (repl, { words: [path] }) => sendTo(repl, path),
  },
  {
    name: ".import",
    usage: ".import FILE [options of palimpsest load]",
    summary: "take in a file of events or nodes",
    run: (repl, { words, signal }) => repl.store.load(words, signal),
  },
];
