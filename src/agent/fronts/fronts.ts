// The fronts by their names.
import type { ReadableState } from "../../query/index.js";
import type { Front as FrontName } from "../prompt/systems.js";
import type { Front } from "./front.js";
import { jsonFront } from "./json-front.js";
import { tqlFront } from "./tql-front.js";

export interface FrontInput {
  readonly front: FrontName;
  readonly state: ReadableState;
  readonly askTx: number;
  readonly zone: string;
  /** Steps that a plan may have. */
  readonly mostSteps: number;
}

export function frontOf({ front, mostSteps, ...input }: FrontInput): Front {
  if (front === "json") return jsonFront(mostSteps);
  return tqlFront({ ...input, mostSteps, nowUs: BigInt(Date.now()) * 1000n });
}
