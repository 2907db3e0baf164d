// One statement without a session, run or prepared: what db.query and db.prepare do.
import { noSession } from "../sessions/cell.js";
import type { Answer } from "./answer.js";
import type { QueryHost } from "./host.js";
import type { QueryOptions } from "./options.js";
import { beginsAtOnce, sourceOf } from "./parse.js";
import { PreparedStatement } from "./prepared.js";
import { QueryRun } from "./query-run.js";
import { StatementRun } from "./runner.js";

/** `Row` is what the caller's compiler knows of the rows: see row-types.ts. */
export function runStatement<Row>(host: QueryHost, text: string, options: QueryOptions): QueryRun<Answer<Row>> {
  const source = sourceOf(text);
  const run = new QueryRun<Answer<Row>>(new StatementRun(host, noSession(), source, options));
  return beginsAtOnce(source) ? run.begin() : run;
}

/** Throws what is wrong with the statement. */
export function prepareStatement<Row>(host: QueryHost, text: string): PreparedStatement<Row> {
  return new PreparedStatement<Row>(host, sourceOf(text)());
}
