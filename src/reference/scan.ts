// P7 scan: rows of a base table, filtered and projected. Each table is built as whole rows, columns are picked last.

import { bucketsOf } from "./buckets.js";
import { EndJudge, passesContent, passesNode, type Where } from "./filters.js";
import { FOREVER, formatDuration, formatEnd, formatInstant, parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import { ALL_TIME, type Belief, cutBeginning, resolvePin, type Span, spanOf } from "./question.js";
import { columnType } from "./scan-types.js";
import { beliefFields, identityFields } from "./shown.js";
import type { Props } from "./values.js";
import { compareWritten } from "./version-history.js";
import { compareVersions, isNode, isValidAt, overlaps, type Spell, spellsOf, type Version } from "./versions.js";

type Valid = { at: unknown } | { window: unknown; clamp: boolean } | null;

/** Whole rows in table order, and the properties that `props.<name>` columns read: of the row, and of the table. */
interface Table {
  readonly rows: ReadonlyArray<{ row: Row; props: Props }>;
  readonly propsOfTable: readonly Props[];
}

function windowOf(valid: Valid): Span {
  return valid !== null && "window" in valid ? spanOf(valid.window) : ALL_TIME;
}

function namesPass(version: Version, names: readonly string[] | null): boolean {
  if (names === null) return true;
  return isNode(version) ? version.labels.some((label) => names.includes(label)) : names.includes(version.type);
}

/** Belief at a commit, or touching a stretch of the transaction axis. */
function passesTx(belief: Belief, version: Version, tx: Args | null): boolean {
  if (tx === null) return true;
  const endedTx = version.ending?.tx ?? Number.POSITIVE_INFINITY;
  if ("at" in tx) {
    const at = resolvePin(belief.allCommits, tx.at);
    return version.tx <= at && at < endedTx;
  }
  const window = spanOf(tx.window);
  const to = version.ending === null ? FOREVER : belief.timeOf(version.ending.tx);
  return belief.timeOf(version.tx) < window.to && window.from < to;
}

function versionTable(belief: Belief, args: Args, kind: "node" | "edge"): Table {
  const names = args.names as string[] | null;
  const where = args.where as Where;
  const valid = args.valid as Valid;
  const at = valid !== null && "at" in valid ? parseInstant(valid.at) : null;
  const window = windowOf(valid);
  const isClamped = valid !== null && "clamp" in valid && valid.clamp;
  const judge = new EndJudge(belief.believed, where);
  const all =
    args.of === "versions" ? [...belief.written].sort(compareWritten) : [...belief.believed].sort(compareVersions);
  const named = all.filter((version) => version.kind === kind && namesPass(version, names));

  const rows = named
    .filter((version) => (at === null ? overlaps(version, window.from, window.to) : isValidAt(version, at)))
    .filter((version) => passesTx(belief, version, args.tx as Args | null))
    .filter((version) =>
      isNode(version)
        ? passesNode(version.uid, version, where.node)
        : passesContent(version, where) && judge.passesEnds(version, at ?? cutBeginning(version, window)),
    )
    .map((version) => {
      const own = isNode(version) ? { labels: version.labels } : { seq: version.seq };
      const row: Row = { ...identityFields(version), ...own, tx: version.tx, ...beliefFields(version, belief.timeOf) };
      if (isClamped && version.validFrom < window.from) row.valid_from = formatInstant(window.from);
      if (isClamped && version.validTo > window.to) row.valid_to = formatEnd(window.to);
      return { row, props: version.props };
    });
  return { rows, propsOfTable: named.map((version) => version.props) };
}

function eventTable(belief: Belief, args: Args): Table {
  const where = args.where as Where;
  const window = windowOf(args.valid as Valid);
  const judge = new EndJudge(belief.believed, where);
  const first = (spell: Spell) => spell.versions[0]!;
  const named = spellsOf(belief.believed)
    .filter((spell) => namesPass(first(spell), args.names as string[] | null))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : first(a).seq - first(b).seq));
  const rows = named
    .filter((spell) => window.from <= spell.from && spell.from < window.to)
    .filter((spell) => passesContent(first(spell), where) && judge.passesEnds(first(spell), spell.from))
    .map((spell) => {
      const duration = spell.to === FOREVER ? null : formatDuration(spell.to - spell.from);
      const event = { seq: first(spell).seq, at: formatInstant(spell.from), duration };
      return { row: { ...identityFields(first(spell)), ...event }, props: first(spell).props };
    });
  return { rows, propsOfTable: named.map((spell) => first(spell).props) };
}

function endpointTable(belief: Belief, args: Args): Table {
  const events = eventTable(belief, args);
  const rows = events.rows.flatMap(({ row, props }) => {
    const ends =
      row.src === row.dst
        ? [{ uid: row.src, other: row.src, role: "both" }]
        : [
            { uid: row.src, other: row.dst, role: "src" },
            { uid: row.dst, other: row.src, role: "dst" },
          ];
    return ends.map((end) => ({ row: { ...row, ...end }, props }));
  });
  return { rows, propsOfTable: events.propsOfTable };
}

function plainTable(rows: readonly Row[]): Table {
  return { rows: rows.map((row) => ({ row, props: {} })), propsOfTable: [] };
}

function tableOf(belief: Belief, args: Args): Table {
  switch (args.of) {
    case "nodes":
      return versionTable(belief, args, "node");
    case "edges":
      return versionTable(belief, args, "edge");
    case "versions":
      return versionTable(belief, args, args.kind as "node" | "edge");
    case "events":
      return eventTable(belief, args);
    case "endpoints":
      return endpointTable(belief, args);
    case "commits":
      return plainTable(
        belief.commits.map(({ txTimeUs, ...counts }) => ({ ...counts, tx_time: formatInstant(txTimeUs) })),
      );
    default:
      return plainTable(
        bucketsOf((args.valid as { window: unknown } | null)?.window, args.stride as string, args.zone as string),
      );
  }
}

export function scan(belief: Belief, args: Args): Answer {
  const table = tableOf(belief, args);
  const columns = args.columns as readonly string[];
  const rows = table.rows.map(({ row, props }) =>
    Object.fromEntries(
      columns.map((name) => {
        if (name === "props") return [name, props];
        if (!name.startsWith("props.")) return [name, row[name]];
        const property = name.slice("props.".length);
        return [name, Object.hasOwn(props, property) ? props[property] : null];
      }),
    ),
  );
  const types = columns.map((name) => ({ name, type: columnType(name, table.propsOfTable) }));
  return { lists: [["rows", rows]], fields: { columns: types } };
}
