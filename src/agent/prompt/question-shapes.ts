// Which operator to take for which shape of question: one line each for planners, and for the search of operators.
// Nothing here depends on a store.

export interface QuestionShape {
  readonly operator: string;
  /** What it is taken for. */
  readonly shape: string;
  /** How people ask for it. */
  readonly questions: readonly string[];
}

export const QUESTION_SHAPES: readonly QuestionShape[] = [
  {
    operator: "aggregate_events",
    shape:
      "totals, tops, shares, means and extremes of events per account, pair, type or label; partners; longest silence; first and last",
    questions: [
      "How many calls did she make in May, and to how many people?",
      "Who sent, paid, called or wrote the most?",
      "What are the mean, the greatest and the least amount?",
      "When did it first happen, and when last?",
      "Was there any event between the two, or nothing at all?",
    ],
  },
  {
    operator: "burst_detection",
    shape: "buckets that stand out from those before them: bursts, spikes, surges, drops",
    questions: ["Which hours stand out?", "When was there suddenly more or less than usual?"],
  },
  {
    operator: "co_active",
    shape: "pairs of facts that overlap, meet, or lie within a gap",
    questions: ["Which jobs overlapped?", "Who lived there while she did?", "What followed within a day?"],
  },
  {
    operator: "compute",
    shape: "shares, ratios, differences, percentiles of results; in one list and not in the other; before or after",
    questions: [
      "What percent of all did the top account send?",
      "Did it rise or fall against an earlier time?",
      "Who is in both lists, in one but not the other?",
      "Which came first?",
    ],
  },
  {
    operator: "count_temporal_motifs",
    shape:
      "how often a small ordered pattern of events happens: both directions within a time, relays, replies, triangles, cycles",
    questions: ["How many calls were returned within an hour?", "How often did a triangle of payments happen?"],
  },
  {
    operator: "diff_snapshots",
    shape: "what was added, removed or changed between two instants, or between two beliefs of one instant",
    questions: ["What changed between January and June?", "What differs from what we believed a year ago?"],
  },
  {
    operator: "entity_history",
    shape: "all that one node or edge was, over valid time, with its edges; until when an edge holds",
    questions: ["What was the value of this property then?", "Show the history of this account."],
  },
  {
    operator: "fact_freshness",
    shape: "which fact about a subject holds at an instant, since when and until when, how sure, and its rivals",
    questions: ["Which job did she hold then, from when to when?", "Is it still current, or superseded?"],
  },
  {
    operator: "find_temporal_motifs",
    shape: "the instances of a small ordered pattern of events: who and when",
    questions: ["Which calls were returned within a minute, and by whom?", "Show the triangles."],
  },
  {
    operator: "graph_metric_timeseries",
    shape:
      "a figure for each day, week, month or hour; the busiest and quietest of them; trends; a month with nothing in it",
    questions: [
      "How many events on each day of the month?",
      "Which week was the busiest, which the quietest?",
      "Did the hours go up or down?",
      "How many new nodes each year?",
    ],
  },
  {
    operator: "longest_temporal_chain",
    shape: "the longest chronological chain of events",
    questions: ["How long is the longest chain of calls that follow each other?"],
  },
  {
    operator: "neighborhood_evolution",
    shape: "neighbours gained and lost between two instants; degree over time",
    questions: ["Which contacts did she gain or lose between March and May?"],
  },
  {
    operator: "resolve_entities",
    shape: "a name, or a part of one, to uids",
    questions: ["Who is called Ada?", "Which account has that name?"],
  },
  {
    operator: "scan",
    shape: "rows of a table, such as facts that hold at an instant, for select or to list them",
    questions: ["List the edges of that type with their properties."],
  },
  {
    operator: "select",
    shape: "joins, groups, windows, conditions and order over rows of earlier steps, as a SELECT",
    questions: [
      "Which of them have no answer?",
      "Select, join, group or order the rows.",
      "Which properties have these uids?",
    ],
  },
  {
    operator: "snapshot_subgraph",
    shape: "the graph around some nodes at one instant, within so many hops; neighbours then",
    questions: ["Who was connected to her on that day, within two hops?", "Who were her neighbours, as believed then?"],
  },
  {
    operator: "temporal_paths",
    shape: "paths from one node to another in time order: earliest arrival, fastest, shortest, fewest hops",
    questions: ["How could it have come from her to him?", "When does the earliest path arrive?"],
  },
  {
    operator: "temporal_reachability",
    shape: "whom a node can reach, who could have been the origin; how many can be reached, distance in hops",
    questions: ["Who could be reached from her with waits up to an hour?", "Who could have passed it to him?"],
  },
  {
    operator: "version_history",
    shape: "what was believed then and what changed since: corrected, retracted, recorded late, by whom and why",
    questions: ["What was corrected, when and why?", "How many facts were believed at that commit?"],
  },
];

const BY_OPERATOR = new Map(QUESTION_SHAPES.map((shape) => [shape.operator, shape]));

/** Every operator has one. */
export const shapeOf = (operator: string): QuestionShape => BY_OPERATOR.get(operator)!;
