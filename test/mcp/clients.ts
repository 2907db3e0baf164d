// Stores, and real clients of their MCP server: over HTTP in this process, and over stdio with the command line in another.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Database, open } from "../../src/index.js";
import { type HttpServer, Service, serveHttp, type Tool } from "../../src/mcp/index.js";
import type { StoreScript } from "../../src/operators/declaration.js";

/** The eras of the protocol: with a handshake, and with everything in each request. */
export const ERAS = ["legacy", "auto"] as const;
export type Era = (typeof ERAS)[number];

export const clientOf = (era: Era): Client =>
  new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });

export async function writeStore(path: string, script: StoreScript): Promise<Database> {
  const db = await open(path);
  for (const { ops, txTime } of script.batches) await db.write(ops as never, { txTime });
  return db;
}

export interface Served {
  readonly server: HttpServer;
  readonly service: Service;
  readonly warnings: string[];
  client(era?: Era, init?: RequestInit): Promise<Client>;
  close(): Promise<void>;
}

/** A database over HTTP on a free port of loopback. */
export async function overHttp(
  db: Database,
  token: string | null = null,
  furtherTools: readonly Tool[] = [],
): Promise<Served> {
  const service = new Service(db, "0.0.0", furtherTools);
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const server = await serveHttp(service, { port: 0, host: "127.0.0.1", token, warn });
  const clients: Client[] = [];
  return {
    server,
    service,
    warnings,
    async client(era = "auto", requestInit = {}) {
      const client = clientOf(era);
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
      await db.close();
    },
  };
}

/** `palimpsest mcp` of a store in a process of its own. */
export async function overStdio(
  program: string,
  store: string,
  era: Era,
  flags: readonly string[] = [],
): Promise<Client> {
  const client = clientOf(era);
  const args = [program, "mcp", store, ...flags];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }));
  return client;
}

export function temporaryFolder(): { readonly path: (name: string) => string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-mcp-"));
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The object of a result, which its text repeats. */
export function objectOf(result: Awaited<ReturnType<Client["callTool"]>>): Record<string, unknown> {
  const [content, ...more] = result.content as { type: string; text: string }[];
  if (content?.type !== "text" || more.length > 0) throw new Error("a result is one text");
  const object = JSON.parse(content.text) as Record<string, unknown>;
  if (JSON.stringify(object) !== JSON.stringify(result.structuredContent)) throw new Error("text and structure differ");
  return object;
}
