// A database in another process, or in a worker thread of this one, whose methods are called by name.
// Errors come back with their code and details. Every remote is ended after the test that started it.
import { fork } from "node:child_process";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { scriptProgram } from "./program-paths.js";

const CHILD = scriptProgram("remote-database-child");

export interface Remote {
  /** `open`, any method of Database, or `heard`: the commits that its subscription was told of. */
  call(method: string, ...args: unknown[]): Promise<unknown>;
  /** Ends it as it stands: SIGKILL, or terminate. */
  end(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly details: unknown };
}

function remoteOver(post: (message: object) => void, end: () => Promise<void>) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;
  const remote: Remote = {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        post({ id: lastId, method, args });
      }),
    end,
  };
  onTestFinished(() => remote.end());
  const onReply = ({ id, value, error }: Reply): void => {
    const call = waiting.get(id);
    if (call === undefined) return;
    waiting.delete(id);
    if (error === undefined) call.resolve(value);
    else call.reject(Object.assign(new Error(error.code), error));
  };
  const onExit = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("the remote database has ended"));
    waiting.clear();
  };
  return { remote, onReply, onExit };
}

export function startProcess(): Remote {
  const child = fork(CHILD, { execArgv: [], serialization: "advanced" });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const { remote, onReply, onExit } = remoteOver(
    (message) => child.send(message),
    async () => {
      child.kill("SIGKILL");
      await gone;
    },
  );
  child.on("message", onReply).once("exit", onExit);
  return remote;
}

export function startWorker(): Remote {
  const worker = new Worker(CHILD);
  const { remote, onReply, onExit } = remoteOver(
    (message) => worker.postMessage(message),
    async () => void (await worker.terminate()),
  );
  worker.on("message", onReply).once("exit", onExit);
  return remote;
}
