// Plans that answer questions over four data sets, written by hand, each with its answer computed from the files.
import { BITCOIN_OTC } from "./oracle/bitcoin-otc.js";
import { COLLEGEMSG } from "./oracle/collegemsg.js";
import { EQUAL_CELLS } from "./oracle/equal-cells.js";
import { ORDERS } from "./oracle/orders.js";
import type { OraclePlan } from "./oracle/plan.js";
import { PRIMARYSCHOOL } from "./oracle/primaryschool.js";
import { SHAPES } from "./oracle/shapes.js";
import { WORLD_LEADERS } from "./oracle/world-leaders.js";

export const ORACLE_PLANS: readonly OraclePlan[] = [
  ...COLLEGEMSG,
  ...BITCOIN_OTC,
  ...PRIMARYSCHOOL,
  ...WORLD_LEADERS,
  ...ORDERS,
  ...SHAPES,
  ...EQUAL_CELLS,
];
