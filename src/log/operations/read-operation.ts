// One operation as a caller gives it, judged by itself and brought into normal form (docs/contract.md "Writes").
// E_SCHEMA for its shape, E_INVALID_ARG, E_PERIOD_ORDER and E_LIMIT for its values; never looks at a store.
import { PalimpsestError } from "../../contract/errors.js";
import { LIMITS, utf8Bytes } from "../../contract/values.js";
import {
  asObject,
  attribution,
  checkKeys,
  edgeRef,
  type Fields,
  labelSet,
  limitError,
  period,
  properties,
  reference,
  schemaError,
  textField,
} from "./fields.js";
import { operationText } from "./operation-text.js";
import { readEvents } from "./read-events.js";
import { type Erasing, isNodeRef, type Operation, type Patch, type Replacement, type RowOperation } from "./types.js";

const COMMON = ["op", "source", "provenance_ref", "reason"];
const PERIOD = ["valid_from", "valid_to"];
const ASSERT_NODE = new Set([...COMMON, ...PERIOD, "uid", "labels", "props"]);
const ASSERT_EDGE = new Set([...COMMON, ...PERIOD, "src", "type", "dst", "key", "props"]);
const RETRACT = new Set([...COMMON, ...PERIOD, "ref"]);
const CORRECT = [...COMMON, ...PERIOD, "ref", "mode", "props"];
const REPLACE_NODE = new Set([...CORRECT, "labels"]);
const PATCH_NODE = new Set([...CORRECT, "add_labels", "remove_labels"]);
const CORRECT_EDGE = new Set(CORRECT);
const ERASE = new Set([...COMMON, "ref"]);

/** Bytes of canonical JSON at most: a UTF-16 unit takes six as an escape, a number 24. */
function roughBytes(value: unknown): number {
  if (typeof value === "string") return 6 * value.length + 2;
  if (typeof value !== "object" || value === null) return 24;
  let sum = 2;
  for (const name of Object.keys(value)) sum += 6 * name.length + 4 + roughBytes((value as Fields)[name]);
  return sum;
}

/** A version that is larger than one may be is refused before anything is logged. Only doubtful ones are printed. */
function checkSize(operation: RowOperation, where: string): RowOperation {
  if (roughBytes(operation) <= LIMITS.versionBytes) return operation;
  const byteCount = utf8Bytes(operationText(operation));
  if (byteCount <= LIMITS.versionBytes) return operation;
  throw limitError(where, `a version of ${byteCount} bytes of canonical JSON is larger than ${LIMITS.versionBytes}`);
}

function readCorrection(fields: Fields, where: string): Replacement | Patch {
  const ref = reference(fields.ref, `${where}/ref`);
  const mode = fields.mode ?? "replace";
  if (mode !== "replace" && mode !== "patch") throw schemaError(`${where}/mode`, '"replace" or "patch" belongs here');
  const isNode = isNodeRef(ref);
  checkKeys(fields, isNode ? (mode === "replace" ? REPLACE_NODE : PATCH_NODE) : CORRECT_EDGE, where);
  const common = { ref, by: attribution(fields, where), period: period(fields, where) };
  if (mode === "replace") {
    if (isNode && fields.labels === undefined) {
      throw schemaError(`${where}/labels`, "is missing", 'mode "replace" writes the labels anew; "patch" keeps them');
    }
    const labels = isNode ? labelSet(fields.labels, `${where}/labels`) : undefined;
    return { kind: "replace", ...common, labels, props: properties(fields.props, `${where}/props`, false) };
  }
  return {
    kind: "patch",
    ...common,
    addLabels: labelSet(fields.add_labels, `${where}/add_labels`),
    removeLabels: labelSet(fields.remove_labels, `${where}/remove_labels`),
    props: properties(fields.props, `${where}/props`, true),
  };
}

function readErase(fields: Fields, where: string, isAlone: boolean): Erasing {
  checkKeys(fields, ERASE, where);
  const ref = reference(fields.ref, `${where}/ref`);
  const by = attribution(fields, where);
  if (isAlone) return { kind: "erase", by, ref };
  throw new PalimpsestError("E_INVALID_ARG", `${where}: erase stands alone in its batch`, {
    details: { path: where },
    hint: "write it as a batch of its own",
  });
}

/** `where` is the JSON pointer of the operation in its batch; `isAlone` when it is the only one there. */
export function readOperation(value: unknown, where: string, isAlone: boolean): Operation {
  const operation = readFields(asObject(value, where), where, isAlone);
  return operation.kind === "events" || operation.kind === "erase" ? operation : checkSize(operation, where);
}

function readFields(fields: Fields, where: string, isAlone: boolean): Operation {
  switch (fields.op) {
    case "assert_node":
      checkKeys(fields, ASSERT_NODE, where);
      return {
        kind: "assert",
        ref: { uid: textField(fields.uid, LIMITS.uidBytes, `${where}/uid`) },
        by: attribution(fields, where),
        period: period(fields, where),
        labels: labelSet(fields.labels, `${where}/labels`),
        props: properties(fields.props, `${where}/props`, false),
      };
    case "assert_edge":
      checkKeys(fields, ASSERT_EDGE, where);
      return {
        kind: "assert",
        ref: edgeRef(fields, where),
        by: attribution(fields, where),
        period: period(fields, where),
        labels: undefined,
        props: properties(fields.props, `${where}/props`, false),
      };
    case "retract":
      checkKeys(fields, RETRACT, where);
      return {
        kind: "retract",
        ref: reference(fields.ref, `${where}/ref`),
        by: attribution(fields, where),
        period: period(fields, where),
      };
    case "correct":
      return readCorrection(fields, where);
    case "ingest_events":
      return readEvents(fields, where);
    case "erase":
      return readErase(fields, where, isAlone);
    default:
      throw schemaError(
        `${where}/op`,
        `${JSON.stringify(fields.op) ?? "nothing"} is no operation`,
        "known: assert_node, assert_edge, retract, correct, ingest_events, erase",
      );
  }
}
