// The other end of remote-database.ts: one database in a process or worker of its own, driven by messages.
import { isMainThread, parentPort } from "node:worker_threads";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open } from "../../src/database.js";

interface Request {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

let db: Database | undefined;
const heard: number[] = [];

async function answer({ method, args }: Request): Promise<unknown> {
  if (method === "open") {
    db = await open(...(args as Parameters<typeof open>));
    return undefined;
  }
  if (method === "heard") return [...heard];
  if (method === "subscribe") {
    db!.subscribe(({ tx }) => heard.push(tx));
    return undefined;
  }
  return (db as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[method]!(...args);
}

async function serve(request: Request, reply: (message: object) => void): Promise<void> {
  try {
    reply({ id: request.id, value: await answer(request) });
  } catch (error) {
    const { code, details } = error as PalimpsestError;
    reply({ id: request.id, error: { code: code ?? String(error), details } });
  }
}

if (isMainThread) process.on("message", (request: Request) => void serve(request, (message) => process.send!(message)));
else
  parentPort!.on("message", (request: Request) => void serve(request, (message) => parentPort!.postMessage(message)));
