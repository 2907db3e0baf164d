// The refusal of a check: what was kept is not what comes out now.
import { PalimpsestError } from "../contract/errors.js";

export const differs = (message: string, details: object): PalimpsestError =>
  new PalimpsestError("E_STATE", message, {
    details: { ...details },
    hint: "the trace, the store or the program is another than when the trace was made",
  });
