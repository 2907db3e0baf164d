// A read of which not the table is asked, but parts of it: the steps of its plan, and for each part where it stands in them.
// The text may be anything that somebody wrote; what it may not be is told with its place.
import type { ReadStatement, Statement } from "../../../grammar/ast.js";
import { parseStatement } from "../../../grammar/index.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { PlanStep } from "../../plan/plan.js";
import { syntaxError } from "../syntax-error.js";
import { answerPath } from "./answer-path.js";
import { type Catalogue, catalogueUntil } from "./catalogue.js";
import { Compiler } from "./compiler.js";
import { NO_DEFAULTS } from "./periods.js";
import { refuse } from "./problem.js";
import { compileForm } from "./query-forms.js";
import { NO_NAMES } from "./scope.js";
import { judgeSteps } from "./statement-size.js";

export interface PartsContext {
  readonly catalogue: Catalogue;
  /** The commit that LATEST means; later ones do not exist. */
  readonly tx: number;
  /** CURRENT_TIMESTAMP. */
  readonly nowUs: bigint;
  readonly zone: string;
}

export interface CompiledParts {
  readonly steps: readonly PlanStep[];
  /** For each path that was asked where it stands in the steps, or what is wrong with it. */
  readonly paths: readonly (string | PalimpsestError)[];
}

const WRITE_A_READ = "write one SELECT, MATCH, CALL or WITH";

/** The statement as one that reads; refuses every other. */
function readOf(statement: Statement): ReadStatement {
  switch (statement.kind) {
    case "read":
      if (statement.explain === null) return statement;
      return refuse("E_INVALID_ARG", "explain", statement, "EXPLAIN shows a plan and answers nothing", WRITE_A_READ);
    case "write":
    case "insert":
      return refuse(
        "E_READONLY",
        "write",
        statement,
        "this statement writes, and only reads are answered",
        WRITE_A_READ,
      );
    case "show":
      return refuse("E_INVALID_ARG", "show", statement, "SHOW lists what a store has and no data of it", WRITE_A_READ);
    default:
      return refuse("E_INVALID_ARG", "session", statement, "statements of a session answer nothing", WRITE_A_READ);
  }
}

/** Compiles a text, and finds the paths in what it gives; throws what is wrong with the text. */
export function compileParts(text: string, context: PartsContext, paths: readonly string[]): CompiledParts {
  const { statement: parsed, problem } = parseStatement(text);
  if (parsed === null) throw syntaxError(problem, text);
  const { query, setting } = readOf(parsed);
  const { catalogue, tx, nowUs, zone } = context;
  const compiler = new Compiler(
    {
      catalogue: catalogueUntil(catalogue, tx),
      parameters: {},
      zone: zone === "UTC" ? null : zone,
      nowUs,
      session: NO_DEFAULTS,
      blockTx: null,
    },
    setting,
    compileForm,
  );
  const scope = compiler.withNames(query, NO_NAMES);
  const result = compiler.query({ ...query, with: [] }, scope, true);
  const relationOf = (name: string) => {
    const common = scope.find(name);
    return common === undefined ? undefined : compiler.relationOf(common);
  };
  const found = paths.map((path) => {
    try {
      return answerPath(path, { result, names: scope.names(), relationOf });
    } catch (error) {
      if (error instanceof PalimpsestError && error.code !== "E_INTERNAL") return error;
      throw error;
    }
  });
  const steps = compiler.steps.finish();
  judgeSteps(steps.length, query);
  return { steps, paths: found };
}
