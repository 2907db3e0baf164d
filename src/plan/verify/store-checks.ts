// Checks against the store as it is: commits that exist, subjects that are known, costs of calls that are all known.
import { PalimpsestError } from "../../contract/errors.js";
import type { WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { commitOfPin } from "../../operators/canonical-args.js";
import { guardCost } from "../../operators/cost-guard.js";
import { valueAt, withValueAt } from "../../operators/paths.js";
import { notKnown, unknownSubjects } from "../../operators/unknown-subjects.js";
import { referencesIn } from "../references.js";
import type { VerifyStore } from "./context.js";
import type { JudgedStep } from "./step.js";
import type { Violations } from "./violations.js";

const argsOf = ({ step }: JudgedStep) => ({
  position: step.position,
  step: step.id,
  path: `/steps/${step.position}/args`,
});

/** Commits that do not exist, at pins and at ends of windows of transaction time. */
function checkCommits(judged: JudgedStep, args: JsonObject, store: VerifyStore, violations: Violations): boolean {
  const { pins, pin_windows } = judged.operator.time;
  const paths = [...pins, ...pin_windows.flatMap((path) => [`${path}.from`, `${path}.to`])];
  let areKnown = true;
  for (const path of paths) {
    const pin = valueAt(args, path);
    const commit = typeof pin === "string" ? commitOfPin(pin) : undefined;
    if (commit === undefined || commit <= BigInt(store.headTx)) continue;
    areKnown = false;
    const error = new PalimpsestError("E_TX_UNKNOWN", `${path}: commit tx:${commit} does not exist yet`, {
      details: { path: `/${path.replaceAll(".", "/")}` },
      hint: `the latest is tx:${store.headTx}`,
    });
    violations.addError(argsOf(judged), error);
  }
  return areKnown;
}

/** The arguments with every pin a commit; null where one is an instant, which only a call can resolve. */
function withCommits(judged: JudgedStep, args: JsonObject, store: VerifyStore): JsonObject | null {
  let pinned = args;
  for (const path of judged.operator.time.pins) {
    const pin = valueAt(args, path);
    if (pin === undefined) continue;
    if (pin === null) pinned = withValueAt(pinned, path, `tx:${store.headTx}`);
    else if (commitOfPin(pin as string) === undefined) return null;
  }
  const hasPinWindow = judged.operator.time.pin_windows.some((path) => (valueAt(args, path) ?? null) !== null);
  return hasPinWindow ? null : pinned;
}

/** Whether the call itself will fill open windows from the data, which its estimate needs. */
function isResolvedLater({ operator }: JudgedStep, args: JsonObject): boolean {
  if (operator.declaration.resolve === undefined) return false;
  return operator.time.windows.some((path) => {
    const window = valueAt(args, path) as WindowArgument | null | undefined;
    return window === null || window?.from === null || window?.to === null;
  });
}

function checkCall(judged: JudgedStep, args: JsonObject, store: VerifyStore, violations: Violations): void {
  const { operator, step } = judged;
  const { declaration } = operator;
  if (declaration.pins === null) return;
  const pinned = withCommits(judged, args, store);
  if (pinned === null) return;
  const commits = [declaration.pins.envelope, declaration.pins.other].flatMap((path) => {
    const pin = path === null ? undefined : valueAt(pinned, path);
    return typeof pin === "string" ? [Number(commitOfPin(pin))] : [];
  });
  const tx = commits.length === 0 ? store.headTx : Math.max(...commits);
  const view = store.at(tx);
  if (!step.isUnknownEmpty) {
    const unknown = unknownSubjects(declaration, pinned, view);
    if (unknown.length > 0) {
      const error = notKnown(unknown, view, tx);
      const [path] = declaration.subjects.paths.filter((each) => (valueAt(pinned, each) ?? null) !== null);
      const { code, message, hint } = error;
      const place = { ...argsOf(judged), path: `${argsOf(judged).path}/${(path ?? "").replaceAll(".", "/")}` };
      violations.add(place, { code, kind: "unknown_uid", message, hint });
      return;
    }
  }
  if (isResolvedLater(judged, pinned)) return;
  try {
    guardCost(declaration, pinned, view.statistics(), store.ceilings, operator.reread);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    violations.addError(argsOf(judged), error);
  }
}

export function checkAgainstStore(steps: readonly JudgedStep[], store: VerifyStore, violations: Violations): void {
  for (const judged of steps) {
    const { args } = judged;
    if (args === null) continue;
    const areKnown = checkCommits(judged, args, store, violations);
    if (areKnown && referencesIn(args).length === 0) checkCall(judged, args, store, violations);
  }
}
