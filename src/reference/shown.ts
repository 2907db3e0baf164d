// How versions stand in answers: the row shapes of docs/contract.md A3, shared by the operators.

import { formatEnd, formatInstant } from "./instants.js";
import type { Row } from "./lists.js";
import type { Props } from "./values.js";
import { isNode, type Version } from "./versions.js";

/** The commit times, by number. */
export type TimeOfTx = (tx: number) => bigint;

/** null shows nothing, "all" everything, names those that are not null. */
export type Projection = null | "all" | readonly string[];

export function project(props: Props, projection: Projection): Props | null {
  if (projection === null) return null;
  if (projection === "all") return props;
  return Object.fromEntries(
    projection.filter((name) => Object.hasOwn(props, name)).map((name) => [name, props[name]!]),
  );
}

export function identityFields(version: Version): Row {
  if (isNode(version)) return { uid: version.uid };
  return { src: version.src, type: version.type, dst: version.dst, key: version.key };
}

/** Content, interval, belief and origin: all that a NodeVersion and an EdgeVersion have in common, less the properties. */
export function beliefFields(version: Version, timeOf: TimeOfTx): Row {
  return {
    valid_from: formatInstant(version.validFrom),
    valid_to: formatEnd(version.validTo),
    tx_from: formatInstant(timeOf(version.tx)),
    tx_to: version.ending === null ? null : formatInstant(timeOf(version.ending.tx)),
    ended_by: version.ending?.by ?? null,
    ended_reason: version.ending?.reason ?? null,
    source: version.source,
    provenance_ref: version.provenanceRef,
    reason: version.reason,
  };
}

/** NodeVersion or EdgeVersion. */
export function versionRow(version: Version, timeOf: TimeOfTx): Row {
  const labels = isNode(version) ? { labels: version.labels } : {};
  return { ...identityFields(version), ...labels, props: version.props, ...beliefFields(version, timeOf) };
}
