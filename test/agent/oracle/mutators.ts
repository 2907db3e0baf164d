// Faults that a model, a file or a plan may have, each made of a true claim; none of them may be shown.
// Numbers are those of the design; the ones of prose and of plans are in the test itself.
import type { Claim, PatternClaim, Span } from "../../../src/agent/claims/claim.js";
import { Evidence, type StoredResult } from "../../../src/agent/claims/evidence.js";
import { formatDuration, parseDuration } from "../../../src/contract/duration.js";
import { formatInstant } from "../../../src/contract/instant.js";
import { parseInstant } from "../../../src/contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import type { Entry } from "./variants.js";

export interface Mutant {
  readonly evidence: Evidence;
  readonly claim: unknown;
}

type Mutate = (entry: Entry, pool: readonly Entry[]) => readonly Mutant[];
type ClaimOf<T extends Claim["type"]> = Extract<Claim, { type: T }>;

const same = ({ evidence }: Entry, ...claims: readonly object[]): Mutant[] =>
  claims.map((claim) => ({ evidence, claim }));

/** A mutator of claims of one type. */
function of<T extends Claim["type"]>(
  type: T,
  make: (claim: ClaimOf<T>, entry: Entry, pool: readonly Entry[]) => readonly object[],
): Mutate {
  return (entry, pool) =>
    entry.claim.type === type ? same(entry, ...make(entry.claim as ClaimOf<T>, entry, pool)) : [];
}
const any =
  (...mutators: readonly Mutate[]): Mutate =>
  (entry, pool) =>
    mutators.flatMap((mutate) => mutate(entry, pool));

const isInstant = (value: unknown): value is string => typeof value === "string" && /^-?\d{4}-\d\d-\d\dT/.test(value);
const isUid = (value: unknown): boolean => typeof value === "string" && !isInstant(value) && !isDuration(value);
const isDuration = (value: unknown): value is string => typeof value === "string" && /^-?PT\d/.test(value);

function otherValues(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === "number") return [...(value === 0 ? [] : [-value]), value + (Math.abs(value) < 1e6 ? 1e-9 : 1)];
  if (isInstant(value)) {
    const us = parseInstant(value, "");
    return [formatInstant(us + 1n), formatInstant(us / 1000n)].filter((each) => each !== value);
  }
  if (!isDuration(value)) return [];
  const us = parseDuration(value, "");
  return us === 0n ? [] : [formatDuration(us + 1n), formatDuration(us * 60n)];
}

const valued = (change: (value: JsonValue | undefined) => readonly JsonValue[]): Mutate =>
  any(
    ...(["count", "value", "entity"] as const).map((type) =>
      of(type, (claim) => change(claim.value).map((value) => ({ ...claim, value }))),
    ),
  );

/** Uids of other claims over the same store. */
function otherUids({ plan }: Entry, pool: readonly Entry[], but: readonly JsonValue[]): string[] {
  const uids = pool
    .filter((each) => each.plan.store === plan.store)
    .flatMap(({ claim }) =>
      claim.type === "entity_set" ? claim.value! : claim.type === "entity" ? [claim.value!] : [],
    );
  return [...new Set(uids as string[])].filter((uid) => !but.includes(uid)).slice(0, 3);
}

/** Every cell of the first rows of a trace's lists. */
function cellsOf(evidence: Evidence): { path: string; value: JsonValue }[] {
  return evidence.trace.plan.steps.flatMap(({ id }) => {
    const envelope = evidence.step(id)!.result!.envelope;
    const rows = (envelope.rows ?? [])
      .slice(0, 20)
      .flatMap((row, i) => Object.entries(row).map(([name, value]) => ({ path: `${id}.rows[${i}].${name}`, value })));
    const fields = Object.entries(envelope).filter(([name]) =>
      ["rows_total", "events", "count", "length", "n_buckets"].includes(name),
    );
    return [...rows, ...fields.map(([name, value]) => ({ path: `${id}.${name}`, value: value as JsonValue }))];
  });
}

const rowOf = (path: string): string => path.replace(/(\[\d+\]).*$/, "$1");
const stepOf = (path: string): string => path.split(".")[0]!;

/** Cells that hold the same, of another row or step, for claims about a cell. */
const elsewhere = (isOtherStep: boolean): Mutate =>
  any(
    ...(["count", "value"] as const).map((type) =>
      of(type, (claim, { evidence }) => {
        const own = cellsOf(evidence).filter(
          ({ path, value }) => path.includes("[") && rowOf(path) === rowOf(claim.cell) && isUid(value),
        );
        const subjects = own.map(({ path }) => path);
        if (subjects.length === 0) return [];
        return cellsOf(evidence)
          .filter(({ path, value }) => value === claim.value && (stepOf(path) !== stepOf(claim.cell)) === isOtherStep)
          .filter(({ path }) => rowOf(path) !== rowOf(claim.cell) && rowOf(path) !== rowOf(subjects[0]!))
          .map(({ path }) => ({ ...claim, cell: path, about: subjects.slice(0, 1) }));
      }),
    ),
  );

