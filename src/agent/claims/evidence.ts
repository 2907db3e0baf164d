// What claims stand on: the trace of a run, the payloads that its steps gave, and questions that the store answers at a
// commit. Reads only; knows no prose, no model and not who made a claim.
import type { AnyEnvelope } from "../../contract/envelope.js";
import type { JsonObject } from "../../contract/values.js";
import type { PlanStep, StepRecord, Trace } from "../../plan/index.js";
import type { AnyOutput, ObjectOutput } from "../../plan/output-types.js";
import { type PlacedReference, parsePath, type ReferencePath, referencesIn } from "../../plan/references.js";

/** A stored payload, and the types of its fields. */
export interface StoredResult {
  readonly envelope: AnyEnvelope;
  readonly type: ObjectOutput | AnyOutput;
}

/** What a question names, with what a uid mention stands for. */
export interface MentionedSubject {
  readonly id: string;
  /** Null for a mention that is no entity. */
  readonly uid: string | null;
}

/** The store as claims ask it; every question names its commit. */
export interface ClaimStore {
  /** Those of the uids that are not known there. */
  unknownUids(uids: readonly string[], tx: number): readonly string[];
  /** Whether a label, a type or a property of that name is known there. */
  isKnown(kind: "label" | "type" | "property", name: string, tx: number): boolean;
  /**
   * From the least beginning to the greatest end of edge versions believed there, of node versions too where asked;
   * `toUs` null where some is open. Null where there are none.
   */
  extent(withNodes: boolean, tx: number): { readonly fromUs: bigint; readonly toUs: bigint | null } | null;
  /** Calls an operator again; `args` hold the pin. */
  call(op: string, args: JsonObject): Promise<AnyEnvelope>;
}

export interface Reference extends PlacedReference {
  readonly path: ReferencePath;
}

/** A step of the plan with what it left behind. */
export interface EvidenceStep {
  readonly record: StepRecord;
  readonly step: PlanStep;
  readonly references: readonly Reference[];
  readonly result: StoredResult | null;
}

export class Evidence {
  private readonly steps = new Map<string, EvidenceStep>();
  private readonly ancestry = new Map<string, ReadonlySet<string>>();
  private readonly subjects: ReadonlyMap<string, MentionedSubject>;

  constructor(
    readonly trace: Trace,
    /** By digest. */
    results: ReadonlyMap<string, StoredResult>,
    readonly store: ClaimStore,
    mentions: readonly MentionedSubject[] = [],
  ) {
    const records = new Map(trace.steps.map((record) => [record.id, record]));
    for (const step of trace.plan.steps) {
      const record = records.get(step.id);
      if (record === undefined) continue;
      const { result_digest: digest } = record;
      const result = digest === null ? null : (results.get(digest) ?? null);
      this.steps.set(step.id, { record, step, references: referencesOf(step), result });
    }
    this.subjects = new Map(mentions.map((mention) => [mention.id, mention]));
  }

  step(id: string): EvidenceStep | undefined {
    return this.steps.get(id);
  }
  mention(id: string): MentionedSubject | undefined {
    return this.subjects.get(id);
  }

  /** The steps that a step was fed by, at any distance; itself not among them. */
  ancestors(id: string): ReadonlySet<string> {
    const known = this.ancestry.get(id);
    if (known !== undefined) return known;
    const found = new Set<string>();
    this.ancestry.set(id, found);
    const step = this.steps.get(id);
    if (step === undefined) return found;
    for (const parent of [...step.references.map(({ path }) => path.step), ...(step.step.depends_on ?? [])]) {
      found.add(parent);
      for (const ancestor of this.ancestors(parent)) found.add(ancestor);
    }
    return found;
  }

  /** The commit that a step was asked at; that of the ask where its operator reads no store. */
  pinOf({ record }: EvidenceStep): number {
    return record.pin?.tx ?? this.trace.ask_pin.tx;
  }
}

function referencesOf(step: PlanStep): Reference[] {
  return referencesIn(step.args ?? {}).flatMap((placed) => {
    const parsed = typeof placed.$ref === "string" ? parsePath(placed.$ref) : undefined;
    return parsed?.kind === "path" ? [{ ...placed, path: parsed.path }] : [];
  });
}
