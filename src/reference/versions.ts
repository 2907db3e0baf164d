// What a version is, which versions a pin shows, and the spells and events among them.
// Plain arrays; everything is read off the definitions of docs/contract.md "Graph", A4 and A5.

import { compareInstants, compareTexts, type Props } from "./values.js";

export type EndedBy = "overwritten" | "retracted" | "corrected";

export interface EdgeId {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly key: string;
}
export type Ref = { readonly uid: string } | EdgeId;

export interface Origin {
  readonly source: string | null;
  readonly provenanceRef: string | null;
  readonly reason: string | null;
}

interface VersionFields extends Origin {
  readonly props: Props;
  readonly validFrom: bigint;
  readonly validTo: bigint;
  readonly tx: number;
  /** The commit that ended the belief, with its manner and reason; null while it is believed. */
  ending: { readonly tx: number; readonly by: EndedBy; readonly reason: string | null } | null;
}
export interface NodeVersion extends VersionFields {
  readonly kind: "node";
  readonly uid: string;
  readonly labels: readonly string[];
}
export interface EdgeVersion extends VersionFields, EdgeId {
  readonly kind: "edge";
  readonly seq: number;
}
export type Version = NodeVersion | EdgeVersion;

export interface Spell {
  readonly versions: readonly EdgeVersion[];
  readonly from: bigint;
  readonly to: bigint;
}

/** The parts of an identity in the order in which identities sort. */
export function identityOf(of: Version | Ref): string[] {
  return "uid" in of ? [of.uid] : [of.src, of.type, of.dst, of.key];
}

export function identityText(of: Version | Ref): string {
  return JSON.stringify(identityOf(of));
}

export function isNode(version: Version): version is NodeVersion {
  return version.kind === "node";
}

export function isEdge(version: Version): version is EdgeVersion {
  return version.kind === "edge";
}

/** Nodes before edges, then identity, then valid_from. */
export function compareVersions(a: Version, b: Version): number {
  if (a.kind !== b.kind) return a.kind === "node" ? -1 : 1;
  return compareTexts(identityOf(a), identityOf(b)) || compareInstants(a.validFrom, b.validFrom);
}

/** Written at or before the pin, with what ended it after the pin hidden. */
export function writtenAt(versions: readonly Version[], pin: number): Version[] {
  return versions
    .filter((version) => version.tx <= pin)
    .map((version) => (version.ending !== null && version.ending.tx > pin ? { ...version, ending: null } : version));
}

export function believedAt(versions: readonly Version[], pin: number): Version[] {
  return writtenAt(versions, pin).filter((version) => version.ending === null);
}

export function isValidAt(version: Version, at: bigint): boolean {
  return version.validFrom <= at && at < version.validTo;
}

export function overlaps(version: Version, from: bigint, to: bigint): boolean {
  return version.validFrom < to && from < version.validTo;
}

/** Maximal runs in which each begins where the one before ends. The versions are of one identity and sorted. */
export function runs<T extends Version>(versions: readonly T[]): T[][] {
  const found: T[][] = [];
  for (const version of versions) {
    const run = found.at(-1);
    if (run !== undefined && run.at(-1)!.validTo === version.validFrom) run.push(version);
    else found.push([version]);
  }
  return found;
}

/** The spells of every edge identity among believed versions. */
export function spellsOf(believed: readonly Version[]): Spell[] {
  const identities = new Map<string, EdgeVersion[]>();
  for (const version of believed.filter(isEdge).sort(compareVersions)) {
    const text = identityText(version);
    identities.set(text, [...(identities.get(text) ?? []), version]);
  }
  return [...identities.values()].flatMap((versions) =>
    runs(versions).map((run) => ({ versions: run, from: run[0]!.validFrom, to: run.at(-1)!.validTo })),
  );
}

/** The uids that versions written at or before the pin name as node or as edge end. */
export function knownUids(versions: readonly Version[], pin: number): Set<string> {
  const known = new Set<string>();
  for (const version of versions) {
    if (version.tx > pin) continue;
    for (const uid of isNode(version) ? [version.uid] : [version.src, version.dst]) known.add(uid);
  }
  return known;
}
