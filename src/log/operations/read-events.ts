// The bulk operation as it stands in a JSON batch: columns of JavaScript values, brought into normal form.
// Large loads come as typed columns and never pass here.
import { PalimpsestError } from "../../contract/errors.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import { LIMITS } from "../../contract/values.js";
import { attribution, checkKeys, type Fields, labelSet, properties, schemaError, textField } from "./fields.js";
import type { IngestEvents } from "./types.js";

const KNOWN = new Set([
  "op",
  "src",
  "dst",
  "time",
  "type",
  "key",
  "valid_to",
  "props",
  "node_labels",
  "source",
  "provenance_ref",
  "reason",
]);

function column(fields: Fields, name: string, where: string): ArrayLike<unknown> {
  const value = fields[name];
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return value as unknown as ArrayLike<unknown>;
  }
  throw schemaError(`${where}/${name}`, value === undefined ? "is missing" : "an array belongs here");
}

/** A column that may be left out or null. */
function optionalColumn(fields: Fields, name: string, where: string): ArrayLike<unknown> | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : column(fields, name, where);
}

function texts(values: ArrayLike<unknown>, limit: number, where: string): string[] {
  return Array.from(values, (value, i) => textField(value, limit, `${where}/${i}`));
}

function instants(values: ArrayLike<unknown>, where: string, parse: typeof parseInstant): BigInt64Array {
  const out = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i += 1) out[i] = parse(values[i], `${where}/${i}`);
  return out;
}

function checkOrder(timesUs: BigInt64Array, endsUs: BigInt64Array, where: string): void {
  for (let i = 0; i < timesUs.length; i += 1) {
    if (timesUs[i]! < endsUs[i]!) continue;
    throw new PalimpsestError(
      "E_PERIOD_ORDER",
      `${where}/time/${i}: ${formatInstant(timesUs[i]!)} is not before valid_to ${formatInstant(endsUs[i]!)}`,
      { details: { path: `${where}/valid_to/${i}`, row: i }, hint: "swap them, or give null for an open end" },
    );
  }
}

export function readEvents(fields: Fields, where: string): IngestEvents {
  checkKeys(fields, KNOWN, where);
  const src = column(fields, "src", where);
  const dst = column(fields, "dst", where);
  const time = column(fields, "time", where);
  const type = typeof fields.type === "string" ? undefined : column(fields, "type", where);
  const key = optionalColumn(fields, "key", where);
  const validTo = optionalColumn(fields, "valid_to", where);
  const props = optionalColumn(fields, "props", where);
  for (const [name, values] of Object.entries({ src, dst, type, key, valid_to: validTo, props })) {
    if (values === undefined || values.length === time.length) continue;
    throw new PalimpsestError("E_INVALID_ARG", `${where}/${name} has ${values.length} rows, time has ${time.length}`, {
      details: { path: `${where}/${name}`, rows: values.length, expected: time.length },
      hint: "all columns of a bulk operation have one length",
    });
  }
  if (time.length === 0) {
    throw new PalimpsestError("E_INVALID_ARG", `${where}: there are no events to ingest`, { details: { path: where } });
  }
  const timesUs = instants(time, `${where}/time`, parseInstant);
  const endsUs = validTo === undefined ? undefined : instants(validTo, `${where}/valid_to`, parseValidTo);
  if (endsUs !== undefined) checkOrder(timesUs, endsUs, where);
  return {
    kind: "events",
    by: attribution(fields, where),
    nodeLabels: labelSet(fields.node_labels, `${where}/node_labels`),
    src: texts(src, LIMITS.uidBytes, `${where}/src`),
    dst: texts(dst, LIMITS.uidBytes, `${where}/dst`),
    type:
      type === undefined
        ? textField(fields.type, LIMITS.nameBytes, `${where}/type`)
        : texts(type, LIMITS.nameBytes, `${where}/type`),
    timesUs,
    endsUs,
    keys:
      key === undefined
        ? undefined
        : Array.from(key, (value, i) =>
            value === null ? null : textField(value, LIMITS.keyBytes, `${where}/key/${i}`, true),
          ),
    props:
      props === undefined
        ? undefined
        : Array.from(props, (value, i) => properties(value ?? undefined, `${where}/props/${i}`, false)),
  };
}
