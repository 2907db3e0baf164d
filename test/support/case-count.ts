// How many random cases a property test runs: 25, or what PALIMPSEST_ORACLE says (`npm run test:oracle`: 500).
// PALIMPSEST_FIRST_SEED begins elsewhere, to repeat one case that failed.

export const CASE_COUNT = Number(process.env.PALIMPSEST_ORACLE ?? 25);
export const FIRST_SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? 1);

/** The seeds of a test; each names its case in the output. */
export const SEEDS: readonly number[] = Array.from({ length: CASE_COUNT }, (_, i) => FIRST_SEED + i);
