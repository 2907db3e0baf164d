// Random claims over a trace: paths that lead somewhere and paths that do not, in claims of every type.
// The same seed gives the same claims.

import type { Evidence } from "../../../src/agent/claims/evidence.js";
import { ALLEN_RELATIONS } from "../../../src/contract/allen.js";
import type { JsonValue } from "../../../src/contract/values.js";
import type { Random } from "../../support/random.js";

const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Known {
  readonly path: string;
  readonly value: JsonValue;
}

/** Every path to a value of the first rows of each list, and to every other field. */
function pathsIn(value: JsonValue, path: string, depth: number): Known[] {
  const own = [{ path, value }];
  if (depth > 4) return own;
  if (Array.isArray(value))
    return [...own, ...value.slice(0, 3).flatMap((each, i) => pathsIn(each, `${path}[${i}]`, depth + 1))];
  if (!isObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, each]) => pathsIn(each, `${path}.${key}`, depth + 1))];
}

/** Fields that say how a step was asked and kept; paths to them are drawn now and then. */
const OF_THE_CALL = /\.(?:op|args|pins?|cursor|truncated|complete|incomplete|erased|result_digest|columns)(?:[.[]|$)/;

export class ClaimMaker {
  private readonly known: readonly Known[];
  private readonly cells: readonly Known[];
  private readonly steps: readonly string[];

  constructor(
    private readonly random: Random,
    evidence: Evidence,
    private readonly mentions: readonly string[],
  ) {
    this.steps = evidence.trace.plan.steps.map(({ id }) => id);
    this.known = this.steps.flatMap((id) => {
      const envelope = evidence.step(id)?.result?.envelope;
      return envelope === undefined ? [] : pathsIn(envelope as unknown as JsonValue, id, 0);
    });
    this.cells = this.known.filter(
      ({ path, value }) => !isObject(value) && !Array.isArray(value) && !OF_THE_CALL.test(path),
    );
  }

  private one<T>(...values: readonly T[]): T {
    return values[this.random.below(values.length)]!;
  }
  private isOneIn(n: number): boolean {
    return this.random.below(n) === 0;
  }
  private maybe<K extends string, V>(key: K, value: V, n = 2): { [key in K]?: V } {
    return this.isOneIn(n) ? ({ [key]: value } as { [key in K]?: V }) : {};
  }

  private cell(): Known {
    if (this.isOneIn(12)) return this.one(...this.known);
    const found = this.one(...this.cells);
    if (this.isOneIn(15)) return { ...found, path: `${found.path}x` };
    if (this.isOneIn(20))
      return { ...found, path: this.one("s9.rows_total", "s1", "", "s1.rows[-1].n", "s1.rows[0].nothing", "q1") };
    return found;
  }
  private path(): string {
    return this.cell().path;
  }
  private ofRow(name: string): string {
    const rows = this.known.filter(({ path }) => path.endsWith(`.${name}`));
    return rows.length === 0 ? this.path() : this.one(...rows).path;
  }
  private subject(): string {
    return this.mentions.length > 0 && this.isOneIn(3) ? this.one(...this.mentions, "q9") : this.path();
  }
  private value({ value }: Known): JsonValue {
    if (typeof value === "number" && this.isOneIn(3))
      return this.one<JsonValue>(value + 1, -value, value + 1e-12, String(value), false);
    return this.isOneIn(4) ? this.cell().value : value;
  }
  private rank() {
    return {
      by: this.one("n", "value", "arrival", "tx", "from", "first", this.path().split(".").at(-1)!),
      side: this.one("max", "min"),
    };
  }
  private pair(): readonly [string, string] {
    if (this.isOneIn(6)) return [this.path(), this.path()];
    const [from, to] = this.one(
      ["from", "to"],
      ["valid_from", "valid_to"],
      ["departure", "arrival"],
      ["first", "last"],
    ) as [string, string];
    const begin = this.ofRow(from);
    const end = this.isOneIn(5) ? this.ofRow(to) : begin.replace(new RegExp(`${from}$`), to);
    return this.isOneIn(10) ? [end, begin] : [begin, end];
  }
  private span() {
    const of = this.maybe("of", this.subject(), 3);
    const [from, to] = this.pair();
    return this.isOneIn(2) ? { at: this.isOneIn(2) ? from : this.path(), ...of } : { from, to, ...of };
  }
  private list(): string {
    const step = this.one(...this.steps);
    return this.one(
      `${step}.rows`,
      `${step}.rows[*]`,
      step,
      `${step}.nodes`,
      `${this.path().replace(/\[\d+\]/, "[*]")}`,
      this.path(),
    );
  }

  claim(): object {
    const about = this.maybe("about", [this.subject()], 3);
    const base = { id: this.isOneIn(40) ? this.one<unknown>("c0", "x", 1) : "c1", ...about };
    const found = this.cell();
    const value = this.maybe("value", this.value(found));
    const rank = this.maybe("rank", this.rank());
    const made = this.ofType(found, value, rank);
    return { ...base, ...made, ...(this.isOneIn(40) ? { extra: 1 } : {}) };
  }

  private ofType(found: Known, value: object, rank: object): object {
    switch (this.random.below(9)) {
      case 0:
        return { type: "count", cell: found.path, ...value };
      case 1:
        return { type: "value", cell: found.path, ...value, ...rank };
      case 2:
        return { type: "entity", cell: found.path, ...value, ...rank };
      case 3:
        return { type: "entity_set", cells: this.path().replace(/\[\d+\]/, "[*]"), complete: this.isOneIn(2) };
      case 4:
        return {
          type: "ordering",
          a: this.span(),
          b: this.span(),
          relation: this.one(...ALLEN_RELATIONS, "intersects"),
        };
      case 5: {
        const [from, to] = this.pair();
        return { type: "interval", from, to, ...rank };
      }
      case 6: {
        const before = this.path();
        const after = this.isOneIn(3) ? this.path() : before.replace(/^s\d+/, this.one(...this.steps));
        const axis = this.one("belief", "valid");
        return { type: "change", before, after, axis, direction: this.one("up", "down", "same", "different") };
      }
      case 7:
        return this.isOneIn(2) ? { type: "absence", cell: found.path } : { type: "absence", list: this.list() };
      default:
        return {
          type: "temporal_pattern",
          pattern: this.one("burst", "concentration", "trend"),
          step: this.one(...this.steps),
          ...this.maybe("row", this.isOneIn(2) ? this.ofRow("from") : this.path()),
          ...this.maybe("direction", this.one("up", "down", "flat")),
          ...this.maybe("share", this.one(25, 50, 75, 90)),
        };
    }
  }
}
