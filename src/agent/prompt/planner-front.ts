// What a front of the planner is: the language that plans are written in, as far as its system text goes.
import type { JsonObject } from "../../contract/values.js";

/** A question over an invented store, and what a planner writes for it. */
export interface PlannerExample {
  readonly kind:
    | "total"
    | "top"
    | "aggregate"
    | "reach then motif"
    | "pattern with absence"
    | "past belief"
    | "set difference";
  readonly question: string;
  readonly written: JsonObject;
  /** The operators that it calls. */
  readonly operators: readonly string[];
}

/** The texts of a front; those of a small context say the same in fewer words. */
export interface PlannerFront {
  /** `planner-json:2`: raised with every change of a text. */
  readonly version: string;
  readonly role: string;
  readonly form: string;
  readonly briefForm: string;
  /** The operators, or all of them for null; with whatever else plans of the front are made of. */
  readonly manual: (operators: ReadonlySet<string> | null) => string;
  readonly examples: readonly PlannerExample[];
}
