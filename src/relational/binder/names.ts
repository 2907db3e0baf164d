// Names, members and indexes in expressions: which column, element or member of JSON each is, level by level outwards.
// Notes for every place what it refers to.
import type { ColumnName, Expr, Index, Member } from "../../../grammar/ast.js";
import type { Bound, Source } from "../bound.js";
import { memberOf } from "../functions/casts.js";
import { jsonValue, once, quoted } from "../functions/sql.js";
import { endsOf } from "../functions/time.js";
import { call } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { isNull, JSON_TYPE, shownType } from "../types.js";
import type { BindExpression, Context } from "./context.js";
import { columnOf, type Found, type Level, propertyOf, unknownColumn, unknownMember } from "./level.js";
import { parameter } from "./literals.js";
import type { BindingState } from "./state.js";

export class NameBinder {
  constructor(
    private readonly state: BindingState,
    private readonly bind: BindExpression,
  ) {}

  private found(expr: Expr, found: Found | { readonly node: Bound }, level: Level, own: Level): Bound {
    // A node of its own for each place, so that an error can say where it was written.
    const node = { ...found.node };
    if ("source" in found && found.column !== null) {
      this.state.references.set(expr, { source: found.source, column: found.column });
    }
    if ("source" in found && found.ends !== undefined) {
      this.state.periods.set(expr, { source: found.source, ends: found.ends });
    }
    this.state.origins.set(node, expr);
    this.state.types.set(expr, node.type);
    for (let each: Level | null = own; each !== null && each !== level; each = each.parent)
      each.parent?.outerUses.push(node);
    return node;
  }

  name(expr: ColumnName, context: Context): Bound {
    const { name } = expr;
    for (let level: Level | null = context.level; level !== null; level = level.parent) {
      const column = level.column(name);
      const output = level === context.level && context.seesOutputs ? level.outputs.get(name.text) : undefined;
      // A column of that name wins, but for one that the groups have lost.
      if (column !== undefined && (output === undefined || context.isSeen?.(column.node) !== false)) {
        return this.found(expr, column, level, context.level);
      }
      if (output !== undefined) return output;
    }
    const source = this.alias(expr, context.level);
    if (source !== undefined) {
      throw problem("element_value", `${name.text} is a whole row, and a value is needed here`, expr, {
        hint: `name one of its columns, as ${name.text}.${source.kind === "table" ? (source.schema.columns[0]?.name ?? "x") : (source.columns[0]?.name ?? "x")}`,
      });
    }
    throw unknownColumn(context.level, name, expr);
  }

  /** The source that a bare name is the alias of. */
  alias(expr: Expr, own: Level): Source | undefined {
    if (expr.kind !== "name") return undefined;
    for (let level: Level | null = own; level !== null; level = level.parent) {
      const source = level.source(expr.name.text);
      if (source !== undefined) return source;
    }
    return undefined;
  }

  private levelOf(source: Source, own: Level): Level {
    let level = own;
    while (!level.sources.includes(source) && level.parent !== null) level = level.parent;
    return level;
  }

  member(expr: Member, context: Context): Bound {
    const source = this.alias(expr.of, context.level);
    if (source !== undefined) {
      const found = columnOf(source, expr.name.text);
      if (found === undefined) throw unknownMember(source, expr.name, expr);
      return this.found(expr, found, this.levelOf(source, context.level), context.level);
    }
    return (
      this.property(expr, expr.of, expr.name.text, context) ?? this.jsonMember(expr.of, expr.name.text, context, expr)
    );
  }

  /** `x.props['key']` and `x.props.key`. */
  private property(expr: Expr, of: Expr, key: string, context: Context): Bound | undefined {
    if (of.kind !== "member" || of.name.text !== "props") return undefined;
    const source = this.alias(of.of, context.level);
    const found = source === undefined ? undefined : propertyOf(source, key);
    return found === undefined
      ? undefined
      : this.found(expr, found, this.levelOf(found.source, context.level), context.level);
  }

  private jsonMember(of: Expr, key: string, context: Context, at: Expr): Bound {
    const object = this.bind(of, context);
    if (object.type.kind === "period" && (key === "from" || key === "to")) return endsOf(object)[key];
    if (object.type.kind !== "json" && !isNull(object.type)) {
      throw wrongType(`${shownType(object.type)} has no members`, at, "members belong to JSON values");
    }
    const name = `"${key.replace(/["\\]/g, "\\$&")}"`;
    // An element as JSON, as one of EDGES(p), has its properties under its own members, as an element of FROM has.
    return call(memberOf(key), JSON_TYPE, [object], ([x]) =>
      once([x!], ([v]) => {
        const own = `json_extract(${v}, ${quoted(`$.${name}`)})`;
        const property = `json_extract(${v}, ${quoted(`$.props.${name}`)})`;
        return jsonValue(`coalesce(${own}, CASE WHEN json_exists(${v}, '$.valid_from') THEN ${property} END)`);
      }),
    );
  }

  index(expr: Index, context: Context): Bound {
    const { index } = expr;
    if (index === "*") throw problem("wildcard", "[*] stands in paths to rows of a WITH query alone", expr);
    const at = index.kind === "parameter" ? parameter(index, this.state.scope).value : index.value;
    if (typeof at === "string") {
      return this.property(expr, expr.of, at, context) ?? this.jsonMember(expr.of, at, context, expr);
    }
    const of = this.bind(expr.of, context);
    const i = BigInt(at as number | bigint);
    if (of.type.kind === "list") {
      const member = of.type.of;
      return call(`at ${i}`, member, [of], ([x]) =>
        i < 0n ? `list_extract(${x}, NULL)` : `list_extract(${x}, ${i + 1n})`,
      );
    }
    if (of.type.kind !== "json" && !isNull(of.type))
      throw wrongType(`${shownType(of.type)} has no members to count`, expr);
    return call(`at ${i}`, JSON_TYPE, [of], ([x]) =>
      i < 0n ? "NULL::VARCHAR" : jsonValue(`json_extract(${x}, '$[${i}]')`),
    );
  }

  /** A column of an element that functions read by its name. */
  elementColumn(source: Source, name: string, expr: Expr, own: Level): Bound | undefined {
    const found = columnOf(source, name);
    return found === undefined ? undefined : this.found(expr, found, this.levelOf(source, own), own);
  }
}