const nextRow = (path: string): string => path.replace(/\[(\d+)\]/, (_, at) => `[${Number(at) + 1}]`);
const isSameShape = (a: PatternClaim, b: PatternClaim): boolean =>
  (["pattern", "step", "row", "share"] as const).every((name) => a[name] === b[name]) &&
  (a.direction ?? "up") === (b.direction ?? "up");
const inStep = ({ row, ...claim }: PatternClaim, step: string): PatternClaim => ({
  ...claim,
  step,
  ...(row === undefined ? {} : { row: row.replace(/^s\d+/, step) }),
});
const inverse: Readonly<Record<string, string>> = { before: "after", after: "before", equals: "before" };
const turned = { up: "down", down: "up", same: "different", different: "same" } as const;

function copyOf(
  evidence: Evidence,
  change: (results: Map<string, StoredResult>, steps: JsonObject[]) => void,
): Evidence {
  const trace = structuredClone(evidence.trace) as typeof evidence.trace;
  const results = new Map<string, StoredResult>();
  for (const { id, result_digest: digest } of evidence.trace.steps) {
    const result = evidence.step(id)?.result;
    if (digest !== null && result != null) results.set(digest, structuredClone(result) as StoredResult);
  }
  change(results, trace.steps as unknown as JsonObject[]);
  return new Evidence(trace, results, evidence.store);
}

const pathOf = (claim: Claim): string | null => {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return claim.cell;
    case "entity_set":
      return claim.cells;
    case "interval":
      return claim.from;
    case "change":
      return claim.before;
    case "absence":
      return claim.cell ?? claim.list!;
    case "temporal_pattern":
      return claim.step;
    case "ordering":
      return "at" in claim.a ? claim.a.at : claim.a.from;
  }
};

/** The stored answer of the step that a claim is of, or its arguments in the trace, with something changed. */
const tampered =
  (change: (envelope: JsonObject, args: JsonObject) => void): Mutate =>
  ({ evidence, claim }) => {
    const id = stepOf(pathOf(claim)!);
    const copy = copyOf(evidence, (results, steps) => {
      const record = steps.find((step) => step.id === id)!;
      const { envelope } = results.get(record.result_digest as string)!;
      change(envelope as unknown as JsonObject, record.args as JsonObject);
    });
    return [{ evidence: copy, claim: { ...claim, about: [] } }];
  };

const withoutOf = (span: Span): Span => {
  const { of: _of, ...rest } = span;
  return rest as Span;
};

