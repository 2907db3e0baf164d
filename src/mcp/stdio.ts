// MCP over standard input and output: nothing but protocol is written there.
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { boundedLines } from "./bounded-lines.js";
import { mcpServer } from "./server.js";
import { MOST_MESSAGE_BYTES, type Service } from "./tool.js";

/** Serves until standard input ends, nobody reads standard output any more, or the signal says so. */
export async function serveOverStdio(
  service: Service,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<void> {
  const tooLong = (byteCount: number): void =>
    warn(`a line of ${byteCount} bytes is passed over: a message has at most ${MOST_MESSAGE_BYTES}`);
  const lines = process.stdin.pipe(boundedLines(MOST_MESSAGE_BYTES, tooLong));
  const transport = new StdioServerTransport(lines, process.stdout);
  const handle = serveStdio(() => mcpServer(service), { transport, onerror: (error) => warn(error.message) });
  await new Promise<void>((ended) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      ended();
    };
    process.stdin.once("close", ended);
    signal.addEventListener("abort", () => ended(), { once: true });
    if (signal.aborted) ended();
  });
  await handle.close();
  process.stdin.unpipe(lines).pause();
}
