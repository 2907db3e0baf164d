// One operation of the log: what it writes, which interval it cuts, in the words of the carver.
// Nothing is judged again: what finds nothing changes nothing.
import type { DuckDBConnection } from "@duckdb/node-api";
import { OPEN_END_US } from "../contract/instant.js";
import { parseInstant, parseValidTo } from "../contract/parse-instant.js";
import type { LoggedOperation } from "../reference/index.js";
import { Carver, type Cut } from "./carving.js";
import { type EdgeIdentity, EdgeNumbers, edgeText } from "./edge-numbers.js";
import { type EdgeRow, Incoming, type NodeRow, type Origin } from "./incoming.js";
import { EDGES, NODES } from "./tables.js";

type Props = Readonly<Record<string, unknown>>;

const textOrNull = (text: unknown): string | null => (typeof text === "string" ? text : null);
const textsOf = (texts: unknown): readonly string[] => (texts ?? []) as readonly string[];

function originOf(operation: LoggedOperation): Origin {
  return {
    source: textOrNull(operation.source),
    provenance_ref: textOrNull(operation.provenance_ref),
    reason: textOrNull(operation.reason),
  };
}

const endOf = (end: unknown): bigint =>
  end === undefined || end === null ? OPEN_END_US : parseValidTo(end, "valid_to");

function periodOf(operation: LoggedOperation): { fromUs: bigint; toUs: bigint } {
  return { fromUs: parseInstant(operation.valid_from, "valid_from"), toUs: endOf(operation.valid_to) };
}

function withoutNulls(props: unknown): Props {
  return Object.fromEntries(Object.entries((props ?? {}) as Props).filter(([, value]) => value !== null));
}

function edgeOf(fields: LoggedOperation): EdgeIdentity {
  const { src, type, dst, key } = fields as unknown as EdgeIdentity;
  return { src, type, dst, key: key ?? "" };
}

export class Applier {
  readonly numbers = new EdgeNumbers();

  private constructor(
    private readonly incoming: Incoming,
    private readonly nodes: Carver,
    private readonly edges: Carver,
  ) {}

  static async create(connection: DuckDBConnection): Promise<Applier> {
    const nodes = await Carver.prepare(connection, NODES);
    return new Applier(await Incoming.prepare(connection), nodes, await Carver.prepare(connection, EDGES));
  }

  async apply(operation: LoggedOperation, tx: number): Promise<void> {
    const reason = textOrNull(operation.reason);
    switch (operation.op) {
      case "skip_numbers":
        return this.numbers.skip(operation.edge_numbers as number);
      case "assert_node":
        return this.writeNode(operation, operation, { tx, by: "overwritten", reason, filling: "incoming" });
      case "assert_edge":
        return this.writeEdge(operation, operation, { tx, by: "overwritten", reason, filling: "incoming" });
      case "retract":
        return this.writeRef(operation, { tx, by: "retracted", reason, filling: "nothing" });
      case "correct": {
        const filling = operation.mode === "patch" ? "patched" : "incoming";
        return this.writeRef(operation, { tx, by: "corrected", reason, filling });
      }
      default:
        return this.ingest(operation, { tx, by: "overwritten", reason, filling: "incoming" });
    }
  }

  private writeRef(operation: LoggedOperation, cut: Cut): Promise<void> {
    const ref = operation.ref as LoggedOperation;
    return typeof ref.uid === "string" ? this.writeNode(ref, operation, cut) : this.writeEdge(ref, operation, cut);
  }

  private async writeNode(ref: LoggedOperation, operation: LoggedOperation, cut: Cut): Promise<void> {
    const isPatch = cut.filling === "patched";
    const row: NodeRow = {
      round: 1,
      uid: ref.uid as string,
      labels: textsOf(isPatch ? operation.add_labels : operation.labels),
      removedLabels: textsOf(operation.remove_labels),
      props: isPatch ? ((operation.props ?? {}) as Props) : withoutNulls(operation.props),
      ...periodOf(operation),
    };
    await this.incoming.nodes([row], originOf(operation));
    await this.nodes.cut(1, cut);
  }

  private async writeEdge(ref: LoggedOperation, operation: LoggedOperation, cut: Cut): Promise<void> {
    const edge = edgeOf(ref);
    const row: EdgeRow = {
      round: 1,
      ...edge,
      seq: cut.filling === "incoming" ? this.numbers.numberOf(edge) : null,
      props: cut.filling === "patched" ? ((operation.props ?? {}) as Props) : withoutNulls(operation.props),
      ...periodOf(operation),
    };
    await this.incoming.edges([row], originOf(operation));
    await this.edges.cut(1, cut);
  }

  /** Rows of one identity are carved one after the other, in rounds; then ends that nothing is believed of. */
  private async ingest(operation: LoggedOperation, cut: Cut): Promise<void> {
    const { rows, earliest } = this.eventRows(operation);
    const origin = originOf(operation);
    await this.incoming.edges(rows, origin);
    const rounds = rows.reduce((most, { round }) => Math.max(most, round), 0);
    for (let round = 1; round <= rounds; round += 1) await this.edges.cut(round, cut);
    const labels = textsOf(operation.node_labels);
    const ends = Array.from(earliest, ([uid, fromUs]): NodeRow => {
      return { round: 1, uid, labels, removedLabels: [], props: {}, fromUs, toUs: OPEN_END_US };
    });
    await this.incoming.nodes(ends, origin);
    await this.nodes.addMissing(cut.tx);
  }

  private eventRows(operation: LoggedOperation): { rows: EdgeRow[]; earliest: Map<string, bigint> } {
    const column = <T>(name: string): readonly T[] => operation[name] as readonly T[];
    const [src, dst, type, key] = [column<string>("src"), column<string>("dst"), column<string>("type"), column("key")];
    const [time, validTo, kinds] = [column<bigint>("time"), column<bigint | null>("valid_to"), column("row_kind")];
    const rows: EdgeRow[] = [];
    const earliest = new Map<string, bigint>();
    const rounds = new Map<string, number>();
    for (const [i, kind] of kinds.entries()) {
      if (kind === "hole_with_number") this.numbers.skip(1);
      if (kind !== "event") continue;
      const ends = { src: src[i]!, dst: dst[i]! };
      const given = key[i] as string | null;
      const edge =
        given === null ? this.numbers.choose(ends.src, type[i]!, ends.dst) : { ...ends, type: type[i]!, key: given };
      const round = (rounds.get(edgeText(edge)) ?? 0) + 1;
      rounds.set(edgeText(edge), round);
      const fromUs = time[i]!;
      const props = withoutNulls(column("props")[i]);
      rows.push({ round, ...edge, seq: this.numbers.numberOf(edge), props, fromUs, toUs: validTo[i] ?? OPEN_END_US });
      for (const uid of [ends.src, ends.dst]) {
        const before = earliest.get(uid);
        if (before === undefined || fromUs < before) earliest.set(uid, fromUs);
      }
    }
    return { rows, earliest };
  }
}
