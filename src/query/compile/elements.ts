// The variables of a pattern of one node or one edge, and what stands in the text for a whole element and for its parts.
// An element as a value is an object with the fields that `x.*` shows, its properties together.
import type { Expr, FunctionCall, MatchQuery, Pattern } from "../../../grammar/ast.js";
import { notSupported, type Placed } from "./problem.js";
import { compare, func, member, nameOf } from "./syntax.js";
import { inner, replaced, type TreeNode, visit } from "./tree.js";

export interface Element {
  /** "end": a node of an edge, whose rows are joined only where something of them is read. "row": of a table of a query. */
  readonly kind: "node" | "end" | "edge" | "event" | "row";
  readonly name: string;
  /** The expression of the uid of an end. */
  readonly uid: Expr | null;
}

const TIMES = ["valid_from", "valid_to", "tx_from", "tx_to"];
const EDGE_IDENTITY = ["src", "type", "dst", "key"];
const FIELDS: Readonly<Record<Exclude<Element["kind"], "row">, readonly string[]>> = {
  node: ["uid", "labels", "props", ...TIMES],
  end: ["uid", "labels", "props", ...TIMES],
  edge: [...EDGE_IDENTITY, "props", ...TIMES],
  event: [...EDGE_IDENTITY, "props", "at", "duration"],
};

const list = (of: readonly Expr[]): Expr => ({ kind: "list", of });
const NO_LABELS: Expr = { kind: "cast", try: false, of: list([]), type: nameOf("JSON"), list: false };
const NO_PROPERTIES: Expr = { kind: "map", entries: [] };

const object = (of: readonly (readonly [string, Expr])[]): Expr => ({
  kind: "map",
  entries: [...of].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key: nameOf(key), value })),
});

/** Functions that take an element for its period. */
const OF_PERIODS = new Set(["INTERSECT_TIME", "ALLEN", "WIDTH"]);

export class Elements {
  private readonly byName = new Map<string, Element>();

  constructor(private readonly pattern: Pattern) {}

  add(element: Element): void {
    this.byName.set(element.name, element);
  }
  get(name: string): Element | undefined {
    return this.byName.get(name);
  }
  all(): Element[] {
    return [...this.byName.values()];
  }

  /** Those that the text names, in its order. */
  named(): Element[] {
    const { nodes, links } = this.pattern.chain;
    const places = nodes.flatMap((node, i) => [node, ...links.slice(i, i + 1)]);
    const names = places.flatMap((place) =>
      place.kind !== "group" && place.variable !== null ? [place.variable.text] : [],
    );
    return [...new Set(names)].map((name) => this.get(name)!);
  }

  /** A field of an element that each row has, whether its end was asserted or not. */
  field({ kind, name, uid }: Element, field: string): Expr {
    if (kind !== "end") return member(name, field);
    if (field === "uid") return uid!;
    // An entity without a version has no labels.
    if (field === "labels") return func("COALESCE", [member(name, "labels"), NO_LABELS]);
    return field === "props" ? func("COALESCE", [member(name, "props"), NO_PROPERTIES]) : member(name, field);
  }

  value(element: Element, at: Placed): Expr {
    const { kind, name } = element;
    if (kind === "row") {
      return notSupported(at, `the whole of ${name} as a value`, `name its columns: ${name}.src, ${name}.dst`);
    }
    return object(FIELDS[kind].map((field) => [field, this.field(element, field)] as const));
  }

  private identity(element: Element): Expr {
    if (element.kind === "node" || element.kind === "end") return this.field(element, "uid");
    const keys = element.kind === "row" ? ["src", "dst"] : EDGE_IDENTITY;
    return object(keys.map((key) => [key, member(element.name, key)] as const));
  }

  /** What two matches have alike where they bind the same version. */
  private version(element: Element, at: Placed): Expr {
    const { kind, name } = element;
    if (kind === "row") return this.value(element, at);
    const begins = member(name, kind === "event" ? "at" : "valid_from");
    return {
      kind: "row",
      of: [kind === "node" || kind === "end" ? this.field(element, "uid") : member(name, "seq"), begins],
    };
  }

  // ------------------------------------------------------------ what is read

  /** The ends of which more than the uid is read in some parts of a query. */
  readEnds(parts: readonly unknown[]): ReadonlySet<string> {
    const ends = new Set<string>();
    const see = (node: TreeNode): boolean => {
      const expr = node as unknown as Expr | MatchQuery["items"][number];
      switch (expr.kind) {
        case "member":
          if (expr.of.kind !== "name") return true;
          if (expr.name.text !== "uid") ends.add(expr.of.name.text);
          return false;
        case "name":
          ends.add(expr.name.text);
          return false;
        case "qualified_star":
          ends.add(expr.name.text);
          return false;
        case "star":
          for (const { name } of this.all()) ends.add(name);
          return false;
        case "function":
          if (!this.isOfIdentity(expr)) return true;
          visit([expr.filter, expr.over], see);
          return false;
        case "binary":
          return this.sameNode(expr) === undefined;
        default:
          return true;
      }
    };
    visit(parts, see);
    return new Set([...ends].filter((name) => this.get(name)?.kind === "end"));
  }

