// A judge of proposals from the text of the design's section on writes, by brute force: valid time is a row of days, and a
// belief is what stands on each of them. Shares nothing with the product.

/** Content on a day; null where nothing is believed. */
export interface Content {
  readonly labels: readonly string[];
  readonly props: Readonly<Record<string, number>>;
}
export type Days = readonly (Content | null)[];

export const DAYS = 6;
export interface JudgedOp {
  readonly op: "assert_node" | "assert_edge" | "retract" | "correct";
  /** `uid`, or `src>TYPE>dst`. */
  readonly identity: string;
  /** Half-open; `to` is DAYS for an open end. */
  readonly from: number;
  readonly to: number;
  readonly mode?: "replace" | "patch";
  readonly labels?: readonly string[];
  readonly addLabels?: readonly string[];
  readonly props?: Readonly<Record<string, number | null>>;
}
export interface JudgedPolicy {
  readonly ops: readonly string[];
  readonly types: readonly string[];
  readonly labels: readonly string[];
  readonly newEntities: boolean;
  readonly maxOps: number;
  readonly within: readonly [number, number];
  readonly confirms: boolean;
}

export interface World {
  readonly beliefs: ReadonlyMap<string, Days>;
  /** By identity, the last commit that touched it. */
  readonly touched: ReadonlyMap<string, number>;
}

export interface Evidence {
  /** The commit of the trace. */
  readonly tx: number;
  readonly known: ReadonlySet<string>;
  /** Of the claims that are named, which are true, and the entities that each is of. */
  readonly claims: readonly { readonly isTrue: boolean; readonly entities: readonly string[] }[];
  /** New entities that the question names. */
  readonly named: readonly string[];
}

const endsOf = (identity: string): readonly string[] => {
  const [first, , last] = identity.split(">");
  return last === undefined ? [first!] : [first!, last];
};
const typeOf = (identity: string): string | undefined => identity.split(">")[1];
const isNode = (identity: string): boolean => !identity.includes(">");

const NOTHING: Days = Array.from({ length: DAYS }, () => null);

function contentAfter(op: JudgedOp, before: Content | null): Content | null {
  if (op.op === "retract") return null;
  const given = Object.fromEntries(
    Object.entries(op.props ?? {}).filter((entry): entry is [string, number] => entry[1] !== null),
  );
  if (op.op !== "correct" || op.mode !== "patch") return { labels: [...(op.labels ?? [])].sort(), props: given };
  if (before === null) return null;
  const kept = Object.entries(before.props).filter(([name]) => !Object.hasOwn(op.props ?? {}, name));
  return {
    labels: [...new Set([...before.labels, ...(op.addLabels ?? [])])].sort(),
    props: { ...Object.fromEntries(kept), ...given },
  };
}

/** The world after the operations, and the rules that they break on the way. */
export function judged(
  ops: readonly JudgedOp[],
  policy: JudgedPolicy,
  world: World,
  evidence: Evidence,
): { readonly rules: ReadonlySet<string>; readonly after: ReadonlyMap<string, Days> } {
  const rules = new Set<string>();
  const after = new Map(world.beliefs);
  if (ops.length > policy.maxOps) rules.add("max_ops");
  if (evidence.claims.some(({ isTrue }) => !isTrue)) rules.add("evidence");
  if (!policy.confirms) rules.add("confirm");
  for (const op of ops) {
    const { identity, from, to } = op;
    const type = typeOf(identity);
    if (!policy.ops.includes(op.op)) rules.add("ops");
    if (type !== undefined && !policy.types.includes(type)) rules.add("types");
    if (from < policy.within[0] || to > policy.within[1]) rules.add("valid_within");
    if ((world.touched.get(identity) ?? 0) > evidence.tx) rules.add("touched");
    const unknown = endsOf(identity).filter((uid) => !evidence.known.has(uid));
    if (unknown.length > 0 && !policy.newEntities) rules.add("new_entities");
    if (policy.newEntities && unknown.some((uid) => !evidence.named.includes(uid))) rules.add("grounding");
    const isBacked = evidence.claims.some(({ entities }) => endsOf(identity).some((uid) => entities.includes(uid)));
    if (unknown.length < endsOf(identity).length && !isBacked) rules.add("evidence");
    const before = after.get(identity) ?? NOTHING;
    const isInside = (_: unknown, day: number): boolean => day >= from && day < to;
    if ((op.op === "retract" || op.op === "correct") && before.filter(isInside).every((day) => day === null)) {
      rules.add("no_target");
    }
    const days = before.map((content, day) => (isInside(content, day) ? contentAfter(op, content) : content));
    after.set(identity, days);
    // Labels that it writes, and those of every belief that it changes: also outside its time, where one belief is cut.
    const runs = runsOf(before).filter((run) => run.from < to && run.to > from);
    const labels = [
      ...(op.labels ?? []),
      ...(op.addLabels ?? []),
      ...runs.flatMap((run) => run.content.labels),
      ...days.filter(isInside).flatMap((content) => content?.labels ?? []),
    ];
    if (isNode(identity) && labels.some((label) => !policy.labels.includes(label))) rules.add("labels");
  }
  return { rules, after };
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly content: Content;
}

/** Stretches of days with the same content. */
export function runsOf(days: Days): readonly Run[] {
  const runs: Run[] = [];
  for (const [day, content] of days.entries()) {
    if (content === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.to === day && JSON.stringify(last.content) === JSON.stringify(content)) {
      runs[runs.length - 1] = { ...last, to: day + 1 };
    } else runs.push({ from: day, to: day + 1, content });
  }
  return runs;
}
