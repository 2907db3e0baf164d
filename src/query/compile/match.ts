// MATCH of one node or one edge: scans with the conditions of the pattern, and one `select` over them.
// Nodes are entities that are judged where the edge touches them, edges are versions; longer patterns are refused.
import type {
  BaseTable,
  EdgePattern,
  Expr,
  FunctionCall,
  Item,
  Join,
  MapLiteral,
  MatchClause,
  MatchQuery,
  Name,
  NodePattern,
  Pattern,
  Query,
  Select,
  Source,
  Table,
} from "../../../grammar/ast.js";
import type { JsonObject } from "../../contract/values.js";
import { nodesLike, type ScanSource } from "./base-tables.js";
import type { Compiler } from "./compiler.js";
import { bothWheres } from "./filters.js";
import { isRef } from "./fold.js";
import { checkNames, labelCondition, labelParts } from "./labels.js";
import { instantLiteral } from "./parameters.js";
import { pathQuery } from "./paths.js";
import { type Placed, refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import type { Scope } from "./scope.js";
import { SelectCompiler } from "./select.js";
import { compare, conjunction, either, func, inner, member, nameOf, replaced, type TreeNode, visit } from "./tree.js";

export function notSupported(
  node: Placed,
  what: string,
  hint = "MATCH takes one node or one edge for now: (n:L), (a)-[r:T]->(b)",
): never {
  return refuse("E_INVALID_ARG", "pattern_not_supported", node, `${what} cannot be answered yet`, hint);
}

const AGGREGATES = new Set([
  ...["COUNT", "SUM", "AVG", "MIN", "MAX", "MEDIAN", "QUANTILE", "QUANTILE_DISC", "STDDEV_POP", "STDDEV_SAMP"],
  ...["BOOL_AND", "BOOL_OR", "ARG_MIN", "ARG_MAX", "LIST", "STRING_AGG"],
]);

export function holdsAggregate(tree: unknown): boolean {
  let holds = false;
  visit(tree, (node) => {
    const call = node as unknown as FunctionCall;
    if (node.kind === "function" && call.over === null && AGGREGATES.has(call.name.text)) holds = true;
    return !holds && node.kind !== "query";
  });
  return holds;
}

/** The one pattern of a query that can be answered. */
function onlyPattern(body: MatchQuery): { readonly clause: MatchClause; readonly pattern: Pattern } {
  const [clause, second] = body.clauses;
  if (second !== undefined) return notSupported(second, second.optional ? "OPTIONAL MATCH" : "a second MATCH");
  if (clause!.optional) return notSupported(clause!, "OPTIONAL MATCH");
  const [pattern, other] = clause!.patterns;
  if (other !== undefined) return notSupported(other, "a second pattern");
  visit([body.items, body.grouping, clause!.where, pattern], (node) => {
    if (node.kind === "count_pattern") notSupported(node, "COUNT { … }");
    if (node.kind === "exists" && "patterns" in (node as unknown as { of: object }).of)
      notSupported(node, "EXISTS { … }");
    return true;
  });
  return { clause: clause!, pattern: pattern! };
}

export function compileMatch(query: Query, body: MatchQuery, scope: Scope, compiler: Compiler): Relation {
  const { clause, pattern } = onlyPattern(body);
  const { links, nodes } = pattern.chain;
  const [link] = links;
  if (link !== undefined && links.length === 1) {
    const paths = pathQuery({ query, body, clause, pattern }, scope, compiler);
    if (paths !== undefined) return paths;
  }
  if (pattern.search !== null) return notSupported(pattern.search, "a search for paths");
  if (links.length > 1) return notSupported(links[1]!, "a pattern of several edges");
  if (link?.kind === "group") return notSupported(link, "a group that is repeated");
  if (link !== undefined && link.quantifier !== null) return notSupported(link.quantifier, "an edge that is repeated");
  if (pattern.time?.kind === "co_valid") return notSupported(pattern.time, "CO_VALID");
  if (pattern.time !== null && (pattern.time.arrival ?? pattern.time.maxWait ?? pattern.time.within) !== null) {
    return notSupported(pattern.time, "a path with options of time");
  }
  const match = new SmallMatch(query, body, clause, pattern, scope, compiler);
  return link === undefined ? match.ofNode(nodes[0]!) : match.ofEdge(link);
}

/** What a variable stands for in the text. */
interface Bound {
  /** The expression of its uid, for a node. */
  readonly uid: Expr | null;
  /** The name of the table that holds its columns. */
  readonly table: string;
}

class SmallMatch {
  private readonly names = new Set<string>();
  private readonly known = new Map<Table, ScanSource>();
  private readonly conditions: Expr[] = [];
  private readonly variables = new Map<string, Bound>();

  constructor(
    private readonly query: Query,
    private readonly body: MatchQuery,
    private readonly clause: MatchClause,
    private readonly pattern: Pattern,
    private readonly scope: Scope,
    private readonly compiler: Compiler,
  ) {
    const { nodes, links } = pattern.chain;
    const all = [...nodes, ...links.filter((link) => link.kind === "edge")];
    for (const { variable } of all) if (variable !== null) this.names.add(variable.text);
  }

  // ------------------------------------------------------------ one node

  ofNode(node: NodePattern): Relation {
    const own = node.variable?.text ?? this.unused("n");
    this.variables.set(own, { uid: null, table: own });
    const table = this.baseTable("nodes", node.labels, own);
    this.nodeConditions(node, own);
    return this.finish([{ table, joins: [] }]);
  }

  private baseTable(of: "nodes" | "edges" | "events", labels: NodePattern["labels"], alias: string): BaseTable {
    return { kind: "base", of, labels, times: this.clause.times, alias: { name: nameOf(alias), columns: [] } };
  }

  private nodeConditions(node: NodePattern, own: string): void {
    this.mapConditions(node.map, own, ["uid"]);
    if (node.where !== null) this.conditions.push(node.where);
    if (node.in !== null) this.conditions.push(this.cohort(node.in, member(own, "uid")));
  }

  /** `{name: 'x'}`: each member is an equality; names of the element itself come before properties. */
  private mapConditions(map: MapLiteral | null, own: string, fields: readonly string[]): void {
    for (const { key, value } of map?.entries ?? []) {
      const isField = fields.includes(key.text);
      const of: Expr = isField
        ? member(own, key.text)
        : {
            kind: "index",
            of: member(own, "props"),
            index: { kind: "string", value: key.text },
            ...(key.at === undefined ? {} : { at: key.at }),
          };
      this.conditions.push(compare("=", of, value));
    }
  }

  private cohort(name: Name, uid: Expr): Expr {
    const rows: Expr = { kind: "index", of: member(name.text, "rows"), index: "*" };
    const uids: Expr = {
      kind: "member",
      of: rows,
      name: nameOf("uid"),
      ...(name.at === undefined ? {} : { at: name.at }),
    };
    return { kind: "in", of: uid, not: false, in: uids };
  }

  // ------------------------------------------------------------ one edge

  ofEdge(link: EdgePattern): Relation {
    if (link.in !== null) return notSupported(link.in, "an edge IN a table");
    const [left, right] = this.pattern.chain.nodes as readonly [NodePattern, NodePattern];
    const edge = link.variable?.text ?? this.unused("r");
    const isEvent = this.pattern.time?.kind === "time_respecting";
    const table = this.baseTable(isEvent ? "events" : "edges", link.labels, edge);
    this.variables.set(edge, { uid: null, table: edge });
    const scan = this.compiler.scanOf(table);
    this.mapConditions(link.map, edge, ["key", "type"]);
    if (link.where !== null) this.conditions.push(link.where);
    const joins: Join[] = [];
    const isUndirected = link.direction === "any";
    const way = this.unused("way");
    if (isUndirected) joins.push(this.bothWays(way));
    const isFirst = compare("=", member(way, "way"), { kind: "integer", value: 0n });
    const turned = (first: string, second: string): Expr =>
      isUndirected
        ? either(isFirst, member(edge, first), member(edge, second))
        : member(edge, link.direction === "out" ? first : second);
    const ends = [
      { node: left, uid: turned("src", "dst"), end: link.direction === "out" ? "src" : "dst" },
      { node: right, uid: turned("dst", "src"), end: link.direction === "out" ? "dst" : "src" },
    ] as const;
    if (isUndirected) {
      // A self-loop fits once.
      const others = compare("<>", member(edge, "src"), member(edge, "dst"));
      this.conditions.push({ kind: "logical", op: "or", of: [isFirst, others] });
    }
    let where: JsonObject = scan.where;
    for (const { node, uid, end } of ends) {
      const own = node.variable?.text ?? this.unused(end);
      const isAgain = this.variables.has(own);
      if (own === edge) {
        refuse("E_SCHEMA", "variable_twice", node, `${own} is an edge and a node`, "give the two names of their own");
      }
      if (isAgain) this.conditions.push(compare("=", this.variables.get(own)!.uid!, uid));
      else this.variables.set(own, { uid, table: own });
      this.nodeConditions(node, own);
      const filter = this.endFilter(node, own, isUndirected || isAgain, scan);
      if (filter !== undefined) where = bothWheres(where, { [end]: filter }) ?? where;
    }
    this.known.set(table, { ...scan, where });
    const hasJoin = (own: string): boolean =>
      joins.some(({ table: joined }) => joined.kind === "base" && joined.alias?.name.text === own);
    for (const { node } of ends) {
      const own = node.variable?.text;
      if (own === undefined || hasJoin(own) || !this.readsNode(own)) continue;
      joins.push(this.nodeJoin(own, edge, scan));
    }
    for (const own of this.asked) if (!hasJoin(own)) joins.push(this.nodeJoin(own, edge, scan));
    return this.finish([{ table, joins }]);
  }

  /** Nodes of which labels must be read from their rows. */
  private readonly asked = new Set<string>();

  /** Labels that the scan of edges can test at its end; the others are read from the node itself. */
  private endFilter(node: NodePattern, own: string, isOfRows: boolean, scan: ScanSource): JsonObject | undefined {
    checkNames(this.compiler, node.labels, "labels", this.compiler.commitOf(scan.asOf));
    if (node.labels === null) return undefined;
    const parts = labelParts(node.labels);
    const rest = isOfRows ? [node.labels] : parts.rest;
    for (const labels of rest) {
      this.conditions.push(labelCondition(labels, this.labelsOf(own), "labels"));
      this.asked.add(own);
    }
    if (isOfRows) return undefined;
    const filter: JsonObject = {};
    if (parts.any?.length === 1 || parts.all.length > 0) {
      filter.labels = [...(parts.any?.length === 1 ? parts.any : []), ...parts.all];
    }
    if (parts.any !== null && parts.any.length > 1) filter.any_labels = [...parts.any];
    return Object.keys(filter).length === 0 ? undefined : filter;
  }

  /** An entity without a version has no labels. */
  private labelsOf(own: string): Expr {
    const none: Expr = {
      kind: "cast",
      try: false,
      of: { kind: "string", value: "[]" },
      type: nameOf("JSON"),
      list: false,
    };
    return func("COALESCE", [member(own, "labels"), none]);
  }

  /** Whether anything of the node but its uid is read. */
  private readsNode(own: string): boolean {
    let reads = false;
    visit([this.conditions, this.clause.where, this.body.items, this.body.grouping, this.query.orderBy], (node) => {
      if (node.kind !== "member") return true;
      const { of, name } = node as Extract<Expr, { kind: "member" }>;
      if (of.kind === "name" && of.name.text === own && name.text !== "uid") reads = true;
      return !reads;
    });
    return reads;
  }

  /** The version of a node that holds at the anchor of the edge. */
  private nodeJoin(own: string, edge: string, scan: ScanSource): Join {
    const table: BaseTable = {
      kind: "base",
      of: "nodes",
      labels: null,
      times: [],
      alias: { name: nameOf(own), columns: [] },
    };
    this.known.set(table, nodesLike(scan, table, this.compiler));
    const uid = this.variables.get(own)!.uid!;
    const on = [compare("=", member(own, "uid"), uid)];
    const anchor = this.anchor(edge, scan);
    if (anchor !== null) {
      on.push(compare("<=", member(own, "valid_from"), anchor), compare(">", member(own, "valid_to"), anchor));
    }
    return { how: "left", table, on: conjunction(on), using: null };
  }

  /** The instant at which nodes are judged; null where the scans hold at one instant anyway. */
  private anchor(edge: string, scan: ScanSource): Expr | null {
    if (scan.args.of === "events") return member(edge, "at");
    const valid = scan.times!.valid;
    if (valid.kind === "at") return null;
    const begins = member(edge, "valid_from");
    if (valid.kind !== "window" || isRef(valid.from)) return begins;
    return func("GREATEST", [begins, instantLiteral(valid.from.us)]);
  }

  private bothWays(way: string): Join {
    const list: Expr = { kind: "list", of: [0n, 1n].map((value): Expr => ({ kind: "integer", value })) };
    const table: Table = {
      kind: "unnest",
      expr: list,
      ordinality: false,
      alias: { name: nameOf(way), columns: [nameOf("way")] },
    };
    return { how: "cross", table, on: null, using: null };
  }

  // ------------------------------------------------------------ the select

  private unused(wanted: string): string {
    let name = wanted;
    for (let i = 2; this.names.has(name); i += 1) name = `${wanted}_${i}`;
    this.names.add(name);
    return name;
  }

  private finish(from: readonly Source[]): Relation {
    const { body, clause } = this;
    const conditions = clause.where === null ? this.conditions : [...this.conditions, clause.where];
    const replace = (node: TreeNode): unknown => this.replacement(node);
    const items = body.items.map((item): Item => {
      if (item.kind === "qualified_star") return this.allColumns(item);
      if (item.kind !== "expr") return notSupported(item, "RETURN *", "name what is returned: RETURN n.uid, n.name");
      const expr = replaced(item.expr, replace);
      return { ...item, expr, as: item.as ?? this.itemName(item.expr) };
    });
    const grouping = replaced(body.grouping, replace);
    const isGrouped = grouping.groupBy === null && (holdsAggregate(items) || grouping.having !== null);
    const keys = items.flatMap((item): Expr[] => {
      if (item.kind === "expr") return holdsAggregate(item.expr) ? [] : [item.expr];
      return isGrouped ? notSupported(item, "all columns beside an aggregate", "name the keys: RETURN r.src") : [];
    });
    const select: Select = {
      kind: "select",
      distinct: body.distinct,
      items,
      from,
      where: conjunction(conditions.map((condition) => replaced(condition, replace))),
      grouping: isGrouped && keys.length > 0 ? { ...grouping, groupBy: keys } : grouping,
    };
    const orderBy = this.query.orderBy.map((sort) => ({ ...sort, expr: replaced(sort.expr, replace) }));
    return new SelectCompiler(this.compiler, this.known).compile(
      { ...this.query, with: [], body: select, orderBy },
      this.scope,
    );
  }

  /** `r.*`: the columns of what has a table of its own; those of an end would be missing where nobody asserted it. */
  private allColumns(item: Extract<Item, { kind: "qualified_star" }>): Item {
    const name = item.name.text;
    if (this.variables.get(name)?.uid == null) return item;
    return notSupported(
      item,
      `${name}.* of an end`,
      `name what is returned: ${name}.uid, ${name}.labels, ${name}.props`,
    );
  }

  /** `a.uid` is called uid also where it is read from the edge. */
  private itemName(expr: Expr): Name | null {
    if (expr.kind === "function" && expr.name.text === "ID") return nameOf("id");
    return expr.kind === "member" ? nameOf(expr.name.text) : null;
  }

  private replacement(node: TreeNode): unknown {
    const expr = node as unknown as Expr;
    if (expr.kind === "member" && expr.of.kind === "name") {
      const bound = this.variables.get(expr.of.name.text);
      if (bound?.uid != null && expr.name.text === "uid") return bound.uid;
      return bound === undefined ? undefined : expr;
    }
    if (expr.kind === "function") return this.counted(expr) ?? this.pathFunction(expr);
    if (expr.kind === "binary") return this.sameNode(expr);
    if (expr.kind === "name" && this.variables.has(expr.name.text)) {
      notSupported(
        expr,
        `the whole of ${expr.name.text} as a value`,
        `name what is read: ${expr.name.text}.uid, ${expr.name.text}.props`,
      );
    }
    return undefined;
  }

  /** COUNT(n): each row has its element, asserted or not. */
  private counted(call: FunctionCall): Expr | undefined {
    const [of] = call.args;
    if (call.name.text !== "COUNT" || call.distinct || call.args.length !== 1 || of?.kind !== "name") return undefined;
    const bound = this.variables.get(of.name.text);
    if (bound === undefined) return undefined;
    const isEdge = bound.uid === null && this.pattern.chain.links.length > 0;
    const args = [member(of.name.text, isEdge ? "src" : "uid")];
    return inner({ ...call, args }, (node) => this.replacement(node));
  }

  /** `a = b` and `a <> b` of the two ends, which are judged at one instant. */
  private sameNode(expr: Extract<Expr, { kind: "binary" }>): Expr | undefined {
    const { op, left, right } = expr;
    if ((op !== "=" && op !== "<>") || left.kind !== "name" || right.kind !== "name") return undefined;
    const [one, other] = [this.variables.get(left.name.text)?.uid, this.variables.get(right.name.text)?.uid];
    return one == null || other == null ? undefined : compare(op, one, other);
  }

  /** ID of an element, and what is asked of a path of one edge. */
  private pathFunction(call: FunctionCall): Expr | undefined {
    const [of] = call.args;
    if (call.args.length !== 1 || of?.kind !== "name") return undefined;
    const name = of.name.text;
    const bound = this.variables.get(name);
    if (call.name.text === "ID" && bound !== undefined) {
      if (bound.uid !== null) return bound.uid;
      return this.pattern.chain.links.length === 0
        ? member(name, "uid")
        : notSupported(call, "ID of an edge", `name its parts: ${name}.src, ${name}.type, ${name}.dst, ${name}.key`);
    }
    if (this.pattern.variable?.text !== name) return undefined;
    const { links, nodes } = this.pattern.chain;
    const edge = links.length === 0 ? null : ([...this.variables].find(([, each]) => each.uid === null)?.[0] ?? null);
    switch (call.name.text) {
      case "LENGTH":
        return { kind: "integer", value: BigInt(links.length) };
      case "NODES": {
        const uids = [...this.variables.values()].filter(({ uid }) => uid !== null).map(({ uid }) => uid!);
        if (nodes.length === 2 && uids.length === 1) return { kind: "list", of: [uids[0]!, uids[0]!] };
        return { kind: "list", of: uids };
      }
      case "DEPARTURE":
      case "ARRIVAL":
        if (edge !== null && this.pattern.time?.kind === "time_respecting") return member(edge, "at");
        return { kind: "null" };
      default:
        return notSupported(call, `${call.name.text} of such a path`);
    }
  }
}
