// EXPLAIN VERIFY: the plan on the reference engine beside our own, and whether both give the same bytes.
// For small stores: the reference engine is written to be obvious, not to be fast.
import { PalimpsestError } from "../../contract/errors.js";
import { runStatementPlan } from "../../plan/index.js";
import type { CompiledQuery } from "../compile/compile-read.js";
import { type Answer, tableAnswer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import type { StatementLimits } from "../statements/limits.js";
import { runOptions } from "../statements/run-plan.js";
import { EXPLAIN_COLUMNS } from "./columns.js";

/** Version rows of a store that the reference engine is asked about. */
const MOST_VERSIONS = 10_000;

function checkSize(host: QueryHost): void {
  const { node_versions: nodes, edge_versions: edges } = host.info();
  const versions = nodes + edges;
  if (versions <= MOST_VERSIONS) return;
  throw new PalimpsestError(
    "E_COST",
    `the store holds ${versions} versions, more than the ${MOST_VERSIONS} that VERIFY asks the reference engine about`,
    {
      details: { kind: "verify", versions, ceiling: MOST_VERSIONS },
      hint: "verify on a smaller store, or EXPLAIN ANALYZE",
    },
  );
}

export async function runVerify(compiled: CompiledQuery, host: QueryHost, limits: StatementLimits): Promise<Answer> {
  checkSize(host);
  const { engine } = host.published;
  const askTx = engine.headTx();
  const options = runOptions(limits, askTx);
  const own = await runStatementPlan(engine, compiled.plan, options);
  const reference = await host.reference(askTx);
  const other = await runStatementPlan(reference, compiled.plan, options);
  const equal = own.result_digest === other.result_digest;
  const rows = [
    { engine: engine.name, rows: own.rows_total, result_digest: own.result_digest, equal },
    { engine: reference.name, rows: other.rows_total, result_digest: other.result_digest, equal },
  ];
  return tableAnswer("explain", EXPLAIN_COLUMNS.verify, rows, { pin: own.pin, erased: own.erased });
}
