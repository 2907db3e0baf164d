// The list of all operators, each with what is derived from its declaration on first use.
// Adding an operator is one line here; nothing about one is written anywhere else.
import type { TSchema } from "typebox";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import type { JsonObject } from "../contract/values.js";
import { aggregateEvents } from "./aggregate-events.js";
import { burstDetection } from "./burst-detection.js";
import { compileCanonical } from "./canonical-args.js";
import { coActive } from "./co-active.js";
import { compute } from "./compute.js";
import { countTemporalMotifs } from "./count-temporal-motifs.js";
import type { OperatorDeclaration, Report } from "./declaration.js";
import { diffSnapshots } from "./diff-snapshots.js";
import { entityHistory } from "./entity-history.js";
import { factFreshness } from "./fact-freshness.js";
import { findTemporalMotifs } from "./find-temporal-motifs.js";
import { graphMetricTimeseries } from "./graph-metric-timeseries.js";
import { longestTemporalChain } from "./longest-temporal-chain.js";
import { neighborhoodEvolution } from "./neighborhood-evolution.js";
import { instantPlaces, type TimeArguments, tableArguments, timeArguments } from "./paths.js";
import { plainArguments } from "./plain-arguments.js";
import { compilePrinter, type Printer } from "./printer.js";
import { resolveEntities } from "./resolve-entities.js";
import { scan } from "./scan.js";
import { select } from "./select.js";
import { compileShape, type ShapeCheck } from "./shape.js";
import { snapshotSubgraph } from "./snapshot-subgraph.js";
import { temporalPaths } from "./temporal-paths.js";
import { temporalReachability } from "./temporal-reachability.js";
import { versionHistory } from "./version-history.js";

const throwReported: Report = (error) => {
  throw error;
};

/** A declaration with its validator, canonical form and printers, compiled once. */
export class Operator {
  readonly time: TimeArguments;
  /** The arguments that hold tables. */
  readonly tables: readonly string[];
  readonly canonical: (args: JsonObject, report: Report) => JsonObject;
  readonly printers: ReadonlyMap<string, Printer>;
  private readonly instantPlaces: ReadonlySet<string>;
  private readonly shape: ShapeCheck;

  constructor(readonly declaration: OperatorDeclaration) {
    const fields = declaration.output.properties as Record<string, TSchema>;
    this.time = timeArguments(declaration.args);
    this.instantPlaces = instantPlaces(this.time);
    this.tables = tableArguments(declaration.args);
    this.canonical = compileCanonical(declaration.args);
    this.printers = new Map(Object.entries(fields).map(([name, schema]) => [name, compilePrinter(schema)]));
    this.shape = compileShape(declaration.args);
  }

  /** The printer of one row: of the schema that depends on the arguments, or of the declared one. */
  rowPrinter(schema: TSchema | undefined): Printer | undefined {
    if (schema !== undefined) return compilePrinter(schema);
    const rows = this.declaration.output.properties.rows as { readonly items?: TSchema } | undefined;
    return rows?.items === undefined ? undefined : compilePrinter(rows.items);
  }

  /** A plain copy of the arguments, after every check of their shape; tables were read before. */
  read(given: unknown, tables: JsonObject = {}): JsonObject {
    const args = plainArguments(given, (path) => this.instantPlaces.has(path));
    const [first] = this.shape(args);
    if (first !== undefined) throw first;
    this.declaration.shape?.(args);
    return Object.assign(args, tables);
  }

  /** Everything that is wrong with arguments, where `read` and the judgement tell the first. */
  findings(given: JsonObject, tables: JsonObject = {}): readonly PalimpsestError[] {
    const found: PalimpsestError[] = [];
    const collect = <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof PalimpsestError)) throw error;
        found.push(error);
        return undefined;
      }
    };
    const args = collect(() => plainArguments(given, (path) => this.instantPlaces.has(path)));
    if (args === undefined) return found;
    found.push(...this.shape(args));
    if (found.length > 0) return found;
    collect(() => this.declaration.shape?.(args));
    if (found.length > 0) return found;
    const report: Report = (error) => void found.push(error);
    const canonical = this.canonical(Object.assign(args, tables), report);
    collect(() => this.declaration.judge?.(canonical, report));
    return found;
  }

  private withReferences: ((args: JsonObject, report: Report) => JsonObject) | undefined;

  /** The canonical form of arguments of a step of a plan, in which references stand for values; for those without findings. */
  canonicalStep(args: JsonObject): JsonObject {
    this.withReferences ??= compileCanonical(this.declaration.args, true);
    const canonical = this.withReferences(args, throwReported);
    return this.declaration.complete?.(canonical) ?? canonical;
  }

  /** Stages 2 to 5 for arguments that are canonical but for a patch; throws the first error. */
  readonly reread = (patched: JsonObject): JsonObject => {
    // A step of a plan that is read to its end has no limit.
    const { limit, ...others } = patched;
    const args = this.canonical(this.read(limit === null ? others : patched), throwReported);
    this.declaration.judge?.(args, throwReported);
    return this.declaration.complete?.(args) ?? args;
  };
}

// The argument types of the declarations differ; the pipeline only ever passes each its own canonical arguments.
export const DECLARATIONS: readonly OperatorDeclaration[] = [
  entityHistory,
  snapshotSubgraph,
  diffSnapshots,
  longestTemporalChain,
  temporalPaths,
  temporalReachability,
  graphMetricTimeseries,
  burstDetection,
  neighborhoodEvolution,
  coActive,
  countTemporalMotifs,
  findTemporalMotifs,
  factFreshness,
  resolveEntities,
  versionHistory,
  aggregateEvents,
  scan,
  select,
  compute,
] as unknown as readonly OperatorDeclaration[];

const byName = new Map(
  DECLARATIONS.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)),
);
const compiled = new Map<OperatorDeclaration, Operator>();

/** What decides the bytes of answers: every operator with its version. */
export const registryVersion = (): string =>
  DECLARATIONS.map(({ name, version }) => `${name}:${version}`)
    .sort()
    .join(" ");

/** Every name and alias. */
export const operatorNames = (): readonly string[] => [...byName.keys()];

/** The operator of a name or alias; E_NOT_FOUND with the nearest names. */
export function lookUp(name: string): Operator {
  if (typeof name !== "string") {
    throw new PalimpsestError("E_SCHEMA", `the name of an operator is a text, not ${typeof name}`, {
      details: { path: "" },
      hint: 'call("scan", {"of": "nodes"})',
    });
  }
  const declaration = byName.get(name);
  if (declaration === undefined) {
    const nearest = nearestNames(name, byName.keys());
    throw new PalimpsestError("E_NOT_FOUND", `there is no operator ${JSON.stringify(name)}`, {
      details: { nearest },
      hint: nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : `known: ${[...byName.keys()].join(", ")}`,
    });
  }
  let operator = compiled.get(declaration);
  if (operator === undefined) {
    operator = new Operator(declaration);
    compiled.set(declaration, operator);
  }
  return operator;
}
