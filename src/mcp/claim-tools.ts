// `verify_claims`: claims over the results of a trace that this server gave, held against its cells.
import { Type } from "typebox";
import { verdictsOn } from "../agent/trace-evidence.js";
import { closed, described } from "../contract/schemas.js";
import { Database } from "../database.js";
import { evidenceOfHeld, heldGrounds, keepClaims } from "./grounds.js";
import { jsonText } from "./json.js";
import { closedSchema, TEXT, TEXTS } from "./json-schema.js";
import { DATA_NOTE } from "./operator-tools.js";
import { argumentsReader, type Tool } from "./tool.js";

const MOST_CLAIMS = 64;

export const TraceDigest = described(
  Type.String({ minLength: 64, maxLength: 64 }),
  "the `trace_digest` of a run_plan or an ask of this server",
);

const { input, read } = argumentsReader(
  closed({
    trace_digest: TraceDigest,
    claims: described(
      Type.Array(Type.Unknown(), { minItems: 1, maxItems: MOST_CLAIMS }),
      'claims, each naming cells of the trace: {"id": "c1", "type": "count", "cell": "s1.rows_total", "value": 3}',
    ),
  }),
);

interface ClaimArguments {
  readonly trace_digest: string;
  readonly claims: readonly unknown[];
}

const TEXT_OF_TOOL = `Holds claims against the results of a trace: its plan is run again at its pin, and everything is compared. Types: count, value,
entity (cell, rank?), entity_set (cells with [*], complete), ordering (a, b, relation), interval (from, to), change (before, after, axis,
direction), absence (cell or list), temporal_pattern (pattern, step, row?, direction?, share?); each with \`id\` c1, c2, …, \`about\`, and a
\`value\` that is checked. Verdicts are supported, supported_partial, refuted and unverifiable, with reasons.`;

export const verifyClaimsTool: Tool = {
  name: "verify_claims",
  description: [TEXT_OF_TOOL, DATA_NOTE].join("\n\n"),
  input,
  output: closedSchema({
    trace_digest: TEXT,
    verdicts: {
      type: "array",
      description: "one for each claim, in their order",
      items: closedSchema({
        id: { type: ["string", "null"] },
        verdict: { enum: ["supported", "supported_partial", "refuted", "unverifiable"] },
        reasons: TEXTS,
      }),
    },
  }),
  async run(given, { db, held, signal, progress }) {
    const { trace_digest: digest, claims } = read(given) as unknown as ClaimArguments;
    const grounds = heldGrounds(held, digest);
    const verdicts = await Database.reading(db, async (state) => {
      const evidence = await evidenceOfHeld(state, grounds, signal);
      const onVerdict = (done: number): void => progress.at(done, claims.length, "claims");
      return verdictsOn(evidence, claims, { signal, onVerdict });
    });
    keepClaims(held, digest, claims);
    return jsonText({ trace_digest: digest, verdicts });
  },
};
