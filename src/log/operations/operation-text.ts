// The canonical JSON of operations in normal form: what the log holds. What was not given is left out.
import { canonicalJson, canonicalString } from "../../contract/canonical.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import { type Attribution, type Erasing, isNodeRef, type Operation, type Ref, type RowOperation } from "./types.js";

const member = (name: string, text: string | undefined): string =>
  text === undefined ? "" : `"${name}":${canonicalString(text)},`;

const refText = (ref: Ref): string =>
  isNodeRef(ref)
    ? `{"uid":${canonicalString(ref.uid)}}`
    : `{"dst":${canonicalString(ref.dst)},"key":${canonicalString(ref.key)},"src":${canonicalString(ref.src)},"type":${canonicalString(ref.type)}}`;

const labelsText = (labels: readonly string[]): string => `[${labels.map(canonicalString).join(",")}]`;

function periodText({ period }: RowOperation): string {
  const to = period.toUs === OPEN_END_US ? "null" : `"${formatInstant(period.toUs)}"`;
  return `"valid_from":"${formatInstant(period.fromUs)}","valid_to":${to}}`;
}

const originText = (by: Attribution): string =>
  `${member("provenance_ref", by.provenanceRef)}${member("reason", by.reason)}`;

/** `props` where there are any. */
const propsText = (props: JsonObject): string => {
  const text = canonicalJson(props);
  return text === "{}" ? "" : `"props":${text},`;
};

function assertionText(operation: RowOperation & { kind: "assert" }): string {
  const { ref, by } = operation;
  const middle = `${propsText(operation.props)}${originText(by)}${member("source", by.source)}`;
  if (isNodeRef(ref)) {
    const labels = labelsText(operation.labels ?? []);
    return `{"labels":${labels},"op":"assert_node",${middle}"uid":${canonicalString(ref.uid)},${periodText(operation)}`;
  }
  const before = `"dst":${canonicalString(ref.dst)},"key":${canonicalString(ref.key)},"op":"assert_edge",`;
  const source = member("source", by.source);
  return `{${before}${propsText(operation.props)}${originText(by)}${source}"src":${canonicalString(ref.src)},"type":${canonicalString(ref.type)},${periodText(operation)}`;
}

function correctionText(operation: RowOperation & { kind: "replace" | "patch" }): string {
  const { ref, by } = operation;
  const isNode = isNodeRef(ref);
  const rest = `"ref":${refText(ref)},`;
  const isPatch = operation.kind === "patch";
  const add = isPatch && operation.addLabels.length > 0 ? `"add_labels":${labelsText(operation.addLabels)},` : "";
  const remove =
    isPatch && operation.removeLabels.length > 0 ? `"remove_labels":${labelsText(operation.removeLabels)},` : "";
  const labels = !isPatch && isNode ? `"labels":${labelsText(operation.labels ?? [])},` : "";
  const head = `{${add}${labels}"mode":"${operation.kind}","op":"correct",${propsText(operation.props)}`;
  return `${head}${originText(by)}${rest}${remove}${member("source", by.source)}${periodText(operation)}`;
}

/** Keys sort by UTF-16 unit, as canonical JSON has them. Columns of bulk events are not part of it. */
export function operationText(operation: Exclude<Operation, Erasing>): string {
  const { by } = operation;
  switch (operation.kind) {
    case "assert":
      return assertionText(operation);
    case "retract": {
      const rest = `"ref":${refText(operation.ref)},${member("source", by.source)}${periodText(operation)}`;
      return `{"op":"retract",${originText(by)}${rest}`;
    }
    case "replace":
    case "patch":
      return correctionText(operation);
    case "events": {
      const source = by.source === undefined ? "" : `,"source":${canonicalString(by.source)}`;
      const provenance = by.provenanceRef === undefined ? "" : `,"provenance_ref":${canonicalString(by.provenanceRef)}`;
      const reason = by.reason === undefined ? "" : `,"reason":${canonicalString(by.reason)}`;
      return `{"node_labels":${labelsText(operation.nodeLabels)},"op":"ingest_events"${provenance}${reason}${source}}`;
    }
  }
}
