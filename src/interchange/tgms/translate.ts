// What a batch of that system is in operations of this one, given what is believed when it comes.
// The rules were found in its own answers: which version a retraction cuts, what keeps its label, which batches fail.
import { OPEN_END_US } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import type { Beliefs } from "./beliefs.js";
import type { Notes, TgmsEvent, TgmsOperation, TgmsRef } from "./record.js";
import { endOf, type Stretch } from "./shapes.js";

/** An operation as `write` takes it. */
export type TranslatedOperation =
  | (Notes &
      Period &
      (
        | {
            readonly op: "assert_node";
            readonly uid: string;
            readonly labels: readonly string[];
            readonly props: JsonObject;
          }
        | {
            readonly op: "assert_edge";
            readonly src: string;
            readonly type: string;
            readonly dst: string;
            readonly key: string;
            readonly props: JsonObject;
          }
        | { readonly op: "retract"; readonly ref: TgmsRef }
        | {
            readonly op: "correct";
            readonly ref: TgmsRef;
            readonly props: JsonObject;
            readonly labels?: readonly string[];
          }
      ))
  | TranslatedEvents;

interface Period {
  readonly valid_from: bigint;
  readonly valid_to: bigint | null;
}

type TranslatedEvents = Notes & {
  readonly op: "ingest_events";
  readonly src: string[];
  readonly dst: string[];
  readonly type: string[];
  readonly key: string[];
  readonly time: bigint[];
  readonly valid_to: (bigint | null)[];
  readonly props: JsonObject[];
  readonly node_labels: readonly string[];
};

/** Why a batch changes nothing, there and here. */
export class BatchFails extends Error {}

const shown = (ref: TgmsRef): string =>
  "uid" in ref ? JSON.stringify(ref.uid) : JSON.stringify([ref.src, ref.type, ref.dst, ref.key]);

const labelsOf = (label: string | undefined): readonly string[] => (label === undefined ? [] : [label]);
const periodOf = ({ fromUs, toUs }: Stretch): Period => ({ valid_from: fromUs, valid_to: endOf(toUs) });

async function translateAssertion(
  { ref, label, props, period, notes }: Extract<TgmsOperation, { kind: "assert" }>,
  beliefs: Beliefs,
): Promise<TranslatedOperation> {
  const labels = labelsOf(label);
  await beliefs.write(ref, period, labels);
  const given = { props, ...periodOf(period), ...notes };
  return "uid" in ref ? { op: "assert_node", ...ref, labels, ...given } : { op: "assert_edge", ...ref, ...given };
}

/** Cuts the one version that holds at `atUs`, from there to its own end. */
async function translateRetraction(
  { ref, atUs, notes }: Extract<TgmsOperation, { kind: "retract" }>,
  beliefs: Beliefs,
): Promise<TranslatedOperation> {
  const version = await beliefs.at(ref, atUs);
  if (version === undefined) throw new BatchFails(`no version of ${shown(ref)} holds at ${atUs}`);
  const cut = { fromUs: atUs, toUs: version.toUs };
  await beliefs.carve(ref, cut);
  return { op: "retract", ref, ...periodOf(cut), ...notes };
}

/** Writes the whole interval anew; a node keeps its label, so that all versions it replaces must share one. */
async function translateCorrection(
  { ref, props, period, notes }: Extract<TgmsOperation, { kind: "correct" }>,
  beliefs: Beliefs,
): Promise<TranslatedOperation> {
  const replaced = await beliefs.overlapping(ref, period);
  const [first] = replaced;
  if (first === undefined) throw new BatchFails(`no version of ${shown(ref)} overlaps the correction`);
  const { labels } = first;
  if (replaced.some((version) => version.labels.join("\0") !== labels.join("\0"))) {
    throw new BatchFails(`the correction of ${shown(ref)} overlaps versions with different labels`);
  }
  await beliefs.write(ref, period, labels);
  return { op: "correct", ref, ...("uid" in ref ? { labels } : {}), props, ...periodOf(period), ...notes };
}

/** Nodes without any believed version hold from their earliest event on; the store does the same when it takes them. */
async function believeEnds(events: readonly TgmsEvent[], labels: readonly string[], beliefs: Beliefs): Promise<void> {
  const earliest = new Map<string, bigint>();
  for (const { src, dst, fromUs } of events) {
    for (const uid of [src, dst]) {
      const known = earliest.get(uid);
      if (known === undefined || fromUs < known) earliest.set(uid, fromUs);
    }
  }
  for (const [uid, fromUs] of earliest) {
    if (await beliefs.isUnknown({ uid })) await beliefs.write({ uid }, { fromUs, toUs: OPEN_END_US }, labels);
  }
}

async function translateEvents(
  { events, label, notes }: Extract<TgmsOperation, { kind: "events" }>,
  beliefs: Beliefs,
): Promise<TranslatedEvents> {
  const labels = labelsOf(label);
  await believeEnds(events, labels, beliefs);
  for (const { src, type, dst, key, fromUs, toUs } of events) {
    await beliefs.write({ src, type, dst, key }, { fromUs, toUs }, []);
  }
  return {
    op: "ingest_events",
    src: events.map(({ src }) => src),
    dst: events.map(({ dst }) => dst),
    type: events.map(({ type }) => type),
    key: events.map(({ key }) => key),
    time: events.map(({ fromUs }) => fromUs),
    valid_to: events.map(({ toUs }) => endOf(toUs)),
    props: events.map(({ props }) => props),
    node_labels: labels,
    ...notes,
  };
}

/** The batch in operations of this database, believed from now on; BatchFails for one that changes nothing. */
export async function translateBatch(
  operations: readonly TgmsOperation[],
  beliefs: Beliefs,
): Promise<readonly TranslatedOperation[]> {
  const translated: TranslatedOperation[] = [];
  for (const operation of operations) translated.push(await translate(operation, beliefs));
  return translated;
}

function translate(operation: TgmsOperation, beliefs: Beliefs): Promise<TranslatedOperation> {
  switch (operation.kind) {
    case "assert":
      return translateAssertion(operation, beliefs);
    case "retract":
      return translateRetraction(operation, beliefs);
    case "correct":
      return translateCorrection(operation, beliefs);
    case "events":
      return translateEvents(operation, beliefs);
  }
}
