// MCP over standard input and output: nothing but protocol is written there.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpServer } from "./server.js";
import type { Service } from "./tool.js";

/** Serves until standard input ends or the signal says so. */
export async function serveOverStdio(
  service: Service,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<void> {
  const handle = serveStdio(() => mcpServer(service), { onerror: (error) => warn(error.message) });
  await new Promise<void>((ended) => {
    process.stdin.once("end", ended).once("close", ended);
    signal.addEventListener("abort", () => ended(), { once: true });
    if (signal.aborted) ended();
  });
  await handle.close();
}
