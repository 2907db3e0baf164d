// A write statement planned: what it reads, and how the rows of that become one batch, or erasures.
// Looks at the tree and at constants; reads nothing and writes nothing.
import type {
  Default,
  DeleteWrite,
  EraseWrite,
  Insert,
  InsertStatement,
  Parameter,
  RemoveWrite,
  SetWrite,
  StringLiteral,
  Write,
  WriteStatement,
} from "../../../grammar/ast.js";
import type { JsonObject } from "../../contract/values.js";
import type { Folder } from "../compile/fold.js";
import { refuse } from "../compile/problem.js";
import type { WriteBatch } from "./batch.js";
import { type Edit, editsOfRemove, editsOfSet, writeEdit } from "./edit.js";
import { insertMakers, runInsert } from "./insert.js";
import { common, insertedTime, portionOf, type Stretch } from "./portion.js";
import { MATCH_PART, type Matched, type Part, type PartRows, WriteReading } from "./reading.js";
import { boundVariable, type Variable, type Variables, variablesOf } from "./variables.js";
import { identityKey, refOf, type VersionColumns, versionKey, versionOf } from "./versions.js";

/** Edges at these nodes are taken away with them. */
export interface Detached {
  readonly uids: readonly string[];
  readonly stretch: Stretch;
  readonly reason: JsonObject;
}

interface Step {
  /** In words, for EXPLAIN: the operation and what it is about. */
  readonly operation: string;
  readonly target: string;
  readonly portion: Stretch;
  collect(rows: PartRows, batch: WriteBatch): Detached | null;
}

export interface ErasePlan {
  readonly reason: JsonObject;
  readonly dryRun: boolean;
  refs(rows: PartRows): JsonObject[];
}

export interface PlannedWrite {
  readonly setting: readonly Default[];
  readonly parts: readonly Part[];
  readonly steps: readonly Step[];
  readonly erase: ErasePlan | null;
  /** Whether it reads what is there before it writes. */
  readonly isMatchLed: boolean;
}

function reasonOf(because: StringLiteral | Parameter | null, folder: Folder): JsonObject {
  if (because === null) return {};
  if (because.kind === "parameter" && folder.context.parameters === null) return {};
  return { reason: folder.text(because) };
}

class WritePlanner {
  private readonly reading: WriteReading;
  private readonly variables: Variables;
  private readonly isMatchLed: boolean;

  constructor(
    matched: Matched,
    private readonly folder: Folder,
  ) {
    this.isMatchLed = matched.clauses.length > 0;
    this.variables = matched.variables;
    this.reading = new WriteReading(matched, folder);
  }

  steps(writes: readonly Write[]): Step[] {
    return writes.flatMap((write) => this.stepsOf(write));
  }
  parts(): Part[] {
    return this.reading.parts();
  }

  private readonly find = (name: Parameters<typeof boundVariable>[0]): Variable => boundVariable(name, this.variables);

  private stepsOf(write: Write): Step[] {
    switch (write.kind) {
      case "set":
        return this.edits(
          write,
          editsOfSet(write, this.find, (variable) => (expr) => this.reading.value(expr, variable)),
        );
      case "remove":
        return this.edits(write, editsOfRemove(write, this.find));
      case "delete":
        return this.deletes(write);
      case "insert_chains":
        return [this.insert(write)];
      case "erase":
        return refuse(
          "E_STATE",
          "erase_alone",
          write,
          "ERASE stands beside no other write",
          "make it a statement of its own",
        );
    }
  }

  private edits(write: SetWrite | RemoveWrite, edits: readonly Edit[]): Step[] {
    const { portion } = write;
    const stretch = portionOf(portion, write, this.folder);
    const terms = { stretch, isCorrection: portion.correction, reason: reasonOf(portion.because, this.folder) };
    return edits.map((edit) => {
      const isPatch = portion.correction && edit.content === null;
      const { part, columns } = this.reading.versionsOf(edit.variable, edit.content === null && !isPatch);
      const mode = edit.content === null ? "patch" : "replace";
      const assertion = edit.variable.bound === "edge" ? "assert_edge" : "assert_node";
      return {
        operation: portion.correction ? `correct (${mode})` : assertion,
        target: edit.variable.name.text,
        portion: stretch,
        collect: (rows, batch) => {
          eachVersion(rows.get(part)!, columns, (version, row) => writeEdit(edit, version, row, terms, batch));
          return null;
        },
      };
    });
  }

