// The steps of a plan as they come to be: each is written once, and equal ones are one step.
// Scans that differ only in their columns are one scan that shows the columns of all.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { PlanStep } from "../../plan/plan.js";

interface DraftStep {
  readonly op: string;
  readonly args: JsonObject;
  /** Of a scan: the columns that somebody reads, in the order in which they were first asked for. */
  readonly columns: string[] | null;
  slice: readonly [number, number | null] | null;
  readonly unknown: "empty" | null;
}

export interface StepOptions {
  readonly slice?: readonly [number, number | null];
  readonly unknown?: "empty";
}

export class Steps {
  private readonly drafts: DraftStep[] = [];
  private readonly known = new Map<string, number>();

  /** The id of the step. */
  add(op: string, args: JsonObject, options: StepOptions = {}): string {
    return this.draft(`${op}\0${canonicalJson(args as JsonValue)}\0${JSON.stringify(options)}`, {
      op,
      args,
      columns: null,
      slice: options.slice ?? null,
      unknown: options.unknown ?? null,
    });
  }

  /** A scan, whose columns grow with what is asked of it. */
  addScan(args: JsonObject, columns: readonly string[]): string {
    const id = this.draft(`scan\0${canonicalJson(args as JsonValue)}`, {
      op: "scan",
      args,
      columns: [],
      slice: null,
      unknown: null,
    });
    const shown = this.drafts[Number(id.slice(1)) - 1]!.columns!;
    for (const column of columns) if (!shown.includes(column)) shown.push(column);
    return id;
  }

  finish(): PlanStep[] {
    return this.drafts.map(({ op, args, columns, slice, unknown }, i) => ({
      id: `s${i + 1}`,
      op,
      args: columns === null ? args : { ...args, columns },
      ...(slice === null ? {} : { slice }),
      ...(unknown === null ? {} : { unknown }),
    }));
  }

  private draft(key: string, step: DraftStep): string {
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.drafts.push(step) - 1;
      this.known.set(key, index);
    }
    return `s${index + 1}`;
  }
}
