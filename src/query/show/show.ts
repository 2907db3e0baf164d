// SHOW: tables about the store and the language, with declared columns; LIKE looks at the first column.
import type { ShowStatement } from "../../../grammar/ast.js";
import type { JsonValue } from "../../contract/values.js";
import type { CompileContext } from "../compile/context.js";
import { shownTransaction, shownValid } from "../compile/periods.js";
import type { SessionState } from "../sessions/state.js";
import { type Answer, type AnswerColumn, type AnswerRow, tableAnswer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import { ROW_BUDGET } from "../statements/limits.js";
import { functions } from "./functions.js";
import { isLike } from "./like.js";
import { labels, properties, types } from "./names.js";
import { operator, operators } from "./operators.js";

const pairs = (values: Readonly<Record<string, JsonValue>>): AnswerRow[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

function stats(host: QueryHost): readonly AnswerRow[] {
  const { types: typeNames, labels: labelNames, ...info } = host.info();
  const counts = { ...info, types: typeNames.length, labels: labelNames.length };
  return pairs(counts as unknown as Readonly<Record<string, JsonValue>>);
}

function settings(host: QueryHost, { zone, block }: SessionState, { session }: CompileContext): readonly AnswerRow[] {
  return pairs({
    time_zone: zone ?? "UTC",
    default_valid_time: session.valid === null ? "all" : shownValid(session.valid),
    default_transaction_time: session.transaction === null ? "latest" : shownTransaction(session.transaction),
    block: block?.kind ?? null,
    block_commit: block?.tx ?? null,
    read_only: host.isReadOnly,
    deadline_ms: host.deadlineMs ?? null,
    row_budget: ROW_BUDGET,
  });
}

function shown({ what, name }: ShowStatement, around: ShowSurroundings): readonly AnswerRow[] {
  const { host, state, context } = around;
  const names = () => context.catalogue.at(state.block?.tx ?? context.catalogue.source.headTx());
  switch (what) {
    case "operators":
      return operators();
    case "operator":
      return operator(name!);
    case "functions":
      return functions();
    case "types":
      return types(names());
    case "labels":
      return labels(names());
    case "properties":
      return properties(names(), name);
    case "stats":
      return stats(host);
    case "settings":
      return settings(host, state, context);
  }
}

const text = (name: string): AnswerColumn => ({ name, type: "string" });
const LIST: AnswerColumn = { name: "properties", type: "list(string)" };
const PAIRS: readonly AnswerColumn[] = [text("name"), { name: "value", type: "json" }];

/** The columns of each table, which do not depend on what is in the store. */
const COLUMNS: Readonly<Record<ShowStatement["what"], readonly AnswerColumn[]>> = {
  operators: [text("operator"), { name: "aliases", type: "list(string)" }, text("summary")],
  operator: [text("argument"), text("type"), { name: "required", type: "bool" }, text("default"), text("meaning")],
  functions: [text("function"), text("kind"), text("signature")],
  types: [text("type"), LIST],
  labels: [text("label"), LIST],
  properties: [text("property"), text("of"), text("kind"), text("type")],
  stats: PAIRS,
  settings: PAIRS,
};

export const showColumns = (what: ShowStatement["what"]): readonly AnswerColumn[] => COLUMNS[what];

interface ShowSurroundings {
  readonly host: QueryHost;
  readonly state: SessionState;
  readonly context: CompileContext;
}

export function runShow(statement: ShowStatement, around: ShowSurroundings): Answer {
  const columns = COLUMNS[statement.what];
  const rows = shown(statement, around);
  const { like } = statement;
  const first = columns[0]!.name;
  const passes = (row: AnswerRow): boolean => like === null || isLike(String(row[first]), like);
  return tableAnswer("show", columns, rows.filter(passes));
}
