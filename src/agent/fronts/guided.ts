// How closely a server is asked to keep a model to the form of plans.
import { refuse } from "../option-checks.js";

/**
 * `shape`: the skeleton of a plan and the names of operators; `full`: every argument, too; `grammar`: every word of a
 * statement of TQL; `off`: nothing. As a schema a statement of TQL has no form beside its three members.
 */
export const GUIDED = ["shape", "full", "grammar", "off"] as const;
export type Guided = (typeof GUIDED)[number];

/** How closely plans in JSON can be kept: the grammar is one of TQL. */
export function guidedJson(guided: Guided): Exclude<Guided, "grammar"> {
  if (guided !== "grammar") return guided;
  return refuse(
    'guided "grammar" is for statements of TQL, and the front is "json"',
    'take front "tql", or guided "full"',
  );
}
