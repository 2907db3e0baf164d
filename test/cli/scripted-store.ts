// A store that gives the answers it was told to give, and remembers what it was asked.
// Stands for an engine in tests of scripts and of the REPL.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenStore } from "../../src/cli/repl/surroundings.js";
import type { Answer, StatementOptions, TqlSession } from "../../src/cli/session.js";
import { PalimpsestError } from "../../src/contract/errors.js";

export function answerOf(
  columns: Record<string, string>,
  rows: Answer["rows"] = [],
  more: Partial<Answer> = {},
): Answer {
  return {
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rows,
    rows_total: rows.length,
    complete: true,
    pin: { tx: 7, tx_time: "2025-03-05T09:00:00Z" },
    resolved: [],
    notices: [],
    ...more,
  };
}

export interface Asked {
  readonly text: string;
  readonly params: StatementOptions["params"];
}

export interface ScriptedStore extends OpenStore {
  readonly asked: Asked[];
  readonly loaded: (readonly string[])[];
  isClosed: boolean;
}

function placeOf(text: string, word: string) {
  const before = text.slice(0, text.indexOf(word)).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1, offset: text.indexOf(word), length: word.length };
}

/** `SLOW` waits until it is cancelled, `WAITED` until the file `go-on` is there; `BAD` is a syntax error at column 1; `SET DEFAULT … TX n` pins. */
export function scriptedStore(path: string, answers: (text: string) => Answer): ScriptedStore {
  let pin: string | null = null;
  const asked: Asked[] = [];
  const run = async (text: string, { params, signal }: StatementOptions): Promise<Answer> => {
    asked.push({ text, params });
    if (text.includes("SLOW")) {
      await delay(60_000, undefined, { signal }).catch(() => {
        throw new PalimpsestError("E_CANCELLED", "the statement was cancelled");
      });
    }
    while (text.includes("WAITED") && !existsSync("go-on")) await delay(5);
    if (text.includes("BAD")) {
      throw new PalimpsestError("E_SYNTAX", "unknown word 'BAD'", {
        details: { kind: "misspelt", ...placeOf(text, "BAD") },
        hint: "did you mean GOOD?",
      });
    }
    const set = /^SET DEFAULT TRANSACTION_TIME AS OF (?:TX (\d+)|(.*))$/.exec(text);
    if (set !== null) {
      pin = set[1] === undefined ? (set[2] === "LATEST" ? null : set[2]!) : `tx:${set[1]}`;
      return answerOf({}, [], { rows_total: null, pin: null });
    }
    return answers(text);
  };
  const session: TqlSession = {
    query: run,
    stream: async (text, options) => {
      const { columns, rows } = await run(text, options);
      return {
        columns,
        rows: (async function* () {
          yield* rows;
        })(),
      };
    },
    state: () => ({ pin, block: null }),
  };
  const store: ScriptedStore = {
    path,
    session,
    asked,
    loaded: [],
    isClosed: false,
    info: async () => ({ path, tx: 7 }),
    completions: async (text) => {
      const typed = /\w*$/.exec(text)![0];
      const candidates = ["SELECT", "SET", "SHOW"].filter((word) => word.startsWith(typed.toUpperCase()));
      return { candidates, typed };
    },
    load: async (words) => void store.loaded.push(words),
    close: async () => {
      store.isClosed = true;
    },
  };
  return store;
}
