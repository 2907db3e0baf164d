// A statement parsed and bound before it runs: its columns and parameters are known, and it can run many times.
// Names are bound anew when the store has moved on.
import type { Statement } from "../../../grammar/ast.js";
import { typeName } from "../../relational/index.js";
import { wallClockUs } from "../../store/commit-clock.js";
import { compileRead } from "../compile/compile-read.js";
import { Folder } from "../compile/fold.js";
import { EXPLAIN_COLUMNS } from "../explain/columns.js";
import { noSession } from "../sessions/cell.js";
import { isSessionStatement, refuseWithoutSession } from "../sessions/session-statements.js";
import { contextIn, STATELESS } from "../sessions/state.js";
import { showColumns } from "../show/show.js";
import { planWrite } from "../writes/plan-write.js";
import { WRITE_COLUMNS } from "../writes/run-write.js";
import type { Answer, AnswerColumn, AnswerRow } from "./answer.js";
import type { QueryHost } from "./host.js";
import type { QueryOptions } from "./options.js";
import { parametersOf } from "./parse.js";
import { QueryRun } from "./query-run.js";
import { StatementRun } from "./runner.js";

export class PreparedStatement<Row = AnswerRow> {
  /** Names of its parameters, in the order of the text. */
  readonly parameters: readonly string[];
  private boundTx = -1;
  private boundColumns: readonly AnswerColumn[] = [];

  constructor(
    private readonly host: QueryHost,
    private readonly statement: Statement,
  ) {
    if (isSessionStatement(statement)) refuseWithoutSession(statement);
    this.parameters = parametersOf(statement);
    this.bind();
  }

  /** Names and types, as the store is now. */
  get columns(): readonly AnswerColumn[] {
    this.bind();
    return this.boundColumns;
  }

  run(options: QueryOptions = {}): QueryRun<Answer<Row>> {
    const { statement } = this;
    const run = new QueryRun<Answer<Row>>(new StatementRun(this.host, noSession(), () => statement, options));
    return statement.kind === "read" || statement.kind === "show" ? run : run.begin();
  }

  private bind(): void {
    const tx = this.host.published.engine.headTx();
    if (tx === this.boundTx) return;
    this.boundColumns = this.columnsNow();
    this.boundTx = tx;
  }

  /** What is nothing but a parameter has the type of its value, which is still to come. */
  private typeOf(type: string): string {
    return type === "null" && this.parameters.length > 0 ? "unknown" : type;
  }

  private columnsNow(): readonly AnswerColumn[] {
    const { host, statement } = this;
    const { catalogue } = host.published;
    const context = contextIn(STATELESS, { catalogue, parameters: null, nowUs: wallClockUs() });
    switch (statement.kind) {
      case "read": {
        const { columns } = compileRead(statement, context);
        if (statement.explain !== null) return EXPLAIN_COLUMNS[statement.explain];
        return columns.map(({ name, type }) => ({ name, type: this.typeOf(typeName(type)) }));
      }
      case "show":
        return showColumns(statement.what);
      case "write":
      case "insert":
        for (const { statement: read } of planWrite(statement, new Folder(context)).parts) compileRead(read, context);
        return statement.explain === null ? WRITE_COLUMNS(statement) : EXPLAIN_COLUMNS[statement.explain];
      default:
        return [];
    }
  }
}
