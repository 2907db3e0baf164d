// What may follow an unfinished statement: keywords by the grammar, names by what kind of name stands there.
import { describe, expect, it } from "vitest";
import { type CandidateKind, type CompletionNames, completions } from "../../grammar/index.js";

const names: CompletionNames = {
  labels: () => ["Nurse", "Ward", "Night Shift"],
  types: () => ["WORKS_ON", "ON_LEAVE"],
  properties: (of) => {
    if (of.includes("Nurse")) return ["grade", "name"];
    return of.includes("WORKS_ON") ? ["shift"] : ["grade", "name", "shift", "order"];
  },
  operators: () => ["entity_history", "select"],
  argumentsOf: (operator) => (operator === "entity_history" ? ["uid", "include_edges"] : []),
  columnsOf: (operator) => (operator === "entity_history" ? ["valid_from", "props"] : []),
  functions: () => ["COUNT", "SUM"],
  parameters: () => ["day", "from"],
  units: () => ["year", "month", "day", "day_of_year", "day_of_week", "hour"],
};
const offered = (text: string, kind?: CandidateKind): string[] =>
  completions(text, names)
    .candidates.filter((candidate) => kind === undefined || candidate.kind === kind)
    .map((candidate) => candidate.text);

describe("completion", () => {
  it("begins with statements", () => {
    expect(offered("")).toEqual(
      expect.arrayContaining(["SELECT", "MATCH", "INSERT", "SHOW", "BEGIN", "EXPLAIN", "WITH"]),
    );
    expect(offered("SELECT 1; sh")).toEqual(["SHOW"]);
    expect(completions("SELECT 1; sh", names)).toMatchObject({ prefix: "sh", start: 10 });
  });

  it("offers the keywords that may follow, and no others", () => {
    expect(offered("SHOW ")).toEqual([
      "OPERATORS",
      "OPERATOR",
      "FUNCTIONS",
      "TYPES",
      "LABELS",
      "PROPERTIES",
      "STATS",
      "SETTINGS",
    ]);
    expect(offered("SELECT n.uid FR")).toEqual(["FROM"]);
    expect(offered("MATCH (n) FOR VALID_TIME ")).toEqual(["AS", "ONLY", "FROM", "BETWEEN", "CONTAINED", "ALL"]);
    expect(offered("MATCH (n:Nurse) ")).toEqual(expect.arrayContaining(["RETURN", "WHERE", "SET", "FOR", "OPTIONAL"]));
    expect(offered("MATCH (n:Nurse) ")).not.toContain("WITH");
    expect(offered("MATCH p = TIME_RESPECTING (")).toEqual(
      expect.arrayContaining(["TIES", "MAX", "WITHIN", "ARRIVAL"]),
    );
  });

  it("offers labels to nodes and types to edges, quoted where they must be", () => {
    expect(offered("MATCH (n:")).toEqual(["Nurse", "Ward", '"Night Shift"']);
    expect(offered("MATCH (n:Nurse)-[r:")).toEqual(["WORKS_ON", "ON_LEAVE"]);
    expect(offered("SELECT 1 FROM NODES(Ward|")).toEqual(["Nurse", "Ward", '"Night Shift"']);
    expect(offered("SELECT 1 FROM EVENTS(w")).toEqual(["WORKS_ON"]);
    expect(offered("SELECT 1 FROM VERSIONS(EDGES o", "type")).toEqual(["ON_LEAVE"]);
  });

  it("offers the properties of what a variable is bound to", () => {
    expect(offered("MATCH (n:Nurse) RETURN n.")).toEqual(
      expect.arrayContaining(["grade", "name", "uid", "valid_from"]),
    );
    expect(offered("MATCH (n:Nurse) RETURN n.")).not.toContain("shift");
    expect(offered("MATCH (n:Nurse)-[r:WORKS_ON]->(w) RETURN r.s")).toEqual(["shift", "src", "seq"]);
    expect(offered("SELECT 1 FROM EVENTS(WORKS_ON) FOR VALID_TIME AS OF $day AS e WHERE e.a")).toEqual(["at"]);
    expect(offered("INSERT (n:Nurse {")).toEqual(["grade", "name"]);
    expect(offered("MATCH (n) RETURN n.o")).toEqual(["order"]);
  });

  it("offers operators, their arguments and their columns", () => {
    expect(offered("CALL ")).toEqual(["entity_history", '"select"']);
    expect(offered("CALL entity_history(")).toEqual(["uid", "include_edges"]);
    expect(offered("CALL entity_history(uid => 'x', in")).toEqual(["include_edges"]);
    expect(offered("CALL entity_history(uid => 'x') YIELD ", "column")).toEqual(["valid_from", "props"]);
  });

  it("offers steps of WITH, variables, functions and parameters", () => {
    expect(offered("WITH top AS (SELECT 1), low AS (SELECT 2) SELECT * FROM ", "with_name")).toEqual(["top", "low"]);
    expect(offered("WITH top AS (SELECT 1) MATCH (a IN ")).toEqual(["top"]);
    expect(offered("MATCH (a)-[r]->(b) RETURN ", "variable")).toEqual(["a", "r", "b"]);
    expect(offered("SELECT S", "function")).toEqual(["SUM"]);
    expect(offered("SELECT $f")).toEqual(["$from"]);
    expect(offered("SELECT $")).toEqual(["$day", "$from"]);
    expect(offered("SELECT EXTRACT(day")).toEqual(["day", "day_of_year", "day_of_week"]);
  });

  it("offers nothing inside a string, a comment or a wrong statement", () => {
    for (const text of ["SELECT 'S", "SELECT /* S", "SELECT 1 2 ", "SELECT ) "])
      expect(offered(text), text).toEqual([]);
  });
});
