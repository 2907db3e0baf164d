// A real model server for tests: that of PALIMPSEST_LLM_URL where it is set, else vLLM with a small model on this processor,
// started by the script of ../shared/llm.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Size = "small" | "planner" | "given";

const SCRIPT = fileURLToPath(new URL("../../../shared/llm/serve.sh", import.meta.url));
const GIVEN = process.env.PALIMPSEST_LLM_URL;

/** The models to test with: that of the given server, else both that the script serves. */
export const SIZES: readonly Size[] = GIVEN === undefined ? ["small", "planner"] : ["given"];
/** The one that writes plans. */
export const PLANNER: Size = GIVEN === undefined ? "planner" : "given";

export interface Served {
  readonly url: string;
  /** Whether it is vLLM, as the script starts it: only then are its own endpoints there. */
  readonly isVllm: boolean;
  stop(): Promise<void>;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const line = once(lines, "line").then(([text]) => String(text));
  const end = once(child, "exit").then(([code]) => {
    throw new Error(`the server's script ended with ${code} before it was ready`);
  });
  return Promise.race([line, end]);
}

export async function serve(size: Size, port: number): Promise<Served> {
  if (size === "given") return { url: GIVEN!, isVllm: false, stop: async () => {} };
  if (!existsSync(SCRIPT)) {
    throw new Error("there is no model server: set PALIMPSEST_LLM_URL, or have ../shared/llm beside the project");
  }
  const child = spawn("bash", [SCRIPT, "vllm", size, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await firstLine(child);
  return {
    url,
    isVllm: true,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
