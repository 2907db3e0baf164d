// FROM: sources, joins, tables and their aliases.
// A soft keyword that begins a table is told from a name by the parenthesis after it.
import type { TokenType } from "chevrotain";
import type { Alias, BaseTable, Join, Name, Source, Table, TimeClause } from "../ast.js";
import type { Workshop } from "./table.js";

export function defineTables(tools: Workshop): void {
  const { p, r, mark, word, name, anyName, string, choice } = tools;

  r.alias = p.rule("alias", (): Alias => {
    const first = p.next();
    p.has(0, word.AS);
    const named = name("new_name");
    const columns = p.option(1, () => {
      p.take(mark.LeftParen);
      const names = p.list(0, () => name("new_name"));
      p.take(mark.RightParen);
      return names;
    });
    return { name: named, columns: columns ?? [], at: p.since(first) };
  });

  /** The alias may stand before or after the time; it is printed after it. */
  const tail = p.rule("sourceTail", (): { alias: Alias | null; times: readonly TimeClause[] } => {
    const times: TimeClause[] = [];
    const takeTimes = (idx: number) => p.many(idx, () => times.push(p.sub(r.time)));
    const early = p.option(0, () => p.sub(r.alias));
    takeTimes(0);
    const late = p.option(1, { GATE: () => early === undefined, DEF: () => p.sub(r.alias) });
    return { alias: early ?? late ?? null, times };
  });
  const withTail = () => p.sub(tail) ?? { alias: null, times: [] };

  const base = (type: TokenType, of: BaseTable["of"]) => ({
    GATE: () => p.sees(2, mark.LeftParen),
    ALT: (): Table => {
      const first = p.take(type);
      p.take(mark.LeftParen);
      const labels = p.option(0, () => p.sub(r.labels));
      p.take(mark.RightParen);
      const { alias, times } = withTail();
      return { kind: "base", of, labels: labels ?? null, times, alias, at: p.since(first) };
    },
  });
  const special = (type: TokenType, read: () => Table) => ({
    GATE: () => p.sees(2, mark.LeftParen),
    ALT: (): Table => {
      const first = p.take(type);
      p.take(mark.LeftParen);
      return { ...read(), at: p.since(first) };
    },
  });
  const versions = (): Table => {
    const of = p.or(1, [choice(word.NODES, "nodes" as const), choice(word.EDGES, "edges" as const)]);
    const labels = p.option(1, () => p.sub(r.labels));
    p.take(mark.RightParen);
    return { kind: "versions", of, labels: labels ?? null, ...withTail() };
  };
  const commits = (): Table => {
    p.take(mark.RightParen);
    return { kind: "commits", ...withTail() };
  };
  const aliased = (idx: number): Alias | null => p.option(idx, () => p.sub(r.alias)) ?? null;
  const buckets = (): Table => {
    p.take(word.FROM);
    const from = p.sub(r.point);
    p.take(word.TO);
    const to = p.sub(r.point);
    p.take(word.STEP);
    const step = p.sub(r.point);
    const zone = p.option(2, () => {
      p.take(word.ZONE);
      return string();
    });
    p.take(mark.RightParen);
    return { kind: "buckets", from, to, step, zone: zone ?? null, alias: aliased(3) };
  };
  const unnest = (): Table => {
    const expr = p.sub(r.expr);
    p.take(mark.RightParen);
    const ordinality = p.option(4, () => {
      p.take(word.WITH);
      p.take(word.ORDINALITY);
      return true;
    });
    return { kind: "unnest", expr, ordinality: ordinality === true, alias: aliased(5) };
  };
  const callTable = (): Table => {
    const call = p.sub(r.invocation);
    return { kind: "call_table", call, alias: aliased(6), at: p.upTo(call.at) };
  };
  const subquery = (): Table => {
    const first = p.take(mark.LeftParen);
    const query = p.sub(r.query);
    p.take(mark.RightParen);
    return { kind: "subquery", query, alias: aliased(7), at: p.since(first) };
  };
  const named = (): Table => {
    const path: Name[] = [name("table")];
    p.many(0, () => {
      p.take(mark.Dot);
      path.push(anyName("property"));
    });
    const alias = aliased(8);
    return { kind: "named", path, alias, at: p.upTo(path[0]!.at) };
  };
  const tables = [
    base(word.NODES, "nodes"),
    base(word.EDGES, "edges"),
    base(word.EVENTS, "events"),
    base(word.ENDPOINTS, "endpoints"),
    special(word.VERSIONS, versions),
    special(word.COMMITS, commits),
    special(word.BUCKETS, buckets),
    special(word.UNNEST, unnest),
    { ALT: callTable },
    { ALT: subquery },
    { ALT: named },
  ];
  r.table = p.rule("table", () => p.or<Table>(0, tables));

  const outer = (how: "left" | "right" | "full", type: TokenType, idx: number) => ({
    ALT: (): Join["how"] => {
      p.take(type);
      p.has(idx, word.OUTER);
      return how;
    },
  });
  const kinds = [
    choice(word.INNER, "inner" as Join["how"]),
    outer("left", word.LEFT, 1),
    outer("right", word.RIGHT, 2),
    outer("full", word.FULL, 3),
    choice(word.SEMI, "semi" as Join["how"]),
    choice(word.ANTI, "anti" as Join["how"]),
  ];
  const join = p.rule("join", (): Join => {
    const first = p.next();
    return p.or<Join>(0, [
      {
        ALT: () => {
          p.take(word.CROSS);
          p.take(word.JOIN);
          return { how: "cross", table: p.sub(r.table), on: null, using: null, at: p.since(first) };
        },
      },
      {
        ALT: () => {
          const how = p.option(0, () => p.or(1, kinds)) ?? "inner";
          p.take(word.JOIN);
          const table = p.sub(r.table);
          const condition = p.or<Pick<Join, "on" | "using">>(2, [
            {
              ALT: () => {
                p.take(word.ON);
                return { on: p.sub(r.expr), using: null };
              },
            },
            {
              ALT: () => {
                p.take(word.USING);
                p.take(mark.LeftParen);
                const using = p.list(0, () => anyName("column"));
                p.take(mark.RightParen);
                return { on: null, using };
              },
            },
          ]);
          return { how, table, ...condition, at: p.since(first) };
        },
      },
    ]);
  });
  r.source = p.rule("source", (): Source => {
    const table = p.sub(r.table);
    const joins: Join[] = [];
    p.many(0, () => joins.push(p.sub(join)));
    return { table, joins, at: p.upTo(table.at) };
  });
}
