// Which times, numbers and texts of a question a claim was asked with: words may repeat those beside it, and no others, as the
// question may say of them what is not so.
import type { Claim } from "./claims/claim.js";
import type { Evidence, EvidenceStep } from "./claims/evidence.js";
import { pathsOf, stepOf } from "./claims/relevance.js";
import { literalsOf, type PlanLiteral } from "./plan-literals.js";
import type { Mention } from "./types.js";
import { Forms } from "./value-forms.js";

/** Times, numbers and quoted texts that name no entity. A zone says how times are written. */
export const isCondition = ({ kind, uid }: Mention): boolean =>
  ["window", "instant", "duration", "number"].includes(kind) || (kind === "quoted" && uid === undefined);

function formsOf(literals: readonly PlanLiteral[], isMeant: (literal: PlanLiteral) => boolean): Forms {
  const forms = new Forms();
  for (const literal of literals) if (isMeant(literal)) forms.add(literal.value);
  return forms;
}

const isEnd = ({ path }: PlanLiteral): boolean => path.endsWith("/to");

function isAskedWith(mention: Mention, literals: readonly PlanLiteral[], forms: Forms): boolean {
  const { kind, value } = mention;
  switch (kind) {
    case "window": {
      // Where one window ends the next one begins.
      const { from, to } = value as { readonly from: string; readonly to: string };
      const beginnings = formsOf(literals, (literal) => !isEnd(literal));
      return beginnings.hasInstant(from) || formsOf(literals, isEnd).hasInstant(to);
    }
    case "instant":
      return forms.hasInstant(value as string);
    case "duration":
      return forms.hasDuration(value as string);
    case "number":
      // How many rows are given is no condition.
      return formsOf(literals, ({ path }) => !path.endsWith("/limit")).hasNamedNumber(mention);
    default:
      return typeof value === "string" && [...forms.texts].some((written) => written.includes(value.toLowerCase()));
  }
}

const kept = new WeakMap<EvidenceStep, readonly PlanLiteral[]>();

/** The literals of a step, and the texts that stood in it when it ran, those of references among them. */
function literalsAsked(asked: EvidenceStep): readonly PlanLiteral[] {
  let literals = kept.get(asked);
  if (literals === undefined) {
    const { step, record } = asked;
    const ran = record.args === null ? [] : literalsOf({ ...step, args: record.args });
    literals = [...literalsOf(step), ...ran.filter(({ value }) => typeof value === "string")];
    kept.set(asked, literals);
  }
  return literals;
}

/** The mentions that the steps of a claim, or those that fed them, were asked with. */
export function askedWith(evidence: Evidence, claim: Claim, mentions: readonly Mention[]): ReadonlySet<string> {
  const own = pathsOf(claim).flatMap((path) => stepOf(path) ?? []);
  const all = new Set(own.flatMap((id) => [id, ...evidence.ancestors(id)]));
  const literals = [...all].flatMap((id) => {
    const step = evidence.step(id);
    return step === undefined ? [] : literalsAsked(step);
  });
  const forms = formsOf(literals, () => true);
  const asked = mentions.filter((mention) => isCondition(mention) && isAskedWith(mention, literals, forms));
  return new Set(asked.map(({ id }) => id));
}
