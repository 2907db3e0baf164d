// `palimpsest mcp`: a store over the Model Context Protocol, until its caller goes or Ctrl-C.
// Standard output belongs to the protocol; what is said to people goes to standard error.
import { PalimpsestError } from "../contract/errors.js";
import { type HttpServer, Service, serveHttp, serveOverStdio } from "../mcp/index.js";
import { withInterrupt } from "./interrupt.js";
import { note } from "./output.js";
import { packageVersion } from "./package-root.js";
import { readStore } from "./with-store.js";

export interface McpFlags {
  readonly http?: number;
  readonly host?: string;
  readonly tokenEnv?: string;
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

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    signal.addEventListener("abort", () => done(), { once: true });
    if (signal.aborted) done();
  });

export async function mcp(store: string, { http: port, host = "127.0.0.1", tokenEnv }: McpFlags): Promise<void> {
  const token = tokenOf(tokenEnv);
  await withInterrupt((signal) =>
    readStore(store, async (db) => {
      const service = new Service(db, packageVersion());
      if (port === undefined) return serveOverStdio(service, signal, note);
      const server: HttpServer = await serveHttp(service, { port, host, token, warn: note });
      note(`listening on ${server.url}`);
      await aborted(signal);
      await server.close();
    }),
  );
}
