// P1 aggregate_events: events that pass, put into groups by their dimensions, each group measured.

import { PalimpsestError } from "../contract/errors.js";
import { type Columns, compareBy, compareCells, type Having, type Ordering, passesHaving } from "./cells.js";
import { type Dim, dimensionOf, nodeColumn } from "./dimensions.js";
import { type Event, isIn, passingEvents } from "./events.js";
import { EndJudge, type Where } from "./filters.js";
import type { Answer, Args, Row } from "./lists.js";
import { type Agg, isNumeric, type Member, measure, measureColumns, usableValue } from "./measures.js";
import { type Belief, spanOf } from "./question.js";
import { canonicalText } from "./values.js";

const MAX_GROUPS = 1_000_000;

function population(belief: Belief, args: Args): Event[] {
  const window = spanOf(args.window);
  const events = passingEvents(belief, args.where as Where).filter(({ at }) => isIn(window, at));
  if (args.pairs === "all") return events;
  const pairs = new Set(events.map(({ edge }) => JSON.stringify([edge.src, edge.dst])));
  return events.filter(({ edge }) => pairs.has(JSON.stringify([edge.dst, edge.src])));
}

/** The one node dimension that says what `other` is, if there is just one. */
function farEnd(dims: readonly Dim[], { edge: { src, dst } }: Event, cells: Row): string | null {
  const [only, ...more] = dims.filter((dim) => dim.dim === "node");
  if (only === undefined || more.length > 0) return null;
  const column = nodeColumn(only.role);
  if (column !== "node") return column === "src" ? dst : src;
  return cells.node === src ? dst : src;
}

/** Per property that an aggregate names, the events on which no such aggregate has a value to use. */
function skippedOf(events: readonly Event[], aggregates: readonly Agg[]): Record<string, number> {
  const skipped: Record<string, number> = {};
  for (const { prop } of aggregates) {
    if (prop === undefined) continue;
    const isNumber = aggregates.some((agg) => agg.prop === prop && isNumeric(agg.fn));
    skipped[prop] = events.filter((event) => usableValue(event, prop, isNumber) === null).length;
  }
  return skipped;
}

export function aggregateEvents(belief: Belief, args: Args): Answer {
  const dims = args.group_by as readonly Dim[];
  const aggregates = args.aggregates as readonly Agg[];
  const events = population(belief, args);
  const nodes = new EndJudge(belief.believed, args.where as Where);
  const dimensions = dims.map((dim) => dimensionOf(dim, args.window, nodes));

  const groups = new Map<string, { cells: Row; members: Member[] }>();
  if (dims.length === 0) groups.set("{}", { cells: {}, members: [] });
  for (const event of events) {
    let ways: Row[] = [{}];
    for (const dimension of dimensions) {
      ways = ways.flatMap((cells) => dimension.read(event).map((more) => ({ ...cells, ...more })));
    }
    for (const cells of ways) {
      const key = canonicalText(cells);
      const group = groups.get(key) ?? { cells, members: [] };
      groups.set(key, group);
      group.members.push({ event, other: farEnd(dims, event, cells) });
    }
    if (groups.size > MAX_GROUPS) throw new PalimpsestError("E_LIMIT", "more than 1,000,000 groups");
  }

  const standing = dimensions.flatMap((dimension) => dimension.columns);
  const columns: Columns = new Map([...standing, ...aggregates.flatMap(measureColumns)]);
  const rows = [...groups.values()]
    .map(({ cells, members }): Row => Object.assign({}, cells, ...aggregates.map((agg) => measure(agg, members))))
    .filter((row) => (args.having as readonly Having[]).every((having) => passesHaving(columns, having, row)))
    .sort((a, b) => {
      for (const ordering of args.order_by as readonly Ordering[]) {
        const order = compareBy(columns, ordering, a, b);
        if (order !== 0) return order;
      }
      for (const [name, type] of standing) {
        const order = compareCells(type, a[name], b[name]);
        if (order !== 0) return order;
      }
      return 0;
    });
  return { lists: [["rows", rows]], fields: { events: events.length, skipped: skippedOf(events, aggregates) } };
}
