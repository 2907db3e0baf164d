// Which column of a table is what: as the options name it, else by the names that our own tables have.
import type { EventColumnNames } from "../events.js";
import type { NodeColumnNames } from "../nodes.js";
import type { TableIngestOptions } from "./options.js";
import type { TableReader } from "./table-reader.js";

/** What our own tables have beside properties: never taken for one. */
const NOT_PROPERTIES = new Set(["tx_from", "tx_to", "ended_by", "ended_reason", "source", "provenance_ref", "reason"]);

export class TableColumns {
  constructor(
    private readonly reader: TableReader,
    private readonly options: TableIngestOptions,
  ) {}

  private ifThere(...names: string[]): string | null {
    return names.find((name) => this.reader.columns.includes(name)) ?? null;
  }

  private props(taken: readonly (string | null)[]) {
    const { props } = this.options;
    if (props === undefined) {
      const rest = this.reader.columns.filter((column) => !taken.includes(column) && !NOT_PROPERTIES.has(column));
      return rest.map((column) => ({ column, name: null }));
    }
    if (Array.isArray(props)) return (props as string[]).map((column) => ({ column, name: null }));
    return Object.entries(props as Record<string, string>).map(([name, column]) => ({ column, name }));
  }

  events(): EventColumnNames {
    const { options } = this;
    const own = {
      src: options.src ?? "src",
      dst: options.dst ?? "dst",
      time: options.time ?? this.ifThere("time", "valid_from") ?? "time",
      validTo: options.validTo ?? (options.duration === undefined ? this.ifThere("valid_to") : null),
      duration: options.duration ?? null,
      type: options.typeColumn ?? (options.type === undefined ? this.ifThere("type") : null),
      key: options.key ?? this.ifThere("key"),
      txTime: options.txTimeColumn ?? null,
    };
    const props = this.props(Object.values(own));
    return { ...own, clock: null, typeOtherwise: options.type ?? null, props, allProps: false };
  }

  nodes(): NodeColumnNames {
    const { options } = this;
    const own = {
      uid: options.uid ?? options.src ?? this.ifThere("uid") ?? "uid",
      validFrom: options.time ?? this.ifThere("time", "valid_from"),
      validTo: options.validTo ?? this.ifThere("valid_to"),
      labels: options.labelColumn ?? this.ifThere("labels"),
      txTime: options.txTimeColumn ?? null,
    };
    return { ...own, clock: null, props: this.props(Object.values(own)), allProps: false };
  }
}
