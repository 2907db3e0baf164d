// What a statement is compiled against: the store's names, the parameters, the zone, the clock, and defaults of time.
// Given once per statement, so that all its parts see one store and one now.
import type { Catalogue } from "./catalogue.js";
import type { TimeDefaults } from "./periods.js";

export interface CompileContext {
  readonly catalogue: Catalogue;
  /** Null while a statement is only looked at: then every parameter stands for some value of the right type. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** The zone that was set; null where none was, which means UTC and refuses local times. */
  readonly zone: string | null;
  /** CURRENT_TIMESTAMP. */
  readonly nowUs: bigint;
  /** What SET DEFAULT holds. */
  readonly session: TimeDefaults;
  /** The commit that a block pins. */
  readonly blockTx: number | null;
}

export const zoneInForce = ({ zone }: Pick<CompileContext, "zone">): string => zone ?? "UTC";

export interface Notice {
  /** `W_…` */
  readonly code: string;
  readonly message: string;
}
