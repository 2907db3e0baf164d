// Long lists of a text and of its parameters, each of which is one table for DuckDB, however often it is named.
// Short ones stay constants, which DuckDB looks at while it plans.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import type { ConstantNode, ListSource, QueryTree, SelectTree } from "../bound.js";
import { columnNode } from "../nodes.js";
import { type TqlType, typeName } from "../types.js";

/** DuckDB plans constants in quadratic time, and hashes rows of a table in no time. */
const LONGEST_CONSTANT = 64;

const HELD = new Set(["bool", "string", "int", "double", "instant", "instant_open", "duration", "null"]);

/** Among doubles an int64 beyond 2^53 is not the double that a table would make of it. */
const isHeld = (type: TqlType, values: readonly JsonValue[]): boolean =>
  HELD.has(type.kind) && !(type.kind === "double" && values.some((value) => typeof value === "bigint"));

export class LongLists {
  private readonly byKey = new Map<string, ListSource>();
  private readonly queries = new Map<ListSource, QueryTree>();

  constructor(private readonly nextId: () => number) {}

  all(): ListSource[] {
    return [...this.byKey.values()];
  }

  /** The table of a list of values of one type; undefined where it is short, or of what no table holds. */
  table(type: TqlType, values: readonly JsonValue[], parameter: string | undefined): ListSource | undefined {
    if (values.length <= LONGEST_CONSTANT || !isHeld(type, values)) return undefined;
    const key = `${typeName(type)} ${parameter === undefined ? canonicalJson(values) : `$${parameter}`}`;
    let list = this.byKey.get(key);
    if (list === undefined) {
      list = { kind: "list", id: this.nextId(), name: null, values, columns: [{ name: "value", type }] };
      this.byKey.set(key, list);
    }
    return list;
  }

  /** A constant that stands for a table where it is a long list. */
  held(node: ConstantNode): ConstantNode {
    if (node.type.kind !== "list" || !Array.isArray(node.value)) return node;
    const list = this.table(node.type.of, node.value, node.parameter);
    return list === undefined ? node : { ...node, list };
  }

  /** The members as the rows of a query. */
  query(list: ListSource): QueryTree {
    let query = this.queries.get(list);
    if (query === undefined) {
      const columns = list.columns.map(({ name, type }) => ({ name, type }));
      const body: SelectTree = {
        kind: "select",
        distinct: false,
        from: [{ source: list, joins: [] }],
        where: null,
        items: columns.map(({ type }, i) => columnNode(list, i, type)),
        groupBy: null,
        having: null,
        qualify: null,
        identity: [],
        columns,
      };
      query = { kind: "query", with: [], body, orderBy: [], limit: null, withTies: false, offset: null, columns };
      this.queries.set(list, query);
    }
    return query;
  }
}
