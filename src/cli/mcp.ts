// `palimpsest mcp`: a store over the Model Context Protocol, until its caller goes or Ctrl-C.
// Standard output belongs to the protocol; what is said to people goes to standard error.
import { createAgent, isModelNamed, readPolicy } from "../agent/index.js";
import { cutText, withoutHidden } from "../agent/words/media.js";
import { PalimpsestError } from "../contract/errors.js";
import { parseUnambiguous } from "../contract/exact-json.js";
import type { Database } from "../index.js";
import { askTool, type HttpServer, Service, serveHttp, serveOverStdio, type Tool, writeTool } from "../mcp/index.js";
import { contentOfFile } from "./file-content.js";
import { withInterrupt } from "./interrupt.js";
import { note } from "./output.js";
import { packageVersion } from "./package-root.js";
import { modelOf } from "./question.js";
import { openToWrite, readStore } from "./with-store.js";

const LONGEST_WARNING = 200;

export interface McpFlags {
  readonly http?: number;
  readonly host?: string;
  readonly tokenEnv?: string;
  readonly url?: string;
  readonly model?: string;
  readonly nameProp?: readonly string[];
  /** False for --no-memory. */
  readonly memory: boolean;
  /** A file with the policy under which is written. */
  readonly write?: string;
}

/** Null where no variable is named. One that is named and empty is a mistake. */
function tokenOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  const token = process.env[name] ?? "";
  if (token !== "") return token;
  throw new PalimpsestError("E_INVALID_ARG", `the environment has no ${name}`, {
    details: { variable: name },
    hint: `export ${name}="$(openssl rand -hex 32)"`,
  });
}

/** The tool for questions, where a model's server is named by a flag or by the environment. */
function asking(db: Database, { url, model, nameProp, memory }: McpFlags): readonly Tool[] {
  if (url === undefined && model === undefined && !isModelNamed()) return [];
  const names = nameProp === undefined ? {} : { name_props: nameProp };
  return [askTool(createAgent(db, { model: modelOf({ url, model }), memory: memory ? "read" : "off", ...names }))];
}

/** The tool for proposals, under the policy of a file, which is judged before anything is served. */
function proposing(store: string, file: string | undefined): readonly Tool[] {
  if (file === undefined) return [];
  const policy = readPolicy(parseUnambiguous(contentOfFile(file)));
  return [writeTool({ policy, open: () => openToWrite(store) })];
}

/** What a client sent may stand in a warning: on one line, cut, without what a terminal obeys. */
const warn = (text: string): void => note(cutText(withoutHidden(text), LONGEST_WARNING));

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    signal.addEventListener("abort", () => done(), { once: true });
    if (signal.aborted) done();
  });

export async function mcp(store: string, flags: McpFlags): Promise<void> {
  const { http: port, host = "127.0.0.1", tokenEnv } = flags;
  const token = tokenOf(tokenEnv);
  const writing = proposing(store, flags.write);
  await withInterrupt((signal) =>
    readStore(store, async (db) => {
      const service = new Service(db, packageVersion(), [...asking(db, flags), ...writing]);
      if (port === undefined) return serveOverStdio(service, signal, warn);
      const server: HttpServer = await serveHttp(service, { port, host, token, warn });
      note(`listening on ${server.url}`);
      await aborted(signal);
      await server.close();
    }),
  );
}