export const MUTATORS: Readonly<Record<string, Mutate>> = {
  M01: of("count", (claim) => {
    const n = Number(claim.value);
    return [n + 1, n - 1, Math.round(n * 1.1), Math.round(n * 0.9)]
      .filter((value) => value !== n)
      .map((value) => ({ ...claim, value }));
  }),
  M02: any(of("value", (claim) => otherValues(claim.value).map((value) => ({ ...claim, value })))),
  M03: any(
    of("entity", (claim) => ["nobody", "99999999", `${claim.value}0`].map((value) => ({ ...claim, value }))),
    of("entity_set", (claim) => [{ ...claim, value: [...claim.value!.slice(1), "nobody"] }]),
  ),
  M04: any(
    of("entity", (claim, entry, pool) => otherUids(entry, pool, [claim.value!]).map((value) => ({ ...claim, value }))),
    of("entity_set", (claim, entry, pool) =>
      otherUids(entry, pool, claim.value!).map((uid) => ({ ...claim, value: [...claim.value!.slice(1), uid] })),
    ),
  ),
  M05: elsewhere(false),
  M06: elsewhere(true),
  M07: of("entity_set", (claim) =>
    claim.value!.slice(0, 3).map((uid) => ({ ...claim, value: claim.value!.filter((each) => each !== uid) })),
  ),
  M08: of("entity_set", (claim, entry, pool) =>
    otherUids(entry, pool, claim.value!).map((uid) => ({ ...claim, value: [...claim.value!, uid] })),
  ),
  M10: of("ordering", (claim) => [{ ...claim, relation: inverse[claim.relation] ?? "before" }]),
  M11: of("ordering", (claim) =>
    claim.relation === "equals" ? [] : [{ ...claim, a: withoutOf(claim.b), b: withoutOf(claim.a) }],
  ),
  M12: of("interval", (claim) => {
    const { from, to } = claim.value!;
    const end =
      to === null ? [] : [formatInstant(parseInstant(to, "") + 1n), formatInstant(parseInstant(to, "") - 1n), null];
    return [...end, from].map((other) => ({ ...claim, value: { from, to: other } }));
  }),
  M13: of("interval", (claim) =>
    claim.to.includes("[")
      ? [
          { ...claim, to: nextRow(claim.to) },
          { ...claim, from: nextRow(claim.from) },
        ]
      : [],
  ),
  M14: any(
    ...(["count", "value", "entity"] as const).map((type) =>
      of(type, (claim, { evidence }) => {
        const subject = claim.about?.find((each) => each.includes("["));
        if (subject !== undefined) return [{ ...claim, about: [nextRow(subject)] }];
        // The key of the next row, for a cell of this one.
        const next = nextRow(rowOf(claim.cell));
        if (!claim.cell.includes("[")) return [];
        return cellsOf(evidence)
          .filter(({ path, value }) => rowOf(path) === next && typeof value === "string" && !isInstant(value))
          .map(({ path }) => ({ ...claim, about: [path] }));
      }),
    ),
  ),
  M15: any(
    ...(["count", "value"] as const).map((type) =>
      of(type, (claim, entry, pool) =>
        pool
          .filter(
            ({ plan, claim: other }) =>
              plan.store === entry.plan.store && other.type === type && other.cell === claim.cell,
          )
          .filter(
            ({ plan, evidence }) =>
              plan.store !== "world-leaders" ||
              evidence.pinOf(evidence.step(stepOf(claim.cell))!) !==
                entry.evidence.pinOf(entry.evidence.step(stepOf(claim.cell))!),
          )
          .flatMap(({ claim: other }) =>
            "value" in other && other.value !== claim.value ? [{ ...claim, value: other.value }] : [],
          )
          .slice(0, 2),
      ),
    ),
  ),
  M16: of("change", (claim) => [
    { ...claim, direction: turned[claim.direction] },
    { ...claim, after: claim.before },
    { ...claim, before: claim.after },
    { ...claim, before: claim.after, after: claim.before },
    { ...claim, axis: claim.axis === "belief" ? "valid" : "belief" },
  ]),
  M18: of("temporal_pattern", (claim, { evidence }, pool) => {
    const others = pool.flatMap((each) =>
      each.evidence === evidence && each.claim.type === "temporal_pattern" ? [each.claim] : [],
    );
    const isFalse = (made: object): boolean => !others.some((other) => isSameShape(other, made as PatternClaim));
    // As if the second look had dropped the filter of its step: what is true of the step beside it.
    const steps = [...new Set(others.map(({ step }) => step))].filter((step) => step !== claim.step);
    const moved = steps.map((step) => inStep(claim, step));
    if (claim.pattern === "trend") {
      const ways = (["up", "down", "flat"] as const).map((direction) => ({ ...claim, direction }));
      return [...ways, ...moved].filter(isFalse);
    }
    const rows = [nextRow(claim.row!), nextRow(nextRow(claim.row!))].map((row) => ({ ...claim, row }));
    // Plans over series name every bucket that stands out; those over bursts do not.
    const elsewhere = evidence.step(claim.step)!.record.op === "burst_detection" ? [] : [...rows, ...moved];
    const { direction: _direction, ...bare } = claim;
    const made = [...elsewhere, { ...bare, pattern: "concentration", share: 90 }].filter(isFalse);
    return claim.pattern === "burst" ? [...made, { ...claim, direction: "down" }] : made;
  }),
  M19: (entry) => {
    const { claim, evidence } = entry;
    if (!("cell" in claim) || claim.cell === undefined) return [];
    const id = stepOf(claim.cell);
    const paths = [
      `${id}.args.limit`,
      `${id}.args.window.from`,
      `${id}.pin.tx`,
      `${id}.result_digest`,
      `${id}.complete`,
      `${id}.rows[0].of`,
      `${id}.columns[0].name`,
    ];
    return same(
      entry,
      ...paths.filter((path) => evidence.step(stepOf(path)) !== undefined).map((cell) => ({ ...claim, cell })),
    );
  },
  M20: valued((value) =>
    typeof value === "number" ? [String(value), null, value !== 0] : value === undefined ? [] : [null, 1],
  ),
  M22: any(
    tampered((envelope) => {
      envelope.rows_total = Number(envelope.rows_total) + 1;
    }),
    tampered((envelope) => {
      const [row] = (envelope.rows ?? []) as JsonObject[];
      if (row === undefined) envelope.events = -1;
      else row[Object.keys(row)[0]!] = "changed";
    }),
  ),
  M23: any(
    tampered((_, args) => {
      args.limit = 7;
    }),
    tampered((_, args) => {
      const name = ["where", "window", "input", "x", "fn", "ref", "src", "query", "kind", "motif"].find((each) =>
        Object.hasOwn(args, each),
      )!;
      args[name] = null;
    }),
  ),
};
