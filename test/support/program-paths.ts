// Where programs.ts has put what tests start in processes of their own.
import { join } from "node:path";
import { inject } from "vitest";

export const commandLineProgram = (): string => join(inject("programs"), "command-line/palimpsest.js");

/** A script by its name without .ts. */
export const scriptProgram = (name: string): string => join(inject("programs"), "scripts", `${name}.js`);
