// The tables of a replayed log, as a user of DuckDB reads them, and the temporary ones that carving needs.
// Times are kept as microseconds, exactly; the views show them as timestamps in UTC. README.md describes all of them.

/** 2^62: an end that is open, as in the engine. */
export const OPEN_END = 4_611_686_018_427_387_904n;

const BELIEF = `
  props MAP(VARCHAR, VARCHAR), valid_from_us BIGINT, valid_to_us BIGINT,
  tx_from BIGINT, tx_to BIGINT, ended_by VARCHAR, ended_reason VARCHAR,
  source VARCHAR, provenance_ref VARCHAR, reason VARCHAR`;

export interface VersionTable {
  readonly name: "node_versions" | "edge_versions";
  readonly identity: readonly string[];
  /** What a version says beside its properties. */
  readonly content: readonly string[];
}
export const NODES: VersionTable = { name: "node_versions", identity: ["uid"], content: ["labels", "props"] };
export const EDGES: VersionTable = {
  name: "edge_versions",
  identity: ["src", "type", "dst", "key"],
  content: ["seq", "props"],
};

const instant = (column: string): string =>
  `CASE WHEN ${column} = ${OPEN_END} THEN NULL ELSE make_timestamp(${column}) END`;

/** A view with times instead of microseconds and commits, properties as one JSON object. */
function view(name: string, { name: table, identity, content }: VersionTable): string {
  const others = content.filter((column) => column !== "props");
  return `CREATE VIEW ${name} AS
    SELECT ${[...identity, ...others].map((column) => `v.${column}`).join(", ")},
      '{' || array_to_string(list_transform(list_sort(map_keys(v.props)),
        lambda name: to_json(name)::VARCHAR || ':' || v.props[name]), ',') || '}' AS props,
      ${instant("v.valid_from_us")} AS valid_from, ${instant("v.valid_to_us")} AS valid_to,
      make_timestamp(written.tx_time_us) AS tx_from, make_timestamp(ended.tx_time_us) AS tx_to,
      v.ended_by, v.ended_reason, v.source, v.provenance_ref, v.reason
    FROM ${table} v JOIN commits written ON written.tx = v.tx_from LEFT JOIN commits ended ON ended.tx = v.tx_to`;
}

/** What is believed at a commit, each version uncut. */
const believedAt = (name: string, { name: table }: VersionTable): string =>
  `CREATE MACRO ${name}(pin) AS TABLE
    SELECT * REPLACE (
      CASE WHEN tx_to > pin THEN NULL ELSE tx_to END AS tx_to,
      CASE WHEN tx_to > pin THEN NULL ELSE ended_by END AS ended_by,
      CASE WHEN tx_to > pin THEN NULL ELSE ended_reason END AS ended_reason)
    FROM ${table} WHERE tx_from <= pin AND (tx_to IS NULL OR tx_to > pin)`;

const incoming = ({ name, identity }: VersionTable): string =>
  `CREATE TEMP TABLE incoming_${name} (round INTEGER, ${identity.map((column) => `${column} VARCHAR`).join(", ")},
    ${name === "node_versions" ? "labels VARCHAR[], removed_labels VARCHAR[]" : "seq BIGINT"},
    props MAP(VARCHAR, VARCHAR), valid_from_us BIGINT, valid_to_us BIGINT,
    source VARCHAR, provenance_ref VARCHAR, reason VARCHAR)`;

/** Versions that a write overlaps, with the interval that it cuts out of them. */
const hit = ({ name }: VersionTable): string =>
  `CREATE TEMP TABLE hit_${name} AS
    SELECT rowid AS row_id, *, 0::BIGINT AS cut_from_us, 0::BIGINT AS cut_to_us FROM ${name} LIMIT 0`;

export const SCHEMA: readonly string[] = [
  "CREATE TABLE commits (tx BIGINT, tx_time_us BIGINT, chain VARCHAR, is_erasure BOOLEAN)",
  `CREATE TABLE node_versions (uid VARCHAR, labels VARCHAR[], ${BELIEF})`,
  `CREATE TABLE edge_versions (src VARCHAR, type VARCHAR, dst VARCHAR, key VARCHAR, seq BIGINT, ${BELIEF})`,
  view("nodes", NODES),
  view("edges", EDGES),
  believedAt("nodes_at", NODES),
  believedAt("edges_at", EDGES),
  incoming(NODES),
  incoming(EDGES),
  hit(NODES),
  hit(EDGES),
];
