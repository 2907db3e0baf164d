// Long text through $PAGER, else `less -SR`; where neither runs, the caller writes it plainly.
import { spawn } from "node:child_process";

const FALLBACK = "less -SR";
/** What the shell says of a command that it does not find. */
const NOT_FOUND = 127;

/** Shows the text and waits until the reader leaves; false when there is no pager. */
export async function page(text: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const command = environment.PAGER ?? FALLBACK;
  if (command.trim() === "") return false;
  const child = spawn("/bin/sh", ["-c", command], {
    stdio: ["pipe", "inherit", "pipe"],
    // Colours and long lines also for a bare `less`.
    env: { LESS: "SR", ...environment },
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  // A reader who leaves early closes the pipe: that is no failure.
  child.stdin.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  child.stdin.end(text);
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (exitCode === NOT_FOUND) return false;
  if (complaint !== "") process.stderr.write(complaint);
  return true;
}
