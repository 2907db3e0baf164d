// How a statement failed, in one line: code, kind and column, or "done" where it did not.
import type { PalimpsestError } from "../../src/index.js";

export const refusal = (run: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(run).then(
    () => "done",
    (error: unknown) => {
      const { code, details } = error as PalimpsestError;
      const { kind, column } = details;
      return [code, kind, column].filter((part) => part !== undefined).join(" ");
    },
  );