  private deletes(write: DeleteWrite): Step[] {
    const { portion, detach } = write;
    const stretch = portionOf(portion, write, this.folder);
    if (portion.correction) {
      refuse(
        "E_INVALID_ARG",
        "delete_correction",
        write,
        "DELETE ends belief and corrects no content",
        "leave AS CORRECTION out; BECAUSE keeps the reason",
      );
    }
    const reason = reasonOf(portion.because, this.folder);
    return write.variables.map((name) => {
      const variable = this.find(name);
      if (detach && variable.bound === "edge") {
        refuse(
          "E_SCHEMA",
          "detach_edge",
          name,
          `${name.text} is an edge`,
          "DETACH DELETE takes nodes; DELETE the edge",
        );
      }
      const { part, columns } = this.reading.versionsOf(variable, false);
      return {
        operation: "retract",
        target: detach ? `${name.text} and its edges` : name.text,
        portion: stretch,
        collect: (rows, batch) => {
          const uids = new Set<string>();
          eachVersion(rows.get(part)!, columns, ({ ref, held }) => {
            const shared = common(stretch, held);
            if (detach) uids.add(ref.uid as string);
            if (shared !== null) batch.retract(ref, shared, reason);
          });
          return detach && uids.size > 0 ? { uids: [...uids], stretch, reason } : null;
        },
      };
    });
  }

  private insert(insert: Insert): Step {
    const stretch = insertedTime(insert, insert, this.folder);
    const makers = insertMakers(
      insert,
      { stretch, reason: reasonOf(insert.because, this.folder) },
      {
        read: (expr) => this.reading.value(expr, null),
        matched: (name) => {
          const variable = this.variables.get(name.text);
          if (variable === undefined) return undefined;
          return { variable, uid: this.reading.identityOf(variable)[0]!.value };
        },
      },
    );
    if (this.isMatchLed) this.reading.matchPart();
    return {
      operation: "assert",
      target: insert.chains.length === 1 ? "1 chain" : `${insert.chains.length} chains`,
      portion: stretch,
      collect: (rows, batch) => {
        for (const row of rows.get(MATCH_PART) ?? [{}]) runInsert(makers, row, batch);
        return null;
      },
    };
  }

  erase(write: EraseWrite): ErasePlan {
    const identities = write.variables.map((name) => this.reading.identityOf(this.find(name)));
    const part = this.reading.matchPart();
    return {
      reason: reasonOf(write.because, this.folder),
      dryRun: write.dryRun,
      refs: (rows) => {
        const refs = new Map<string, JsonObject>();
        for (const row of rows.get(part)!) {
          for (const identity of identities) {
            const ref = refOf(identity, row);
            if (ref !== null) refs.set(identityKey(ref), ref);
          }
        }
        return [...refs.values()];
      },
    };
  }
}

/** Each version once, with the first match that binds it. */
function eachVersion(
  rows: readonly JsonObject[],
  columns: VersionColumns,
  visit: (version: NonNullable<ReturnType<typeof versionOf>>, row: JsonObject) => void,
): void {
  const seen = new Set<string>();
  for (const row of rows) {
    const version = versionOf(columns, row);
    if (version === null || seen.has(versionKey(version))) continue;
    seen.add(versionKey(version));
    visit(version, row);
  }
}

export function planWrite(statement: WriteStatement | InsertStatement, folder: Folder): PlannedWrite {
  if (statement.kind === "insert") {
    const planner = new WritePlanner({ setting: [], with: [], clauses: [], variables: new Map() }, folder);
    const steps = planner.steps([statement.insert]);
    return { setting: [], parts: planner.parts(), steps, erase: null, isMatchLed: false };
  }
  const { clauses, writes, setting } = statement;
  const planner = new WritePlanner({ setting, with: statement.with, clauses, variables: variablesOf(clauses) }, folder);
  const [first] = writes;
  if (writes.length === 1 && first!.kind === "erase") {
    const erase = planner.erase(first!);
    return { setting, parts: planner.parts(), steps: [], erase, isMatchLed: true };
  }
  const steps = planner.steps(writes);
  return { setting, parts: planner.parts(), steps, erase: null, isMatchLed: true };
}
