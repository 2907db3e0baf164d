// One batch against the staged head: carving, numbering, chosen keys, the ends of bulk events.
// Collects what it would change; the store takes that over only when every operation went through.

import { PalimpsestError } from "../contract/errors.js";
import { FOREVER, formatInstant, parseInstant } from "./instants.js";
import { greatest, least } from "./interval-set.js";
import { normaliseProps, type Props, textSet } from "./values.js";
import {
  type EdgeId,
  type EndedBy,
  identityText,
  type NodeVersion,
  type Origin,
  type Ref,
  type Version,
} from "./versions.js";

type Operation = Readonly<Record<string, unknown>>;
type Column = ArrayLike<unknown>;

/** What the batch is judged against. */
export interface Head {
  readonly tx: number;
  believedOf(identity: string): readonly Version[];
  seqOf(identity: string): number | undefined;
  /** Whether an identity that was erased since had the chosen key `#n`. */
  isSpent(number: number): boolean;
  readonly lastSeq: number;
  /** False on replay: what finds nothing to correct or retract then takes nothing away, and is no error. */
  readonly isJudged: boolean;
}

export interface Counts {
  operations: number;
  asserted: number;
  retracted: number;
  corrected: number;
  ingested: number;
}

interface Period {
  readonly from: bigint;
  readonly to: bigint;
}

const textOrNull = (text: unknown): string | null => (text === undefined || text === null ? null : String(text));

export class Batch {
  readonly written = new Map<string, Version[]>();
  readonly closed = new Map<Version, { tx: number; by: EndedBy; reason: string | null }>();
  readonly numbered = new Map<string, number>();
  /** The keys that bulk rows got, by operation; undefined for what is no row. */
  readonly keys = new Map<Operation, (string | undefined)[]>();
  readonly counts: Counts = { operations: 0, asserted: 0, retracted: 0, corrected: 0, ingested: 0 };
  lastSeq: number;

  constructor(private readonly head: Head) {
    this.lastSeq = head.lastSeq;
  }

  apply(operation: Operation, position: number): void {
    if (operation.op === "skip_numbers") {
      this.lastSeq += operation.edge_numbers as number; // what a replay leaves of an erased operation
      return;
    }
    this.counts.operations++;
    switch (operation.op) {
      case "assert_node":
        this.counts.asserted++;
        this.assertNode(operation, position);
        break;
      case "assert_edge":
        this.counts.asserted++;
        this.assertEdge(operation, position);
        break;
      case "retract":
        this.counts.retracted++;
        this.retract(operation, position);
        break;
      case "correct":
        this.counts.corrected++;
        this.correct(operation, position);
        break;
      case "ingest_events":
        this.ingest(operation, position);
        break;
      default:
        throw new PalimpsestError("E_SCHEMA", `${String(operation.op)} is not an operation of a batch`);
    }
  }

  private assertNode(operation: Operation, position: number): void {
    const period = periodOf(operation, position);
    const uid = operation.uid as string;
    const labels = textSet((operation.labels as string[] | undefined) ?? []);
    this.carve({ uid }, period, "overwritten", textOrNull(operation.reason));
    this.addNode(uid, labels, normaliseProps(operation.props), period, originOf(operation));
  }

  private assertEdge(operation: Operation, position: number): void {
    const edge = edgeOf(operation);
    this.writeEdge(edge, normaliseProps(operation.props), periodOf(operation, position), originOf(operation));
  }

  private retract(operation: Operation, position: number): void {
    const ref = refOf(operation.ref);
    const period = periodOf(operation, position);
    this.requireOverlap(ref, period, position);
    this.carve(ref, period, "retracted", textOrNull(operation.reason));
  }

