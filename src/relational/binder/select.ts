// Binds one SELECT: sources, condition, items, groups, windows. Decides what is grouped, and refuses what the groups have lost.
import type { Expr, Item, Select, Window } from "../../../grammar/ast.js";
import { type Bound, type OutputColumn, POSITION, type SelectTree, type Source } from "../bound.js";
import { asType, columnNode, keyOf, partsOf, settled, someNode } from "../nodes.js";
import { problem } from "../problems.js";
import { INT } from "../types.js";
import type { Context } from "./context.js";
import type { ExpressionBinder } from "./expressions.js";
import { hasAggregate, hasWindow } from "./functions.js";
import { columnOf, Level, unknownMember } from "./level.js";
import { distinctNames, itemName } from "./output-names.js";
import type { SourceBinder } from "./sources.js";
import type { BindingState, CommonNames } from "./state.js";

/** What ORDER BY of the query around needs of the SELECT. */
export interface BoundSelect {
  readonly tree: SelectTree;
  readonly level: Level;
  /** Where expressions of ORDER BY are bound; they are checked against the groups by `check`. */
  readonly context: Context;
  check(node: Bound): void;
  /** Tells rows apart where a window in ORDER BY asks for it. */
  demandIdentity(node: Bound): void;
}

interface NamedItem {
  readonly node: Bound;
  readonly name: string;
  readonly isWritten: boolean;
}

export class SelectBinder {
  constructor(
    private readonly state: BindingState,
    private readonly expressions: ExpressionBinder,
    private readonly sources: SourceBinder,
  ) {}

  bind(select: Select, around: Level | null, common: CommonNames): BoundSelect {
    const level = new Level(around);
    const from = this.sources.bind(select.from, level, common);
    const base: Context = {
      clause: "WHERE",
      level,
      common,
      aggregates: false,
      windows: false,
      seesOutputs: false,
      namedWindows: new Map(),
    };
    const where = select.where === null ? null : this.expressions.test(select.where, base, "WHERE");
    const { grouping } = select;
    const namedWindows = new Map<string, Window>();
    for (const { name, window } of grouping.windows) {
      if (namedWindows.has(name.text)) throw problem("same_name", `two windows are named ${name.text}`, name);
      namedWindows.set(name.text, window);
    }
    level.outerUses = [];
    const inItems: Context = { ...base, clause: "SELECT", aggregates: true, windows: true, namedWindows };
    const items = this.items(select.items, inItems);
    const usedInItems = level.outerUses;
    const isGroupedByText = grouping.groupBy !== null;
    const columns = outputColumns(items);
    level.outputs = new Map(
      items.flatMap(({ node, isWritten }, i) => (isWritten ? [[columns[i]!.name, node] as const] : [])),
    );

    let keys = this.keys(select, items, base);
    const havingContext: Context = {
      ...inItems,
      clause: "HAVING",
      windows: false,
      seesOutputs: true,
      ...(keys !== null && { isSeen: seenIn(keys) }),
    };
    level.outerUses = [];
    const having = grouping.having === null ? null : this.expressions.test(grouping.having, havingContext, "HAVING");
    const afterGroups: Context = { ...havingContext, clause: "QUALIFY", windows: true };
    const qualify = grouping.qualify === null ? null : this.expressions.test(grouping.qualify, afterGroups, "QUALIFY");
    const usedAfter = level.outerUses;
    if (qualify !== null && !hasWindow(qualify) && !items.some(({ node }) => hasWindow(node))) {
      throw problem("no_window", "QUALIFY needs a window function", grouping.qualify!, {
        hint: "conditions on rows stand in WHERE",
      });
    }
    const isFolded =
      items.some(({ node }) => hasAggregate(node)) || having !== null || (qualify !== null && hasAggregate(qualify));
    if (keys === null && isFolded) keys = [];
    const groupKeys = keys;
    const check = (node: Bound): void => {
      if (groupKeys !== null) this.checkGrouped(node, new Set(groupKeys.map(keyOf)), level, isGroupedByText);
    };
    for (const { node } of items) check(node);
    if (having !== null) check(having);
    if (qualify !== null) check(qualify);
    for (const used of [...usedInItems, ...usedAfter]) check(used);

    const identity: Bound[] = [];
    const demandIdentity = (node: Bound): void => {
      if (identity.length === 0 && someNode(node, (each) => each.kind === "window" && each.breaksTies)) {
        identity.push(...(groupKeys ?? this.identity(level)));
      }
    };
    const nodes = items.map(({ node }) => settled(node));
    for (const node of [...nodes, ...(qualify === null ? [] : [qualify])]) demandIdentity(node);
    const tree: SelectTree = {
      kind: "select",
      distinct: select.distinct,
      from,
      where,
      items: nodes,
      groupBy: groupKeys,
      having,
      qualify,
      identity,
      columns,
    };
    return {
      tree,
      level,
      context: { ...afterGroups, clause: "ORDER BY", ...(groupKeys !== null && { isSeen: seenIn(groupKeys) }) },
      check,
      demandIdentity,
    };
  }

