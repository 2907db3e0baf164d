// One statement without a session, run or prepared: what db.query and db.prepare do.
import { noSession } from "../sessions/cell.js";
import type { QueryHost } from "./host.js";
import type { QueryOptions } from "./options.js";
import { beginsAtOnce, sourceOf } from "./parse.js";
import { PreparedStatement } from "./prepared.js";
import { QueryRun } from "./query-run.js";
import { StatementRun } from "./runner.js";

export function runStatement(host: QueryHost, text: string, options: QueryOptions): QueryRun {
  const source = sourceOf(text);
  const run = new QueryRun(new StatementRun(host, noSession(), source, options));
  return beginsAtOnce(source) ? run.begin() : run;
}

/** Throws what is wrong with the statement. */
export function prepareStatement(host: QueryHost, text: string): PreparedStatement {
  return new PreparedStatement(host, sourceOf(text)());
}
