// A path that says what of a read is asked, as a path of its plan: `rows[0].n` of the result, `top.rows[0].uid` of a WITH name.
import { parsePath, type ReferencePath } from "../../plan/references.js";
import { refuse } from "./problem.js";
import type { Relation } from "./relation.js";
import { pathToRows, resolvePath } from "./scope.js";

type Segments = ReferencePath["segments"];

function segmentsOf(text: string): Segments {
  // The grammar of references, which begin with a step.
  const parsed = parsePath(`s1.${text}`);
  if (parsed.kind === "path") return parsed.path.segments;
  const hint = "write rows[0].n for one value, rows[*].uid for all, or begin with a WITH name: top.rows[0].n";
  return refuse("E_PLAN_INVALID", "bad_path", {}, parsed.message, hint);
}

/** A result, and the WITH names beside it. */
export interface Named {
  readonly result: Relation;
  readonly names: readonly string[];
  relationOf(name: string): Relation | undefined;
}

/** The rows of a relation: all as a list, or one as a row. */
function rowsAt(relation: Relation, index: Segments[number]["index"], text: string): string {
  if (relation.kind === "rows") return `${pathToRows(relation)}${index === null ? "" : `[${index}]`}`;
  const columns = relation.columns.map(({ name }) => name).join(", ");
  return refuse(
    "E_SCHEMA",
    "path",
    {},
    `${text} is no row, but single fields`,
    `write rows[0].x, with x of ${columns}`,
  );
}

/** Columns of rows may have dots in their names. */
function withDottedColumn(segments: Segments, { columns }: Relation): Segments {
  const [rows, ...names] = segments;
  const last = names.findLastIndex((_, i) => {
    const name = names.slice(0, i + 1).map((segment) => segment.name);
    return columns.some((column) => column.name === name.join("."));
  });
  if (last < 1) return segments;
  const name = names.slice(0, last + 1).map((segment) => segment.name);
  return [rows!, { name: name.join("."), index: names[last]!.index }, ...names.slice(last + 1)];
}

/** Throws what is wrong with the path, with what it could have been. */
export function answerPath(text: string, { result, names, relationOf }: Named): string {
  const written = segmentsOf(text);
  const [first, ...behind] = written;
  const isOfResult = first!.name === "rows" || first!.name === "rows_total" || first!.index !== null;
  const common = isOfResult ? undefined : relationOf(first!.name);
  const relation = common ?? result;
  const [head, ...rest] = withDottedColumn(common === undefined ? written : behind, relation);
  if (head === undefined) return rowsAt(relation, null, text);
  if (head.name === "rows" && rest.length === 0) return rowsAt(relation, head.index, text);
  const keys = [head, ...rest].flatMap(({ name, index }) => [{ text: name }, ...(index === null ? [] : [index])]);
  const root = common === undefined ? "the result" : first!.name;
  return resolvePath({ root: { text: root }, keys }, relation, {}, common === undefined ? names : []).ref;
}
