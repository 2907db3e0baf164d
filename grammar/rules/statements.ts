// Statements: what may stand between two semicolons.
// A reading and a writing MATCH differ only at the end, so one rule takes both at the top of a statement.
import type {
  CommonTable,
  Default,
  ExplainMode,
  MatchClause,
  QueryBody,
  ShowStatement,
  Statement,
  TimeClause,
  Write,
} from "../ast.js";
import { queryOf } from "./queries.js";
import type { Tail, Workshop } from "./table.js";

const NO_TAIL: Tail = { operands: [], orderBy: [], limit: null, withTies: false, offset: null };

export function defineStatements(tools: Workshop): void {
  const { p, r, word, string, anyName, choice } = tools;

  type Head =
    | { readonly kind: "body"; readonly body: QueryBody }
    | { readonly kind: "writes"; readonly clauses: readonly MatchClause[]; readonly writes: readonly Write[] };

  const matchTop = p.rule("matchTop", (): Head => {
    const first = p.next();
    const clauses: MatchClause[] = [p.sub(r.clause)];
    p.many(0, () => clauses.push(p.sub(r.clause)));
    return p.or<Head>(0, [
      {
        ALT: () => {
          const returned = p.sub(r.returned);
          return { kind: "body", body: { kind: "match", clauses, ...returned, at: p.since(first) } };
        },
      },
      {
        ALT: () => {
          const writes: Write[] = [p.sub(r.write)];
          p.many(1, () => writes.push(p.sub(r.write)));
          return { kind: "writes", clauses, writes };
        },
      },
    ]);
  });

  const heads = [
    { ALT: (): Head => ({ kind: "body", body: p.sub(r.select) }) },
    { ALT: (): Head => ({ kind: "body", body: p.sub(r.call) }) },
    { ALT: (): Head => p.sub(matchTop) },
    { ALT: (): Head => ({ kind: "body", body: p.sub(r.parenthesised) }) },
  ];
  const top = p.rule("top", (): Statement => {
    const setting: Default[] =
      p.option(0, () => {
        p.take(word.SETTING);
        return p.sub(r.defaults);
      }) ?? [];
    const first = p.next();
    const tables: CommonTable[] = p.option(1, () => p.sub(r.commonTables)) ?? [];
    const head = p.or<Head>(0, heads);
    // After writes there is nothing to order or to join.
    const tail = p.option(2, { GATE: () => head.kind === "body", DEF: () => p.sub(r.tail) }) ?? NO_TAIL;
    return p.act((): Statement => {
      if (head.kind === "writes") {
        return { kind: "write", explain: null, setting, with: tables, clauses: head.clauses, writes: head.writes };
      }
      const query = { ...queryOf(tables, head.body, tail), at: p.since(first) };
      return { kind: "read", explain: null, setting, query };
    });
  });

  const insertStatement = (): Statement => ({ kind: "insert", explain: null, insert: p.sub(r.insert) });
  const readings = [{ ALT: insertStatement }, { ALT: (): Statement => p.sub(top) }];

  const explained = p.rule("explained", (): Statement => {
    p.take(word.EXPLAIN);
    const mode = p.option(0, () =>
      p.or<ExplainMode>(0, [
        choice(word.ESTIMATE, "estimate"),
        choice(word.ANALYZE, "analyze"),
        choice(word.VERIFY, "verify"),
      ]),
    );
    const of = p.or<Statement>(1, readings);
    return p.act(() => ({ ...of, explain: mode ?? "plan" }) as Statement);
  });

  const session = p.rule("session", (): Statement => {
    return p.or<Statement>(0, [
      {
        ALT: () => {
          p.take(word.SET);
          return p.or<Statement>(1, [
            { ALT: () => ({ kind: "set_defaults", defaults: p.sub(r.defaults) }) },
            {
              ALT: () => {
                p.take(word.TIME);
                p.take(word.ZONE);
                return { kind: "set_zone", zone: string() };
              },
            },
          ]);
        },
      },
      {
        ALT: () => {
          p.take(word.RESET);
          p.take(word.DEFAULTS);
          return { kind: "reset_defaults" };
        },
      },
    ]);
  });

  const transaction = p.rule(
    "transaction",
    (): Statement =>
      p.or<Statement>(0, [
        {
          ALT: () => {
            p.take(word.BEGIN);
            p.take(word.READ);
            const times: TimeClause[] = [];
            const mode = p.or<"read_only" | "read_write">(1, [
              {
                ALT: () => {
                  p.take(word.ONLY);
                  p.many(0, () => times.push(p.sub(r.time)));
                  return "read_only";
                },
              },
              choice(word.WRITE, "read_write"),
            ]);
            return { kind: "begin", mode, times };
          },
        },
        choice(word.COMMIT, { kind: "commit" }),
        choice(word.ROLLBACK, { kind: "rollback" }),
      ]),
  );

  const show = p.rule("show", (): Statement => {
    p.take(word.SHOW);
    const { what, name } = p.or<Pick<ShowStatement, "what" | "name">>(0, [
      choice(word.OPERATORS, { what: "operators", name: null }),
      {
        ALT: () => {
          p.take(word.OPERATOR);
          return { what: "operator", name: anyName("operator") };
        },
      },
      choice(word.FUNCTIONS, { what: "functions", name: null }),
      choice(word.TYPES, { what: "types", name: null }),
      choice(word.LABELS, { what: "labels", name: null }),
      {
        ALT: () => {
          p.take(word.PROPERTIES);
          const of = p.option(0, () => {
            p.take(word.OF);
            return anyName("label_or_type");
          });
          return { what: "properties", name: of ?? null };
        },
      },
      choice(word.STATS, { what: "stats", name: null }),
      choice(word.SETTINGS, { what: "settings", name: null }),
    ]);
    const like = p.option(1, () => {
      p.take(word.LIKE);
      return string();
    });
    return { kind: "show", what, name, like: like ?? null };
  });

  r.statement = p.rule("statement", (): Statement => {
    const first = p.next();
    const read = p.or<Statement>(0, [
      { ALT: () => p.sub(explained) },
      ...readings,
      { ALT: () => p.sub(show) },
      { ALT: () => p.sub(session) },
      { ALT: () => p.sub(transaction) },
    ]);
    return { ...read, at: p.since(first) };
  });
}
