// How closely a server is asked to keep a model to the form of plans.

/**
 * `shape`: the skeleton of a plan and the names of operators; `full`: every argument, too; `off`: nothing. A statement of TQL
 * has no form beside its three members.
 */
export const GUIDED = ["shape", "full", "off"] as const;
export type Guided = (typeof GUIDED)[number];
