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
      "totals, tops, means and extremes of events per account, pair, type, day; partners; longest silence; first and last",
    questions: [
      "How many messages did she send in May, and to how many people?",
      "Who sent, paid, called, rated or met the most?",
      "What is the mean rating, the best and the worst?",
      "On which day, at which hour did most happen?",
      "When did it first happen, and when last?",
      "Did anything happen between the two at night, or nothing at all?",
    ],
  },
  {
    operator: "burst_detection",
    shape: "days or hours that stand out from those before: bursts, spikes, peaks, surges, drops",
    questions: ["Which days stand out?", "When was there suddenly more than usual, in which ten minutes?"],
  },
  {
    operator: "co_active",
    shape: "pairs of facts that overlap, meet, or lie within a gap",
    questions: ["Which jobs overlapped?", "Who was in office while she was?", "Who followed within an hour?"],
  },
  {
    operator: "compute",
    shape:
      "shares, ratios, differences, then and now, before or after; sets: in one list and not in the other; joins of results",
    questions: [
      "What share or percent of all did the top one send?",
      "Did it rise or fall from one year to the next?",
      "Who was active in one week and silent in the other?",
      "Was it more than before, against an earlier time?",
      "Was the first before the last?",
    ],
  },
  {
    operator: "count_temporal_motifs",
    shape: "how often a small pattern of events in order happens: returned, relayed, triangles, cycles",
    questions: ["How many messages were returned within ten minutes?", "How many triangles of payments in an hour?"],
  },
  {
    operator: "diff_snapshots",
    shape: "what was added, removed or changed between two instants, or two beliefs",
    questions: ["What changed between January and June?", "What differs from what we believed a year ago?"],
  },
  {
    operator: "entity_history",
    shape: "all that one node or edge was, over time, with its edges",
    questions: ["What was the name of this account over time?", "Show the history of this node."],
  },
  {
    operator: "fact_freshness",
    shape: "which fact about a subject holds at an instant, since when, until when, how sure; terms and offices",
    questions: [
      "Which office did she hold then, and from when to when?",
      "Who leads the company now?",
      "Is it still true?",
    ],
  },
  {
    operator: "find_temporal_motifs",
    shape: "the instances of a small pattern of events: who, which, when",
    questions: ["Who returned a payment within a minute?", "Show the triangles of that day."],
  },
  {
    operator: "graph_metric_timeseries",
    shape: "a figure per day, week or hour of a window; empty stretches are rows; trends",
    questions: [
      "How many events per day in May, hour by hour?",
      "Which way did the days of the month go, up or down?",
      "In which week did nothing happen?",
      "How many new nodes per month?",
    ],
  },
  {
    operator: "longest_temporal_chain",
    shape: "the longest chain of events that follow each other from node to node",
    questions: ["What is the longest chain of messages passed on?"],
  },
  {
    operator: "neighborhood_evolution",
    shape: "neighbours gained and lost between two instants; degree over time",
    questions: ["Which contacts did she gain or lose between March and May?"],
  },
  {
    operator: "resolve_entities",
    shape: "a name, or a part of one, to uids",
    questions: ["Who is called Ada?", "Which entity has that name?"],
  },
  {
    operator: "scan",
    shape: "rows of nodes, edges, events, versions, commits, for select: all offices, terms, holders",
    questions: ["List the edges of that type with their properties.", "How many offices, terms or nodes are there?"],
  },
  {
    operator: "select",
    shape: "joins, groups, conditions and order over rows of earlier steps, in SQL",
    questions: ["Which of them have no answer?", "Which office had most holders? Join, select, group and order rows."],
  },
  {
    operator: "snapshot_subgraph",
    shape: "the graph around some nodes at one instant, within so many hops",
    questions: ["Who was connected to her on that day, within two hops?"],
  },
  {
    operator: "temporal_paths",
    shape: "how something got from one node to another in time order: earliest, fastest, fewest hops",
    questions: ["How could it have come from her to him?", "What is the fastest path, and when does it arrive?"],
  },
  {
    operator: "temporal_reachability",
    shape: "whom a node could reach, or who could have reached it, in time order",
    questions: ["Whom could she reach that week with waits up to an hour?", "Who could be the origin?"],
  },
  {
    operator: "version_history",
    shape: "what was believed, corrected, retracted, by whom and why; what is believed at a commit",
    questions: [
      "What was corrected, when and why?",
      "How many terms were believed at that commit, and who wrote them?",
    ],
  },
];

const BY_OPERATOR = new Map(QUESTION_SHAPES.map((shape) => [shape.operator, shape]));

/** Every operator has one. */
export const shapeOf = (operator: string): QuestionShape => BY_OPERATOR.get(operator)!;
