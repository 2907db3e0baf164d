// A policy as a caller or a file gives it, judged before anything is written: E_INVALID_ARG with the member that is wrong.
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { OPEN_END_US } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { isPlainObject, isWellFormed } from "../../contract/values.js";
import { PROPOSABLE, type ProposableOp, type WritePolicy } from "./types.js";

const MEMBERS = [
  "ops",
  "types",
  "labels",
  "new_entities",
  "max_ops",
  "max_batches",
  "valid_within",
  "min_verdict",
  "confirm",
  "source",
];
const DEFAULT_OPS = 20;
const DEFAULT_BATCHES = 1;
const MOST = 1_000;
const LONGEST_SOURCE = 200;

export interface ReadPolicy {
  readonly ops: ReadonlySet<ProposableOp>;
  readonly types: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly newEntities: boolean;
  readonly maxOps: number;
  readonly maxBatches: number;
  readonly within: { readonly fromUs: bigint | null; readonly toUs: bigint };
  readonly confirm: WritePolicy["confirm"];
  readonly source: string;
}

function wrong(member: string, what: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", `policy.${member} ${what}`, { details: { path: `/${member}` }, hint });
}

function names(policy: Readonly<Record<string, unknown>>, member: string): ReadonlySet<string> {
  const given = policy[member];
  const isName = (each: unknown): boolean => typeof each === "string" && each !== "" && isWellFormed(each);
  if (!Array.isArray(given) || given.length > MOST || !given.every(isName)) {
    wrong(member, `is no list of at most ${MOST} names`, `give "${member}": ["NAME"]; [] allows none`);
  }
  return new Set(given as string[]);
}

function count(policy: Readonly<Record<string, unknown>>, member: string, otherwise: number): number {
  const given = policy[member] ?? otherwise;
  if (Number.isInteger(given) && (given as number) >= 1 && (given as number) <= MOST) return given as number;
  return wrong(member, `is ${String(given)}`, `give a whole number from 1 to ${MOST}`);
}

function instant(given: unknown, member: string): bigint | null {
  if (given === null) return null;
  try {
    return parseInstant(given, member);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return wrong(member, `is no instant: ${error.message}`, 'write "2024-01-01T00:00:00Z", or null for an open end');
  }
}

function within(given: unknown): ReadPolicy["within"] {
  if (given === undefined) return { fromUs: null, toUs: OPEN_END_US };
  if (!isPlainObject(given) || Object.keys(given).sort().join() !== "from,to") {
    return wrong("valid_within", "is no window", 'give {"from": …, "to": …}, null for an open end');
  }
  const fromUs = instant(given.from, "valid_within/from");
  const toUs = instant(given.to, "valid_within/to") ?? OPEN_END_US;
  if (fromUs !== null && fromUs >= toUs) wrong("valid_within", "ends before it begins", "swap its ends");
  return { fromUs, toUs };
}

function read(given: unknown): ReadPolicy {
  if (!isPlainObject(given)) {
    throw new PalimpsestError("E_INVALID_ARG", "there is no policy, and nothing is written without one", {
      details: { path: "" },
      hint: `give an object with ${MEMBERS.join(", ")}`,
    });
  }
  const unknown = Object.keys(given).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) wrong(unknown.slice(0, 64), "is none of its members", `legal: ${MEMBERS.join(", ")}`);
  const ops = names(given, "ops");
  const other = [...ops].find((op) => !(PROPOSABLE as readonly string[]).includes(op));
  if (other !== undefined) wrong("ops", `has ${JSON.stringify(other)}`, `legal: ${PROPOSABLE.join(", ")}`);
  const { new_entities: isOpen, min_verdict: verdict, confirm, source } = given;
  if (typeof isOpen !== "boolean") wrong("new_entities", "is neither true nor false", "say whether uids may be new");
  if (verdict !== "supported") wrong("min_verdict", 'is not "supported"', 'give "supported": there is no lower one');
  if (confirm !== undefined && typeof confirm !== "function") {
    wrong("confirm", "is no function", "give async (dry) => true or false, in a program");
  }
  if (typeof source !== "string" || source.trim() === "" || !isWellFormed(source) || source.length > LONGEST_SOURCE) {
    wrong("source", "is no text of 1 to 200 characters", "say in whose name is written");
  }
  return {
    ops: ops as ReadonlySet<ProposableOp>,
    types: names(given, "types"),
    labels: names(given, "labels"),
    newEntities: isOpen as boolean,
    maxOps: count(given, "max_ops", DEFAULT_OPS),
    maxBatches: count(given, "max_batches", DEFAULT_BATCHES),
    within: within(given.valid_within),
    confirm: confirm as WritePolicy["confirm"],
    source: source as string,
  };
}

export const readPolicy = (given: unknown): ReadPolicy => readGiven("policy", "the policy", () => read(given));
