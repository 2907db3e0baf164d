// The REPL at its own terminal, over a scripted store: what terminal tests start.
import { runDotCommand } from "../../src/cli/repl/dot-commands.js";
import { History, historyFile } from "../../src/cli/repl/history.js";
import { Repl } from "../../src/cli/repl/repl.js";
import { ownScreen } from "../../src/cli/repl/screen.js";
import { runTerminal } from "../../src/cli/repl/terminal.js";
import { answerOf, scriptedStore } from "./scripted-store.js";

const open = async (path: string) =>
  scriptedStore(path, (text) => {
    const count = Number(/MANY (\d+)/.exec(text)?.[1] ?? 1);
    return answerOf(
      { text: "string" },
      Array.from({ length: count }, (_, i) => ({ text: count === 1 ? text : `row ${i}` })),
    );
  });

const repl = new Repl(await open("a.store"), open, ownScreen(), History.open(historyFile(process.env)), runDotCommand);
await runTerminal(repl);
await repl.leave();
