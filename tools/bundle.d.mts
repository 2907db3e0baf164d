// Types of bundle.mjs for the tests that use it.
export function bundleCommandLine(outfile: string): Promise<void>;
