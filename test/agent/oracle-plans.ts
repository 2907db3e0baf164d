// Plans that answer questions over four data sets, written by hand, each with its answer computed from the files.
import { BITCOIN_OTC } from "./oracle/bitcoin-otc.js";
import { COLLEGEMSG } from "./oracle/collegemsg.js";
import type { OraclePlan } from "./oracle/plan.js";
import { PRIMARYSCHOOL } from "./oracle/primaryschool.js";
import { WORLD_LEADERS } from "./oracle/world-leaders.js";

export const ORACLE_PLANS: readonly OraclePlan[] = [...COLLEGEMSG, ...BITCOIN_OTC, ...PRIMARYSCHOOL, ...WORLD_LEADERS];
