// What the variables of a MATCH stand for when they are written: versions, or entities with every version of theirs.
// Looks at the syntax tree alone.
import type { Chain, Expr, Labels, MatchClause, Name } from "../../../grammar/ast.js";
import { refuse, unknownName } from "../compile/problem.js";

/** `version`: a node without edges, bound as NODES does; `entity`: a node that has edges, bound by uid. */
export type Bound = "edge" | "version" | "entity";

export interface Variable {
  readonly name: Name;
  readonly bound: Bound;
  /** Labels or types of which each bound version has one; null where that is not known. */
  readonly names: readonly string[] | null;
  /** Of a node that is matched by its uid: what it equals. */
  readonly uid: Expr | null;
}

export type Variables = ReadonlyMap<string, Variable>;

function addChain(chain: Chain, into: Map<string, Variable>): void {
  const { nodes, links } = chain;
  for (const { variable: name, labels, map } of nodes) {
    if (name === null) continue;
    const known = into.get(name.text);
    const bound: Bound = links.length > 0 || known?.bound === "entity" ? "entity" : "version";
    // The versions of an entity may have other labels than the one that was matched.
    const names = bound === "entity" ? null : (known?.names ?? plainNames(labels));
    const uid = map?.entries.find(({ key }) => key.text === "uid")?.value ?? known?.uid ?? null;
    into.set(name.text, { name, bound, names, uid });
  }
  for (const link of links) {
    if (link.kind === "edge" && link.variable !== null) {
      into.set(link.variable.text, { name: link.variable, bound: "edge", names: plainNames(link.labels), uid: null });
    }
  }
}

/** Names of which whatever passes has at least one. */
function plainNames(labels: Labels | null): readonly string[] | null {
  switch (labels?.kind) {
    case "label":
      return [labels.name.text];
    case "or": {
      const names = labels.of.map(plainNames);
      return names.includes(null) ? null : names.flatMap((each) => each!);
    }
    case "and":
      return labels.of.map(plainNames).find((names) => names !== null) ?? null;
    default:
      return null;
  }
}

/** In the order of the patterns: at each link the node before it comes first. */
export function variablesOf(clauses: readonly MatchClause[]): Variables {
  const found = new Map<string, Variable>();
  for (const { patterns } of clauses) for (const { chain } of patterns) addChain(chain, found);
  return found;
}

export function boundVariable(name: Name, variables: Variables): Variable {
  const variable = variables.get(name.text);
  if (variable !== undefined) return variable;
  const known = [...variables.keys()];
  const otherwise = known.length === 0 ? "name a node or an edge of the MATCH" : `bound are ${known.join(", ")}`;
  return unknownName(name, `no variable ${JSON.stringify(name.text)} is bound`, name.text, known, otherwise);
}

/** Names that every element has: they say who it is, or when, and no SET changes them. */
const OWN_NAMES: Readonly<Record<"node" | "edge", readonly string[]>> = {
  node: ["uid", "labels", "props"],
  edge: ["src", "dst", "type", "key", "props", "seq"],
};
const TIMES = [
  "valid_from",
  "valid_to",
  "valid_time",
  "tx_from",
  "tx_to",
  "transaction_time",
  "tx",
  "ended_by",
  "ended_reason",
  "reason",
  "source",
  "provenance_ref",
];

/** Refuses a name that is no property where a property is written. */
export function checkProperty(name: Name, kind: "node" | "edge"): void {
  const { text } = name;
  if (OWN_NAMES[kind].includes(text)) {
    refuse(
      "E_SCHEMA",
      "identity_field",
      name,
      `${text} is part of what ${kind === "node" ? "a node" : "an edge"} is, and is not changed`,
      `a property of that name is written {props: {${text}: …}}`,
      { found: text },
    );
  }
  if (TIMES.includes(text)) {
    refuse(
      "E_SCHEMA",
      "pseudo_column",
      name,
      `${text} is kept by the store`,
      text.startsWith("valid")
        ? "the time of a write stands in its FOR … VALID_TIME"
        : "a write's reason is BECAUSE '…'",
      { found: text },
    );
  }
}