  /** ID(n) and COUNT(n), which ask for nothing of a node but that it is there. */
  private isOfIdentity(call: FunctionCall): boolean {
    const [of] = call.args;
    if (call.args.length !== 1 || of?.kind !== "name") return false;
    if (this.isPath(of)) return true;
    return call.name.text === "ID" || (call.name.text === "COUNT" && !call.distinct);
  }

  private isPath(of: Expr): boolean {
    return of.kind === "name" && this.pattern.variable?.text === of.name.text;
  }

  // ------------------------------------------------------------ what stands in the text

  /** What stands for a node of the text that is about an element or the path; undefined for all others. */
  replacement(node: TreeNode): unknown {
    const expr = node as unknown as Expr;
    switch (expr.kind) {
      case "member": {
        if (expr.of.kind !== "name") return undefined;
        const element = this.get(expr.of.name.text);
        if (element === undefined) return undefined;
        return expr.name.text === "uid" || expr.name.text === "labels" ? this.field(element, expr.name.text) : expr;
      }
      case "function":
        return this.counted(expr) ?? this.ofPeriods(expr) ?? this.identified(expr) ?? this.ofPath(expr);
      case "binary":
        return this.sameNode(expr);
      case "name": {
        const element = this.get(expr.name.text);
        if (element !== undefined) return this.value(element, expr);
        if (!this.isPath(expr)) return undefined;
        const path = expr.name.text;
        return notSupported(expr, `the path ${path} as a value`, `ask for its parts: NODES(${path}), EDGES(${path})`);
      }
      default:
        return undefined;
    }
  }

  private readonly replace = (node: TreeNode): unknown => this.replacement(node);

  /** COUNT(n): each row has its element, asserted or not. COUNT(DISTINCT n) counts versions. */
  private counted(call: FunctionCall): Expr | undefined {
    const [of] = call.args;
    if (call.name.text !== "COUNT" || call.args.length !== 1 || of?.kind !== "name") return undefined;
    const element = this.get(of.name.text);
    if (element === undefined) return undefined;
    const isNode = element.kind === "node" || element.kind === "end";
    const counted = call.distinct
      ? this.version(element, of)
      : isNode
        ? this.field(element, "uid")
        : member(element.name, "src");
    return { ...inner({ ...call, args: [] }, this.replace), args: [counted] };
  }

  /** Elements stand for their periods there. */
  private ofPeriods(call: FunctionCall): Expr | undefined {
    if (!OF_PERIODS.has(call.name.text)) return undefined;
    const args = call.args.map((arg) => {
      const element = arg.kind === "name" ? this.get(arg.name.text) : undefined;
      return element === undefined ? replaced(arg, this.replace) : member(element.name, "valid_time");
    });
    return { ...call, args };
  }

  private identified(call: FunctionCall): Expr | undefined {
    const [of] = call.args;
    if (call.name.text !== "ID" || call.args.length !== 1 || of?.kind !== "name") return undefined;
    const element = this.get(of.name.text);
    return element === undefined ? undefined : this.identity(element);
  }

  /** `a = b` and `a <> b` of the two ends, which are judged at one instant. */
  private sameNode(expr: Extract<Expr, { kind: "binary" }>): Expr | undefined {
    const { op, left, right } = expr;
    if ((op !== "=" && op !== "<>") || left.kind !== "name" || right.kind !== "name") return undefined;
    const [one, other] = [this.get(left.name.text)?.uid, this.get(right.name.text)?.uid];
    return one == null || other == null ? undefined : compare(op, one, other);
  }

  /** What is asked of a path of no edge or one. */
  private ofPath(call: FunctionCall): Expr | undefined {
    const [of] = call.args;
    if (call.args.length !== 1 || of === undefined || !this.isPath(of)) return undefined;
    const { links } = this.pattern.chain;
    const edge = this.all().find(({ kind }) => kind === "edge" || kind === "event" || kind === "row");
    const isTimed = edge !== undefined && this.pattern.time?.kind === "time_respecting";
    switch (call.name.text) {
      case "LENGTH":
        return { kind: "integer", value: BigInt(links.length) };
      case "NODES":
        return { kind: "list", of: this.nodesOfPath() };
      case "EDGES":
        return edge === undefined
          ? { kind: "cast", try: false, of: NO_LABELS, type: nameOf("JSON"), list: true }
          : { kind: "list", of: [this.value(edge, call)] };
      case "DEPARTURE":
      case "ARRIVAL":
        return isTimed ? member(edge.name, "at") : { kind: "null" };
      case "SPAN":
        return isTimed
          ? { kind: "binary", op: "-", left: member(edge.name, "at"), right: member(edge.name, "at") }
          : { kind: "null" };
      case "COST": {
        const [link] = links;
        const cost = link?.kind === "edge" ? link.cost : null;
        return cost === null ? { kind: "null" } : replaced(cost, this.replace);
      }
      default:
        return notSupported(call, `${call.name.text} of such a path`);
    }
  }

  /** The uids along the path: one for a loop that names its node twice, as there is one variable. */
  private nodesOfPath(): readonly Expr[] {
    const nodes = this.all().filter(({ kind }) => kind === "node" || kind === "end");
    const uids = nodes.map((node) => this.field(node, "uid"));
    return this.pattern.chain.nodes.length === 2 && uids.length === 1 ? [uids[0]!, uids[0]!] : uids;
  }
}
