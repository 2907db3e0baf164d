// The rules that need the store: which entities may be named, what the policy says to a dry run, and who wrote meanwhile.
import type { OperatorEngine } from "../../operators/engine.js";
import type { ReadableState } from "../../query/index.js";
import { believedAt, type Held } from "./believed.js";
import { type Figures, identitiesOf } from "./dry-run.js";
import type { ReadPolicy } from "./policy.js";
import type { ProposedOp, ReadProposal } from "./proposal.js";
import { refused } from "./refusal.js";

const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** The character that ends or begins at a place, in one step: a question is any caller's, and of any length. */
const before = (text: string, at: number): string | undefined => [...text.slice(Math.max(0, at - 2), at)].at(-1);
const from = (text: string, at: number): string | undefined => [...text.slice(at, at + 2)][0];

/** Whether a text stands in the question as it is, with no letter or digit of another word beside it. */
export function isNamedIn(question: string, text: string): boolean {
  const [within, sought] = [question.normalize("NFC"), text.normalize("NFC")];
  const isApart = (edge: string | undefined, beside: string | undefined): boolean =>
    edge === undefined || beside === undefined || !(WORD.test(edge) && WORD.test(beside));
  const [first, last] = [from(sought, 0), before(sought, sought.length)];
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1)) {
    if (isApart(first, before(within, at)) && isApart(last, from(within, at + sought.length))) return true;
  }
  return false;
}

/** Every uid is known at the pin of the trace, or new, allowed, and named by the question; gives the new ones. */
export function checkGrounding(
  engine: OperatorEngine,
  { ops }: ReadProposal,
  policy: ReadPolicy,
  askTx: number,
  question: string,
): ReadonlySet<string> {
  const view = engine.pin(askTx);
  let unknown: readonly string[];
  try {
    unknown = view.unknownUids([...new Set(ops.flatMap(({ uids }) => uids))]);
  } finally {
    view.release();
  }
  for (const uid of unknown) {
    const path = `/ops/${ops.findIndex(({ uids }) => uids.includes(uid))}`;
    if (!policy.newEntities) {
      throw refused("new_entities", `${path} names an entity that was not known`, "name one that the answer is of", {
        path,
      });
    }
    if (!isNamedIn(question, uid)) {
      throw refused("grounding", `${path} names an entity that the question does not name`, "ask about it by its uid", {
        path,
      });
    }
  }
  return new Set(unknown);
}

/** Every type, every label and every time is one that the policy allows. */
export function checkPolicy(ops: readonly ProposedOp[], figures: Figures, policy: ReadPolicy): void {
  const { types, labels, within } = policy;
  for (const [i, { operation }] of ops.entries()) {
    const { ref } = operation;
    const path = `/ops/${i}`;
    if ("type" in ref && !types.has(ref.type)) {
      throw refused("types", `${path} is of a type that the policy does not have`, allowed(types), { path });
    }
    const { closes, creates } = figures.ops[i]!;
    const own = operation.kind === "patch" ? [...operation.addLabels, ...operation.removeLabels] : [];
    const written = "labels" in operation ? (operation.labels ?? []) : own;
    const all = [...written, ...[...closes, ...creates].flatMap((version) => version.labels ?? [])];
    if (all.some((label) => !labels.has(label))) {
      throw refused("labels", `${path} is of a label that the policy does not have`, allowed(labels), { path });
    }
    const { fromUs, toUs } = operation.period;
    if ((within.fromUs !== null && fromUs < within.fromUs) || toUs > within.toUs) {
      throw refused("valid_within", `${path} reaches beyond the valid time of the policy`, "give both of its ends", {
        path,
      });
    }
  }
}

const allowed = (names: ReadonlySet<string>): string =>
  names.size === 0 ? "the policy has none" : `allowed: ${[...names].slice(0, 20).join(", ")}`;

const isSame = (a: readonly Held[], b: readonly Held[]): boolean =>
  a.length === b.length &&
  a.every(({ fromUs, toUs, since }, i) => {
    const other = b[i]!;
    return fromUs === other.fromUs && toUs === other.toUs && since === other.since;
  });

/** E_STATE where a commit after the trace, up to `tx`, touched what the operations are about. */
export async function checkUntouched(
  { engine }: ReadableState,
  ops: readonly ProposedOp[],
  askTx: number,
  tx: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const hint = "ask again, and propose on that answer";
  const since = { ask_tx: askTx, tx };
  if (tx === askTx) return;
  // Of what was erased nobody can tell any more whether it was meant.
  if (engine.erasedSince([askTx]) > 0) throw refused("touched", `something was erased since tx:${askTx}`, hint, since);
  for (const ref of identitiesOf(ops)) {
    const [then, now] = [await believedAt(engine, ref, askTx, signal), await believedAt(engine, ref, tx, signal)];
    if (isSame(then, now)) continue;
    const path = `/ops/${ops.findIndex(({ operation }) => operation.ref === ref)}`;
    throw refused("touched", `what ${path} is about was written since tx:${askTx}`, hint, { ...since, path });
  }
}
