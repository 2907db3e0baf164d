export function bundleChevrotain(outfile?: string): Promise<void>;
export function isChevrotainFresh(): boolean;
