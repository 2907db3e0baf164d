// One statement from its tree to its answer, whatever its kind: where all kinds come together.
// Compiles against one state of the store and one moment; the session that it belongs to is told what it changes.
import type { Begin, ReadStatement, Statement } from "../../../grammar/ast.js";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { wallClockUs } from "../../store/commit-clock.js";
import { compileRead } from "../compile/compile-read.js";
import type { CompileContext } from "../compile/context.js";
import { runExplain } from "../explain/explain.js";
import { runExplainWrite } from "../explain/explain-write.js";
import type { SessionCell } from "../sessions/cell.js";
import { isSessionStatement, refuseWithoutSession, runSessionStatement } from "../sessions/session-statements.js";
import { contextIn, type SessionState } from "../sessions/state.js";
import { runShow } from "../show/show.js";
import { type AnyWrite, checkDatabase, checkWritable, runWrite } from "../writes/run-write.js";
import type { Answer } from "./answer.js";
import type { QueryHost, ReadableState } from "./host.js";
import { limitsOf, type StatementLimits, stoppedBy } from "./limits.js";
import { checkQueryOptions, QUERY_OPTIONS, type QueryOptions } from "./options.js";
import type { RowStream, Work } from "./query-run.js";
import { readAnswer, readRows, readTable, streamRead } from "./run-plan.js";
import { type TableAnswer, tableOfRows } from "./table-answer.js";

/** Gives the tree, or throws what is wrong with the text. */
export type StatementSource = () => Statement;

const isWrite = (statement: Statement): statement is AnyWrite =>
  statement.kind === "write" || statement.kind === "insert";

export class StatementRun implements Work {
  constructor(
    private readonly host: QueryHost,
    private readonly cell: SessionCell,
    private readonly source: StatementSource,
    private readonly options: QueryOptions,
  ) {}

  async whole(): Promise<Answer> {
    return this.host.during(async () => {
      const statement = this.begin();
      const limits = limitsOf(this.options, this.host.deadlineMs);
      return this.answer(statement, limits);
    });
  }

  async stream(stop: AbortSignal): Promise<RowStream> {
    const statement = this.begin();
    const limits = stoppedBy(limitsOf(this.options, this.host.deadlineMs), stop);
    if (statement.kind === "read" && statement.explain === null) return this.streamedRead(statement, limits);
    const answer = await this.host.during(() => this.answer(statement, limits));
    return { head: answer, pieces: inOnePiece(answer) };
  }

  async table(stop: AbortSignal): Promise<TableAnswer> {
    const statement = this.begin();
    const limits = stoppedBy(limitsOf(this.options, this.host.deadlineMs), stop);
    if (statement.kind === "read" && statement.explain === null) {
      return readTable(this.compiled(statement, await this.cell.look()), this.host, limits);
    }
    const answer = await this.host.during(() => this.answer(statement, limits));
    return { head: answer, table: await tableOfRows(answer.columns, answer.rows) };
  }

  private begin(): Statement {
    readGiven("options", "the options", () => checkQueryOptions(this.options, [...QUERY_OPTIONS]));
    return this.source();
  }

  private async streamedRead(statement: ReadStatement, limits: StatementLimits): Promise<RowStream> {
    const state = await this.cell.look();
    return streamRead(this.compiled(statement, state), this.host, limits);
  }

  private async answer(statement: Statement, limits: StatementLimits): Promise<Answer> {
    const { host, cell } = this;
    if (isSessionStatement(statement)) {
      if (!cell.isSession) refuseWithoutSession(statement);
      if (statement.kind === "begin" && statement.mode === "read_write") this.checkWrites(statement);
      return cell.change((state) =>
        runSessionStatement(statement, state, {
          host,
          initial: cell.initial,
          contextIn: (of) => this.contextIn(of),
          resolve: async (us) => (await host.published.engine.resolveInstant(us, limits.signal)).tx,
        }),
      );
    }
    if (statement.kind === "show") {
      const state = await cell.look();
      return runShow(statement, { host, state, context: this.contextIn(state) });
    }
    if (isWrite(statement)) return this.write(statement, limits);
    const state = await cell.look();
    const context = this.contextIn(state);
    if (statement.explain !== null) return runExplain(statement, statement.explain, context, host, limits);
    return readAnswer(compileRead(statement, context), host.published, limits);
  }

  private async write(statement: AnyWrite, limits: StatementLimits): Promise<Answer> {
    const { host, cell } = this;
    if (statement.explain !== null) {
      const state = await cell.look();
      return runExplainWrite(statement, statement.explain, this.writeContext(state, host.published), host, limits);
    }
    return cell.change(async (state) => {
      this.checkWrites(statement);
      checkWritable(statement, { host, state });
      const contextAt = (of: ReadableState): CompileContext => this.writeContext(state, of);
      const { answer, block } = await runWrite(statement, {
        host,
        state,
        contextAt,
        read: (read, staged) => readRows(compileRead(read, contextAt(staged)), staged.engine, limits),
      });
      return { next: block === null ? state : { ...state, block }, result: answer };
    });
  }

  private checkWrites(statement: AnyWrite | Begin): void {
    if (this.cell.isReadOnly) throw readOnlySession(statement);
    checkDatabase(statement, this.host);
  }

  private compiled(statement: ReadStatement, state: SessionState) {
    return compileRead(statement, this.contextIn(state));
  }

  private readonly nowUs = wallClockUs();

  private contextIn(state: SessionState): CompileContext {
    const parameters = (this.options.params ?? {}) as Readonly<Record<string, unknown>>;
    return contextIn(state, { catalogue: this.host.published.catalogue, parameters, nowUs: this.nowUs });
  }

  /** A write reads what is believed now, also in a block. */
  private writeContext(state: SessionState, { catalogue }: ReadableState): CompileContext {
    return { ...this.contextIn({ ...state, block: null }), catalogue };
  }
}

const readOnlySession = (statement: AnyWrite | Begin): PalimpsestError =>
  new PalimpsestError("E_READONLY", "this session only reads", {
    details: { kind: "read_only", ...statement.at },
    hint: "make a session without readOnly (on the command line: --write)",
  });

async function* inOnePiece({ rows }: Answer): AsyncGenerator<Answer["rows"], void, undefined> {
  yield rows;
}
