// Reads a file of cases: TQL between remarks that say what a statement is asked over and what it shall give.
// The whole file is TQL, so that it can be read, highlighted and run as it is.
import { readFileSync } from "node:fs";

export interface Expected {
  /** Rows in order, their cells in the order of the columns. */
  readonly rows: readonly unknown[][] | null;
  /** `name:type` of the columns. */
  readonly columns: readonly string[] | null;
  /** SQL over the exported tables that must give the same rows. */
  readonly sql: string | null;
  /** Operators of the plan, in its order. */
  readonly operators: readonly string[] | null;
  readonly notices: readonly string[] | null;
}
export interface WrongExpected {
  readonly code: string;
  readonly kind: string | null;
  /** Line and column of the mark in the text; null where there is no mark. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** Part of the hint. */
  readonly hint: string;
}
export interface StatementCase {
  readonly title: string;
  readonly store: string;
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expected: Expected;
  readonly wrong: WrongExpected | null;
}

/** A mark and what it is for. */
const MARKS = {
  "--#": "title",
  "--@": "store",
  "--$": "params",
  "--=": "row",
  "--:": "columns",
  "--~": "sql",
  "--o": "operators",
  "--!": "wrong",
  "--?": "hint",
  "--w": "notices",
} as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

function markOf(line: string): readonly [Mark, string] | null {
  const mark = MARKS[line.slice(0, 3) as keyof typeof MARKS];
  return mark === undefined || (line.length > 3 && line[3] !== " ") ? null : [mark, line.slice(4).trim()];
}

/** Stands before the word that an error points at. */
const PLACE = "\u00BB";

function placeIn(text: string): { line: number; column: number } | null {
  const offset = text.indexOf(PLACE);
  if (offset < 0) return null;
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}

const isEmpty = (marks: Map<Mark, string[]>): boolean => !marks.has("title");

function caseOf(marks: Map<Mark, string[]>, lines: readonly string[], store: string): StatementCase {
  const one = (mark: Mark): string | null => marks.get(mark)?.join(" ") ?? null;
  const list = (mark: Mark): string[] | null =>
    one(mark)
      ?.split(/\s*,\s*/)
      .filter((item) => item !== "") ?? null;
  const wrong = one("wrong")?.split(/\s+/) ?? null;
  const rows = marks.get("row");
  const text = lines.join("\n").trim().replace(/;$/, "");
  return {
    title: one("title")!,
    store,
    text: wrong === null ? text : text.replace(PLACE, ""),
    params: JSON.parse(one("params") ?? "{}"),
    expected: {
      rows: rows === undefined ? null : rows.filter((row) => row !== "none").map((row) => JSON.parse(row) as unknown[]),
      columns: list("columns"),
      sql: one("sql"),
      operators: list("operators"),
      notices: list("notices"),
    },
    wrong:
      wrong === null
        ? null
        : { code: wrong[0]!, kind: wrong[1] ?? null, place: placeIn(text), hint: one("hint") ?? "" },
  };
}

/** The cases of a file; `--@ store` holds until the next. */
export function readCases(file: string): StatementCase[] {
  const cases: StatementCase[] = [];
  let marks = new Map<Mark, string[]>();
  let lines: string[] = [];
  let store = "";
  const end = (): void => {
    if (!isEmpty(marks)) cases.push(caseOf(marks, lines, store));
    marks = new Map();
    lines = [];
  };
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const marked = markOf(line);
    if (marked === null) {
      lines.push(line);
      continue;
    }
    const [mark, text] = marked;
    if (mark === "title" || mark === "store") end();
    if (mark === "store") store = text;
    else marks.set(mark, [...(marks.get(mark) ?? []), text]);
  }
  end();
  return cases;
}