  /** What tells rows apart: for each source its own identity, then the place of the row in it. */
  identity(level: Level): Bound[] {
    return level.sources.flatMap((source): Bound[] => {
      if (source.kind !== "table") return identityOfQuery(source);
      const own = (source.schema.identity ?? [])
        .map((name) => columnOf(source, name)?.node)
        .filter((node) => node !== undefined);
      return [...own, columnNode(source, POSITION, INT)];
    });
  }

  // ------------------------------------------------------------ items

  private items(items: readonly Item[], context: Context): NamedItem[] {
    return items.flatMap((item, i): NamedItem[] => {
      if (item.kind === "expr") {
        const node = this.expressions.bind(item.expr, context);
        if (node.type.kind === "row" || node.type.kind === "interval") {
          throw problem("wrong_type", "this is not the value of a column", item.expr);
        }
        return [{ node, name: itemName(item, i), isWritten: true }];
      }
      const { level } = context;
      if (item.kind === "star") {
        if (level.sources.length === 0) throw problem("no_source", "* needs a FROM", item);
        const merged = [...level.merged].map(([name, node]) => ({ node, name, isWritten: true }));
        const rest = level.sources.flatMap((source) => this.star(source)).filter(({ name }) => !level.merged.has(name));
        return [...merged, ...rest];
      }
      const source = level.source(item.name.text);
      if (source === undefined) {
        throw problem("unknown_name", `no source is named ${item.name.text}`, item.name, {
          hint: `known: ${level.sources.map(({ name }) => name ?? "?").join(", ")}`,
        });
      }
      return this.star(source);
    });
  }

  private star(source: Source): NamedItem[] {
    const names =
      source.kind === "table"
        ? (source.schema.star ?? source.schema.columns.map(({ name }) => name))
        : source.columns.map(({ name }) => name);
    return names.map((name) => {
      const found = columnOf(source, name);
      if (found === undefined) throw unknownMember(source, { text: name }, { kind: "name", name: { text: name } });
      return { node: found.node, name: name.replace(/^props\./, ""), isWritten: true };
    });
  }

  // ------------------------------------------------------------ groups

  private keys(select: Select, items: readonly NamedItem[], base: Context): Bound[] | null {
    const { groupBy } = select.grouping;
    if (groupBy === null) return null;
    if (groupBy === "all") {
      return unique(items.map(({ node }) => settled(node)).filter((node) => !hasAggregate(node) && !hasWindow(node)));
    }
    return unique(
      groupBy.map((expr) => {
        if (expr.kind === "integer") {
          throw problem("position", "GROUP BY takes columns, not places", expr, {
            hint: "name the column or its output name",
          });
        }
        const key = settled(this.expressions.bind(expr, { ...base, clause: "GROUP BY", seesOutputs: true }));
        if (hasAggregate(key) || hasWindow(key)) {
          throw problem("misplaced_aggregate", "groups are not made by what is computed of them", expr, {
            hint: "compute it in FROM (SELECT …) first",
          });
        }
        return key;
      }),
    );
  }

  /** Every column must be a key, or lie inside an aggregate. */
  private checkGrouped(node: Bound, keys: ReadonlySet<string>, level: Level, isGroupedByText: boolean): void {
    if (keys.has(keyOf(node)) || keys.has(keyOf(settled(node))) || node.kind === "aggregate") return;
    if (node.kind === "column") {
      // A column of a query around has one value for all rows here.
      if (!level.sources.includes(node.source)) return;
      throw this.notGrouped(node, isGroupedByText);
    }
    for (const part of partsOf(node)) this.checkGrouped(part, keys, level, isGroupedByText);
  }

  private notGrouped(node: Bound, isGroupedByText: boolean): Error {
    const origin = this.state.origins.get(node);
    const shown = origin === undefined ? "a column" : shownName(origin);
    const other = isGroupedByText ? `add ${shown} to GROUP BY` : `GROUP BY ${shown}`;
    return problem("not_grouped", `${shown} is neither grouped nor aggregated`, origin, {
      hint: `${other}, or write ARG_MIN(${shown}, …)`,
    });
  }
}

const seenIn = (keys: readonly Bound[]): ((column: Bound) => boolean) => {
  const seen = new Set(keys.map(keyOf));
  return (column) => seen.has(keyOf(column));
};

function unique(nodes: readonly Bound[]): Bound[] {
  const seen = new Set<string>();
  return nodes.filter((node) => {
    const key = keyOf(node);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function outputColumns(items: readonly NamedItem[]): OutputColumn[] {
  const names = distinctNames(items.map(({ name }) => name));
  return items.map(({ node }, i) => ({ name: names[i]!, type: node.type }));
}

function shownName(expr: Expr): string {
  if (expr.kind === "name") return expr.name.text;
  if (expr.kind === "member") return `${shownName(expr.of)}.${expr.name.text}`;
  if (expr.kind === "index" && expr.index !== "*" && expr.index.kind === "string") {
    return `${shownName(expr.of)}['${expr.index.value}']`;
  }
  return "the column";
}

/** Rows of a derived table that are equal in every column are the same to every window. */
const identityOfQuery = (source: Exclude<Source, { kind: "table" }>): Bound[] => {
  const columns = source.columns.map(({ type }, i): Bound => columnNode(source, i, type));
  return source.kind === "unnest"
    ? [columnNode(source, POSITION, INT)]
    : columns.map((column) => asType(column, column.type));
};