  private correct(operation: Operation, position: number): void {
    const ref = refOf(operation.ref);
    const period = periodOf(operation, position);
    const origin = originOf(operation);
    const overlapped = this.requireOverlap(ref, period, position);
    this.carve(ref, period, "corrected", origin.reason);
    if (operation.mode === "patch") {
      for (const version of overlapped) {
        this.add({
          ...patched(version, operation),
          ...origin,
          validFrom: greatest([version.validFrom, period.from]),
          validTo: least([version.validTo, period.to]),
          tx: this.head.tx + 1,
          ending: null,
        });
      }
      return;
    }
    const props = normaliseProps(operation.props);
    if ("uid" in ref)
      this.addNode(ref.uid, textSet((operation.labels as string[] | undefined) ?? []), props, period, origin);
    else this.addEdge(ref, props, period, origin);
  }

  private ingest(operation: Operation, position: number): void {
    const [src, dst, time] = [operation.src as Column, operation.dst as Column, operation.time as Column];
    const origin = originOf(operation);
    const earliest = new Map<string, bigint>();
    const keys: (string | undefined)[] = [];
    this.keys.set(operation, keys);
    for (let row = 0; row < src.length; row++) {
      keys.push(undefined);
      // Only a replay has rows that are holes: what erasing left of them.
      const rowKind = (operation.row_kind as Column | undefined)?.[row] ?? "event";
      if (rowKind === "hole_with_number") this.lastSeq++;
      if (rowKind !== "event") continue;
      this.counts.ingested++;
      const from = parseInstant(time[row]);
      const ends = { src: src[row] as string, dst: dst[row] as string };
      const type = typeof operation.type === "string" ? operation.type : ((operation.type as Column)[row] as string);
      const key = (operation.key as Column | undefined | null)?.[row] as string | null | undefined;
      const edge =
        key === null || key === undefined ? this.chooseKey(ends.src, type, ends.dst) : { ...ends, type, key };
      keys[row] = edge.key;
      const validTo = operation.valid_to as Column | undefined | null;
      const to = validTo === undefined || validTo === null ? from + 1n : parseEnd(validTo[row]);
      const props = normaliseProps((operation.props as Column | undefined | null)?.[row]);
      this.writeEdge(edge, props, checkedPeriod(from, to, position), origin);
      for (const uid of [ends.src, ends.dst]) {
        const before = earliest.get(uid);
        if (before === undefined || from < before) earliest.set(uid, from);
      }
    }
    // Edges never change the belief in a node, so asking now is asking before this operation.
    const labels = textSet((operation.node_labels as string[] | undefined) ?? []);
    for (const [uid, from] of earliest) {
      if (this.believedOf({ uid }).length === 0)
        this.addNode(uid, labels, normaliseProps({}), { from, to: FOREVER }, origin);
    }
  }

  private writeEdge(edge: EdgeId, props: Props, period: Period, origin: Origin): void {
    this.carve(edge, period, "overwritten", origin.reason);
    this.addEdge(edge, props, period, origin);
  }

  /** `#n` with the least n >= seq such that the identity is not yet known or numbered. */
  private chooseKey(src: string, type: string, dst: string): EdgeId {
    for (let n = this.lastSeq + 1; ; n++) {
      const edge = { src, type, dst, key: `#${n}` };
      if (this.seqOf(identityText(edge)) !== undefined || this.head.isSpent(n)) continue;
      return edge;
    }
  }

  private seqOf(identity: string): number | undefined {
    return this.head.seqOf(identity) ?? this.numbered.get(identity);
  }

  private believedOf(ref: Ref): Version[] {
    const identity = identityText(ref);
    const earlier = this.head.believedOf(identity).filter((version) => !this.closed.has(version));
    return [...earlier, ...(this.written.get(identity) ?? [])];
  }

  private overlappedBy(ref: Ref, period: Period): Version[] {
    return this.believedOf(ref).filter((version) => version.validFrom < period.to && period.from < version.validTo);
  }

  private requireOverlap(ref: Ref, period: Period, position: number): Version[] {
    const overlapped = this.overlappedBy(ref, period);
    if (overlapped.length > 0 || !this.head.isJudged) return overlapped;
    throw new PalimpsestError("E_NOT_FOUND", `nothing is believed of ${identityText(ref)} in that interval`, {
      details: { operation: position },
    });
  }

