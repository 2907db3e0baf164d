// The tables of a pattern of one node or one edge: the scan of the edge or the rows of a query, joined with its nodes.
// Nodes are entities that are judged where the edge touches them, edges are versions.
import type {
  BaseTable,
  EdgePattern,
  Expr,
  Join,
  MapLiteral,
  MatchClause,
  MatchQuery,
  Name,
  NodePattern,
  Pattern,
  Query,
  Source,
  Table,
} from "../../../grammar/ast.js";
import type { JsonObject } from "../../contract/values.js";
import { nodesLike, scanOf } from "./base-tables.js";
import type { Compiler } from "./compiler.js";
import { type Element, Elements } from "./elements.js";
import { bothWheres } from "./filters.js";
import { checkNames, labelCondition, labelParts } from "./labels.js";
import { ReturnItems } from "./match-items.js";
import { instantLiteral } from "./parameters.js";
import { isRef } from "./periods.js";
import { refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import type { ScanSource } from "./scan-source.js";
import type { Scope } from "./scope.js";
import { SelectCompiler } from "./select.js";
import { compare, conjunction, either, func, member, nameOf } from "./syntax.js";
import { replaced } from "./tree.js";

type Way = "src" | "dst";

/** One end of an edge in the text. */
interface End {
  readonly node: NodePattern;
  readonly name: string;
  readonly uid: Expr;
  /** The end of the stored edge, where the direction says which. */
  readonly end: Way;
}

export class PatternTables {
  private readonly names = new Set<string>();
  private readonly known = new Map<Table, ScanSource>();
  private readonly conditions: Expr[] = [];
  private readonly elements: Elements;
  /** Ends of which the labels must be read from their rows. */
  private readonly asked = new Set<string>();
  private readonly tables = new Map<string, BaseTable>();

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
    this.elements = new Elements(pattern);
  }

  // ------------------------------------------------------------ one node

  ofNode(node: NodePattern): Relation {
    const own = this.nameOf(node.variable, "n");
    this.elements.add({ kind: "node", name: own, uid: null });
    const table = this.baseTable("nodes", node.labels, own);
    this.nodeConditions(node, own);
    return this.finish(table, []);
  }

  private baseTable(of: "nodes" | "edges" | "events", labels: NodePattern["labels"], own: string): BaseTable {
    const { times } = this.clause;
    const table: BaseTable = { kind: "base", of, labels, times, alias: { name: nameOf(own), columns: [] } };
    this.tables.set(own, table);
    return table;
  }

  private nodeConditions(node: NodePattern, own: string): void {
    this.mapConditions(node.map, own, ["uid"]);
    if (node.where !== null) this.conditions.push(node.where);
    if (node.in !== null) this.conditions.push(this.cohort(node.in, member(own, "uid")));
  }

  /** `{name: 'x'}`: each member is an equality; names of the element itself come before properties. */
  private mapConditions(map: MapLiteral | null, own: string, fields: readonly string[] | "all"): void {
    for (const { key, value } of map?.entries ?? []) {
      const isField = fields === "all" || fields.includes(key.text);
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
    return link.in === null ? this.ofStored(link) : this.ofRows(link, link.in);
  }

  private ofStored(link: EdgePattern): Relation {
    const edge = this.nameOf(link.variable, "r");
    const isEvent = this.pattern.time?.kind === "time_respecting";
    const table = this.baseTable(isEvent ? "events" : "edges", link.labels, edge);
    this.edgeElement(isEvent ? "event" : "edge", edge);
    const scan = scanOf(table, this.compiler);
    this.mapConditions(link.map, edge, ["key", "type"]);
    if (link.where !== null) this.conditions.push(link.where);
    const joins: Join[] = [];
    let where: JsonObject = scan.where;
    for (const { node, name, end, isOfRows } of this.ends(link, edge, joins)) {
      const filter = this.endFilter(node, name, isOfRows, this.compiler.commitOf(scan.asOf));
      if (filter !== undefined) where = bothWheres(where, { [end]: filter }) ?? where;
    }
    this.known.set(table, { ...scan, where });
    this.joinEnds(joins, (own) => {
      const nodes = this.nodesTable(own, []);
      this.known.set(nodes, nodesLike(scan, nodes, this.compiler));
      return this.nodeJoin(nodes, own, this.anchor(edge, scan));
    });
    return this.finish(table, joins);
  }

  /** Rows of a query have no time of their own: nodes are judged at the instant that the clause says, or at `at`. */
  private ofRows(link: EdgePattern, rows: Name): Relation {
    const edge = this.nameOf(link.variable, "r");
    const isEvent = this.pattern.time?.kind === "time_respecting";
    const table: Table = { kind: "named", path: [rows], alias: { name: nameOf(edge), columns: [] } };
    this.edgeElement("row", edge);
    this.mapConditions(link.map, edge, "all");
    if (link.where !== null) this.conditions.push(link.where);
    if (link.labels !== null) this.conditions.push(labelCondition(link.labels, member(edge, "type"), "types"));
    const joins: Join[] = [];
    for (const { node, name } of this.ends(link, edge, joins)) {
      this.endFilter(node, name, true, this.compiler.commitOf(null));
    }
    if (isEvent) this.withinClause(member(edge, "at"));
    this.joinEnds(joins, (own) => {
      const { valid } = this.compiler.times.of(this.clause.times, this.clause);
      if (valid.kind !== "at" && !isEvent) {
        refuse(
          "E_INVALID_ARG",
          "no_instant",
          link.in!,
          `rows of ${rows.text} have no time at which their nodes could be judged`,
          "write FOR VALID_TIME AS OF an instant, or read the node's uid alone",
        );
      }
      const nodes = this.nodesTable(own, this.clause.times);
      return this.nodeJoin(nodes, own, valid.kind === "at" ? null : member(edge, "at"));
    });
    return this.finish(table, joins);
  }

  private edgeElement(kind: Element["kind"], name: string): void {
    this.elements.add({ kind, name, uid: null });
  }

  /** Makes the ends known, with the conditions on them; an edge without direction is read both ways. */
  private ends(link: EdgePattern, edge: string, joins: Join[]): (End & { readonly isOfRows: boolean })[] {
    const [left, right] = this.pattern.chain.nodes as readonly [NodePattern, NodePattern];
    const isUndirected = link.direction === "any";
    const way = this.unused("way");
    if (isUndirected) joins.push(this.bothWays(way));
    const isFirst = compare("=", member(way, "way"), { kind: "integer", value: 0n });
    const turned = (first: Way, second: Way): Expr =>
      isUndirected
        ? either(isFirst, member(edge, first), member(edge, second))
        : member(edge, link.direction === "out" ? first : second);
    if (isUndirected) {
      // A self-loop fits once.
      const others = compare("<>", member(edge, "src"), member(edge, "dst"));
      this.conditions.push({ kind: "logical", op: "or", of: [isFirst, others] });
    }
    const [first, second] = link.direction === "out" ? (["src", "dst"] as const) : (["dst", "src"] as const);
    const ends = [
      { node: left, uid: turned("src", "dst"), end: first },
      { node: right, uid: turned("dst", "src"), end: second },
    ];
    return ends.map(({ node, uid, end }) => {
      const name = this.nameOf(node.variable, end);
      const known = this.elements.get(name);
      if (name === edge) {
        refuse("E_SCHEMA", "variable_twice", node, `${name} is an edge and a node`, "give the two names of their own");
      }
      if (known === undefined) this.elements.add({ kind: "end", name, uid });
      else this.conditions.push(compare("=", known.uid!, uid));
      this.nodeConditions(node, name);
      return { node, name, uid, end, isOfRows: isUndirected || known !== undefined };
    });
  }

  /** Labels that the scan of edges can test at its end; the others are read from the node itself. */
  private endFilter(node: NodePattern, own: string, isOfRows: boolean, tx: number): JsonObject | undefined {
    checkNames(this.compiler, node.labels, "labels", tx);
    if (node.labels === null) return undefined;
    const parts = labelParts(node.labels);
    const rest = isOfRows ? [node.labels] : parts.rest;
    for (const labels of rest) {
      this.conditions.push(labelCondition(labels, member(own, "labels"), "labels"));
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

  /** Joins the nodes of which more than the uid is read. */
  private joinEnds(joins: Join[], join: (own: string) => Join): void {
    const { body, clause, query } = this;
    const read = this.elements.readEnds([this.conditions, clause.where, body.items, body.grouping, query.orderBy]);
    for (const { name } of this.elements.all()) if (read.has(name) || this.asked.has(name)) joins.push(join(name));
  }

  private nodesTable(own: string, times: BaseTable["times"]): BaseTable {
    const alias = { name: nameOf(own), columns: [] };
    const table: BaseTable = { kind: "base", of: "nodes", labels: null, times, alias };
    this.tables.set(own, table);
    return table;
  }

  /** The version of a node that holds at the anchor of the edge. */
  private nodeJoin(table: BaseTable, own: string, anchor: Expr | null): Join {
    const on = [compare("=", member(own, "uid"), this.elements.get(own)!.uid!)];
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

  /** What happens in the stretch of the clause, for rows that no scan has cut. */
  private withinClause(at: Expr): void {
    const { valid, validAt } = this.compiler.times.of(this.clause.times, this.clause);
    if (valid.kind === "all") return;
    if (valid.kind === "at" || isRef(valid.from) || isRef(valid.to)) {
      refuse(
        "E_AXIS",
        "events_at",
        validAt,
        "rows that happen at instants are read in a stretch of time that the statement itself says",
        "write FOR VALID_TIME FROM … TO …, or compare at in the query that gives the rows",
      );
    }
    const last = valid.form === "between" ? "<=" : "<";
    this.conditions.push(
      compare(">=", at, instantLiteral(valid.from.us)),
      compare(last, at, instantLiteral(valid.to.us)),
    );
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

  private nameOf(variable: Name | null, wanted: string): string {
    return variable?.text ?? this.unused(wanted);
  }

  private unused(wanted: string): string {
    let name = wanted;
    for (let i = 2; this.names.has(name); i += 1) name = `${wanted}_${i}`;
    this.names.add(name);
    return name;
  }

  private finish(table: Table, joins: readonly Join[]): Relation {
    const { body, clause, elements } = this;
    const conditions = clause.where === null ? this.conditions : [...this.conditions, clause.where];
    const columnsOf = (own: string): readonly string[] => {
      const of = this.tables.get(own)!;
      return (this.known.get(of) ?? scanOf(of, this.compiler)).schema.star!;
    };
    const items = new ReturnItems(elements, columnsOf, this.pattern.variable);
    const select = items.select(body, [{ table, joins }] as readonly Source[], conditions);
    const orderBy = this.query.orderBy.map((sort) => ({
      ...sort,
      expr: replaced(sort.expr, (node) => elements.replacement(node)),
    }));
    return new SelectCompiler(this.compiler, this.known).compile(
      { ...this.query, with: [], body: select, orderBy },
      this.scope,
    );
  }
}
