// SET, RESET, BEGIN, COMMIT and ROLLBACK: what each does to the state of a session.
import type { Begin, Commit, ResetDefaults, Rollback, SetDefaults, SetZone } from "../../../grammar/ast.js";
import type { CompileContext } from "../compile/context.js";
import { refuse } from "../compile/problem.js";
import { type Answer, emptyAnswer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import { commitBlock } from "../writes/run-write.js";
import { begun, type ResolveInstant, type SessionState, withDefaults, withZone } from "./state.js";

type SessionStatement = SetDefaults | SetZone | ResetDefaults | Begin | Commit | Rollback;

interface SessionSurroundings {
  readonly host: QueryHost;
  readonly initial: SessionState;
  readonly contextIn: (state: SessionState) => CompileContext;
  readonly resolve: ResolveInstant;
}

const NAMES: Readonly<Record<SessionStatement["kind"], string>> = {
  set_defaults: "SET DEFAULT",
  set_zone: "SET TIME ZONE",
  reset_defaults: "RESET DEFAULTS",
  begin: "BEGIN",
  commit: "COMMIT",
  rollback: "ROLLBACK",
};

export const isSessionStatement = (statement: { readonly kind: string }): statement is SessionStatement =>
  Object.hasOwn(NAMES, statement.kind);

export function refuseWithoutSession(statement: SessionStatement): never {
  return refuse(
    "E_STATE",
    "stateless",
    statement,
    `${NAMES[statement.kind]} changes a session, and this statement has none`,
    "run it by a session: const session = db.session(); session.query(…)",
  );
}

interface Changed {
  readonly next: SessionState;
  readonly result: Answer;
}

export async function runSessionStatement(
  statement: SessionStatement,
  state: SessionState,
  around: SessionSurroundings,
): Promise<Changed> {
  const quietly = (next: SessionState): Changed => ({ next, result: emptyAnswer() });
  switch (statement.kind) {
    case "set_defaults":
      return quietly(withDefaults(state, statement.defaults, around.contextIn(state)));
    case "set_zone":
      return quietly(withZone(state, statement, statement));
    case "reset_defaults":
      return quietly({ ...state, defaults: around.initial.defaults });
    case "begin":
      return quietly(await begun(state, statement, around.contextIn(state), around.resolve));
    case "rollback":
      return quietly({ ...state, block: openBlock(statement, state) && null });
    case "commit": {
      const block = openBlock(statement, state);
      const next = { ...state, block: null };
      return block.kind === "read_only" ? quietly(next) : { next, result: await commitBlock(block, around.host) };
    }
  }
}

function openBlock(statement: SessionStatement, { block }: SessionState): NonNullable<SessionState["block"]> {
  if (block !== null) return block;
  return refuse(
    "E_STATE",
    "no_block",
    statement,
    `${NAMES[statement.kind]} ends a block, and none is open`,
    "BEGIN one",
  );
}
