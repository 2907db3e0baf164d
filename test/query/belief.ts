// What a store believes, and what it ever believed, read by plain scans: the measure for what statements write.
import type { Database } from "../../src/index.js";

type Row = Readonly<Record<string, unknown>>;
type Versions = { readonly nodes: readonly string[]; readonly edges: readonly string[] };

const day = (text: unknown): string => (text === null ? "…" : String(text).replace("T00:00:00Z", ""));
const span = (row: Row): string => `[${day(row.valid_from)}, ${day(row.valid_to)})`;

async function scanned(db: Database, args: Row): Promise<Row[]> {
  const { rows } = await db.call("scan" as string, { limit: 10_000, ...args });
  return rows as unknown as Row[];
}

/** Properties in the order of their names, those that are there. */
const shown = (row: Row, properties: readonly string[]): string =>
  properties
    .flatMap((name) => {
      const value = row[`props.${name}`];
      return value === null || value === undefined ? [] : [`${name}=${JSON.stringify(value)}`];
    })
    .join(" ");

/** Every believed version as one line, in the order of scans: who, when, labels, properties. */
export async function believed(db: Database, properties: readonly string[] = []): Promise<Versions> {
  const columns = properties.map((name) => `props.${name}`);
  const nodes = await scanned(db, { of: "nodes", columns: ["uid", "labels", "valid_from", "valid_to", ...columns] });
  const edges = await scanned(db, {
    of: "edges",
    columns: ["src", "type", "dst", "key", "valid_from", "valid_to", ...columns],
  });
  const line = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");
  return {
    nodes: nodes.map((row) =>
      line([String(row.uid), span(row), (row.labels as string[]).join("&"), shown(row, properties)]),
    ),
    edges: edges.map((row) => {
      const key = row.key === "" ? "" : `#${row.key}`;
      return line([`${row.src}-${row.type}${key}->${row.dst}`, span(row), shown(row, properties)]);
    }),
  };
}

/** Versions whose belief has ended, with how and why. */
export async function ended(db: Database, kind: "node" | "edge"): Promise<string[]> {
  const identity = kind === "node" ? ["uid"] : ["src", "type", "dst"];
  const rows = await scanned(db, {
    of: "versions",
    kind,
    columns: [...identity, "valid_from", "valid_to", "ended_by", "ended_reason"],
  });
  return rows
    .filter((row) => row.ended_by !== null)
    .map((row) =>
      `${identity.map((name) => row[name]).join("-")} ${span(row)} ${row.ended_by} ${row.ended_reason ?? ""}`.trim(),
    );
}
