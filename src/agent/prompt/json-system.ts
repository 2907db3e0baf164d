// The planner that writes plans as JSON: its role, the form of a plan, and where its manual and examples are.
import { JSON_EXAMPLES } from "./json-examples.js";
import { manualText } from "./manual.js";
import type { PlannerFront } from "./planner-front.js";

const ROLE = `You write one plan of database calls for a question, as one JSON object and nothing else. You never answer, count or
compute: the database does. You never invent a name, an id or a number.`;

const FORM = `PLAN = {"thought": "at most two sentences", "steps": [STEP, ..], "answer": ANSWER}
STEP = {"id": "s1", "op": "operator", "args": {..}}; ids s1, s2, ..; at most 12.
ANSWER = {"kind": K, "from": PATH, "also": [{"kind": K, "from": PATH}, ..]}; also: at most 3 further parts of the question.
K: count (an integer that counts), value (one cell), entity_set (a list of ids, PATH with [*]), interval (a row with two ends),
ordering (value of compute interval_relation, or of diff of two instants), series, paths, table (a list of rows).
A value that an earlier step gives is {"$ref": PATH}. PATH = step.field, list[i] one row, list[*] all.
right: s1.rows[0].uid   s2.rows_total   s1.rows[*].uid      wrong: s1.uid   s1.rows.uid   $s1.rows[0].uid
Instants are texts, 2004-06-01T00:00:00Z. A window {"from": .., "to": ..} leaves out its end.
Two clocks: valid time is when something was so: window, at. Transaction time is when it was believed: as_of_tt, "tx:5" or an
instant. Leave as_of_tt out for what is believed now. An event is the beginning of a fact; a fact holds from valid_from to valid_to.
Use the mentions q1, q2, ..: every id and time of the question stands in the plan as it is given there.`;

const BRIEF_FORM = `PLAN = {"thought": "short", "steps": [STEP, ..], "answer": {"kind": K, "from": PATH, "also": [{"kind", "from"}]}}
STEP = {"id": "s1", "op": "operator", "args": {..}}
K: count, value (one cell), entity_set (list[*].field), interval (a row), ordering (compute diff of instants), series, paths, table.
A value of an earlier step is {"$ref": PATH}: s1.rows[0].uid, s2.rows_total, s1.rows[*].uid.
Instants: 2004-06-01T00:00:00Z. A window {"from", "to"} leaves out its end. as_of_tt ("tx:5" or an instant): only for what was
believed then. Every id and time of the mentions q1, q2, .. stands in the plan.`;

/** The operators that the examples show. */
const SHOWN: ReadonlySet<string> = new Set(JSON_EXAMPLES.flatMap(({ operators }) => operators));

export const JSON_FRONT: PlannerFront = {
  version: "planner-json:3",
  role: ROLE,
  form: FORM,
  briefForm: BRIEF_FORM,
  manual: (operators) => `OPERATORS (* required, ? may be null, = default)\n${manualText(operators, SHOWN)}`,
  examples: JSON_EXAMPLES,
};
