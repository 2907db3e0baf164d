// Types of bundle.mjs for the tests that use it.
export function bundle(entryPoints: { in: string; out: string }[], outdir: string): Promise<void>;
export function bundleCommandLine(outfile: string): Promise<void>;
