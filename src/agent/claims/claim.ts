// What a claim says: nine closed forms, each naming cells of results and never writing a value of its own.
// Types only; the schema is beside this file, the rules are in verify.ts.
import type { AllenRelation } from "../../contract/allen.js";
import type { JsonValue } from "../../contract/values.js";

/** A path to a cell: the grammar of `$ref`. */
export type CellRef = string;
/** A mention of the question, `q1`. */
export type MentionId = string;

/** That the cell is the greatest or the least of its list by a field of its rows. */
export interface Rank {
  readonly by: string;
  readonly side: "max" | "min";
}

/** Two ends of an interval, or one instant; `of` is what it is said of. */
export type Span =
  | { readonly from: CellRef; readonly to: CellRef; readonly of?: CellRef | MentionId }
  | { readonly at: CellRef; readonly of?: CellRef | MentionId };

export type SpanRelation = AllenRelation | "intersects";
export type ChangeDirection = "up" | "down" | "same" | "different";
export type TrendDirection = "up" | "down" | "flat";

interface Common {
  readonly id: string;
  /** What the claim is about; each must be tied to its cell. */
  readonly about?: readonly (CellRef | MentionId)[];
}

export interface CountClaim extends Common {
  readonly type: "count";
  readonly cell: CellRef;
  readonly value?: JsonValue;
}
export interface ValueClaim extends Common {
  readonly type: "value";
  readonly cell: CellRef;
  readonly rank?: Rank;
  readonly value?: JsonValue;
}
export interface EntityClaim extends Common {
  readonly type: "entity";
  readonly cell: CellRef;
  readonly rank?: Rank;
  readonly value?: JsonValue;
}
export interface EntitySetClaim extends Common {
  readonly type: "entity_set";
  /** A path with `[*]`. */
  readonly cells: CellRef;
  readonly complete: boolean;
  readonly value?: readonly JsonValue[];
}
export interface OrderingClaim extends Common {
  readonly type: "ordering";
  readonly a: Span;
  readonly b: Span;
  readonly relation: SpanRelation;
}
export interface IntervalClaim extends Common {
  readonly type: "interval";
  readonly from: CellRef;
  readonly to: CellRef;
  readonly rank?: Rank;
  readonly value?: { readonly from: JsonValue; readonly to: JsonValue };
}
export interface ChangeClaim extends Common {
  readonly type: "change";
  readonly before: CellRef;
  readonly after: CellRef;
  readonly axis: "belief" | "valid";
  readonly direction: ChangeDirection;
}
export interface AbsenceClaim extends Common {
  readonly type: "absence";
  /** An integer that is 0; else `list`. */
  readonly cell?: CellRef;
  readonly list?: CellRef;
}
export interface PatternClaim extends Common {
  readonly type: "temporal_pattern";
  readonly pattern: "burst" | "concentration" | "trend";
  readonly step: string;
  readonly row?: CellRef;
  readonly direction?: TrendDirection;
  /** Percent of the events that fall into the interval of `row`, at least. */
  readonly share?: number;
}

export type Claim =
  | CountClaim
  | ValueClaim
  | EntityClaim
  | EntitySetClaim
  | OrderingClaim
  | IntervalClaim
  | ChangeClaim
  | AbsenceClaim
  | PatternClaim;
export type ClaimType = Claim["type"];

export type VerdictKind = "supported" | "supported_partial" | "refuted" | "unverifiable";

/** Why a claim is not simply supported; the list is closed. */
export type Reason =
  | UnverifiableReason
  | RefutedReason
  | "upstream"
  | "subset"
  | "tied"
  | "ambiguous_name"
  | "vacuous"
  | "outside_data";

export type UnverifiableReason =
  | "malformed"
  | "no_evidence"
  | "digest_mismatch"
  | "no_cell"
  | "not_evidence"
  | "null_cell"
  | "untied"
  | "not_a_count"
  | "not_an_entity"
  | "page"
  | "rank"
  | "not_a_pair"
  | "not_comparable"
  | "same_corner"
  | "unknown_name"
  | "not_a_series"
  | "short_history"
  | "no_events"
  | "too_many_buckets"
  | "upstream";
export type RefutedReason = "value" | "members" | "relation" | "direction" | "present" | "pattern";

export interface Verdict {
  /** The claim's; null where it has none. */
  readonly id: string | null;
  readonly verdict: VerdictKind;
  /** Of the winning class, in the order of the rules. */
  readonly reasons: readonly Reason[];
}
