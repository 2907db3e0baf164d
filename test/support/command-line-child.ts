// The command line in one process, for many commands one after the other; what each writes is caught and sent back.
// A start of the program takes a quarter of a second, most commands a few milliseconds.
import { Readable } from "node:stream";
import { report } from "../../src/cli/exit.js";
import { program } from "../../src/cli/program.js";

export interface Asked {
  readonly args: readonly string[];
  /** On standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Answered {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

let written: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };

function caught(stream: NodeJS.WriteStream, name: keyof typeof written): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
    written[name].push(typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  };
}
caught(process.stdout, "out");
caught(process.stderr, "err");

/** As src/cli/main.ts does it. */
async function run({ args, input, env }: Asked): Promise<Answered> {
  written = { out: [], err: [] };
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  try {
    await program().parseAsync([process.execPath, "palimpsest", ...args]);
  } catch (error) {
    process.exitCode = report(error);
  }
  const exitCode = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { exitCode, out: Buffer.concat(written.out).toString(), err: Buffer.concat(written.err).toString() };
}

let running = Promise.resolve();
process.on("message", (asked: Asked) => {
  running = running.then(async () => void process.send!(await run(asked)));
});
process.on("disconnect", () => process.exit(0));