  /** Closes what an earlier commit wrote, makes vanish what this batch wrote, and leaves the fragments outside. */
  private carve(ref: Ref, period: Period, by: EndedBy, reason: string | null): void {
    const tx = this.head.tx + 1;
    const identity = identityText(ref);
    for (const version of this.overlappedBy(ref, period)) {
      if (version.tx === tx)
        this.written.set(
          identity,
          this.written.get(identity)!.filter((other) => other !== version),
        );
      else this.closed.set(version, { tx, by, reason });
      const fragment = { ...version, tx, ending: null };
      if (version.validFrom < period.from) this.add({ ...fragment, validTo: period.from });
      if (period.to < version.validTo) this.add({ ...fragment, validFrom: period.to });
    }
  }

  private addNode(uid: string, labels: readonly string[], props: Props, period: Period, origin: Origin): void {
    const content = { kind: "node" as const, uid, labels, props };
    this.add({ ...content, ...origin, validFrom: period.from, validTo: period.to, tx: this.head.tx + 1, ending: null });
  }

  private addEdge(edge: EdgeId, props: Props, period: Period, origin: Origin): void {
    const identity = identityText(edge);
    let seq = this.seqOf(identity);
    if (seq === undefined) {
      seq = ++this.lastSeq;
      this.numbered.set(identity, seq);
    }
    const { src, type, dst, key } = edge;
    const content = { kind: "edge" as const, src, type, dst, key, seq, props };
    this.add({ ...content, ...origin, validFrom: period.from, validTo: period.to, tx: this.head.tx + 1, ending: null });
  }

  private add(version: Version): void {
    const identity = identityText(version);
    this.written.set(identity, [...(this.written.get(identity) ?? []), version]);
  }
}

function originOf(operation: Operation): Origin {
  return {
    source: textOrNull(operation.source),
    provenanceRef: textOrNull(operation.provenance_ref),
    reason: textOrNull(operation.reason),
  };
}

function edgeOf(fields: Readonly<Record<string, unknown>>): EdgeId {
  const { src, type, dst } = fields as unknown as EdgeId;
  return { src, type, dst, key: (fields.key as string | undefined) ?? "" };
}

/** `{uid}` or `{src, type, dst, key = ""}`. */
export function refOf(input: unknown): Ref {
  const fields = input as Record<string, unknown>;
  return typeof fields.uid === "string" ? { uid: fields.uid } : edgeOf(fields);
}

function parseEnd(input: unknown): bigint {
  return input === undefined || input === null ? FOREVER : parseInstant(input, { isEnd: true });
}

function periodOf(operation: Operation, position: number): Period {
  return checkedPeriod(parseInstant(operation.valid_from), parseEnd(operation.valid_to), position);
}

function checkedPeriod(from: bigint, to: bigint, position: number): Period {
  if (from < to) return { from, to };
  throw new PalimpsestError("E_PERIOD_ORDER", `${formatInstant(from)} is not before ${formatInstant(to)}`, {
    details: { operation: position },
  });
}

/** Labels are added, then removed; properties merge, a null removes. */
function patched(version: Version, operation: Operation): Version {
  const props: Props = Object.assign(Object.create(null), version.props); // no prototype: "__proto__" is a name too
  for (const [name, value] of Object.entries((operation.props as Record<string, unknown> | undefined) ?? {})) {
    delete props[name];
    Object.assign(props, normaliseProps({ [name]: value }));
  }
  if (version.kind === "edge") return { ...version, props };
  const removed = new Set((operation.remove_labels as string[] | undefined) ?? []);
  const labels = textSet([...version.labels, ...((operation.add_labels as string[] | undefined) ?? [])]);
  const node: NodeVersion = { ...version, props, labels: labels.filter((label) => !removed.has(label)) };
  return node;
}
