// The records of a file that are refused: the first ones are told, all are counted, and kept where a file is named for them.
import type { PalimpsestError } from "../../contract/errors.js";
import { RejectsFile } from "../../interchange/rejects.js";
import { note } from "../output.js";

/** Refusals that are shown one by one; the rest is only counted. */
const SHOWN_REFUSALS = 20;

export class Refusals {
  count = 0;
  private readonly file: RejectsFile | null;

  constructor(path: string | undefined, loaded: string) {
    this.file = path === undefined ? null : new RejectsFile(path, loaded);
  }

  readonly add = (error: PalimpsestError, record?: Uint8Array): void => {
    this.count += 1;
    this.file?.add(error, record);
    if (this.count <= SHOWN_REFUSALS) note(`skipped: ${error.message}`);
    if (this.count === SHOWN_REFUSALS + 1) note("skipped: more records, which are counted but not shown");
  };

  keep(): void {
    this.file?.keep();
  }

  drop(): void {
    this.file?.drop();
  }
}
