// The fronts by their names.
import type { ReadableState } from "../../query/index.js";
import type { FrontName } from "../prompt/systems.js";
import type { Front } from "./front.js";
import type { Guided } from "./guided.js";
import { jsonFront } from "./json-front.js";
import { tqlFront } from "./tql-front.js";

export interface FrontInput {
  readonly front: FrontName;
  readonly state: ReadableState;
  readonly askTx: number;
  readonly zone: string;
  /** Steps that a plan may have. */
  readonly mostSteps: number;
  readonly guided: Guided;
}

export function frontOf({ front, ...input }: FrontInput): Front {
  if (front === "json") return jsonFront(input.mostSteps, input.guided);
  return tqlFront({ ...input, nowUs: BigInt(Date.now()) * 1000n });
}
