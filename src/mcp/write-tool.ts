// `propose_write`: what a model proposes because of an answer, under the policy that the server was started with.
// The store is opened for writing for each proposal alone, so that other processes may write between.
import { Type } from "typebox";
import type { ReadPolicy } from "../agent/writes/policy.js";
import { readProposal } from "../agent/writes/proposal.js";
import type { DryRun, WriteReceipt } from "../agent/writes/types.js";
import { writableStore } from "../agent/writes/writable-store.js";
import { write } from "../agent/writes/write.js";
import { PalimpsestError } from "../contract/errors.js";
import { closed, described, withDefault } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { Database } from "../database.js";
import { TraceDigest } from "./claim-tools.js";
import { jsonText } from "./json.js";
import { COUNT, closedSchema, orNull, TEXT } from "./json-schema.js";
import { DATA_NOTE } from "./operator-tools.js";
import { argumentsReader, type Tool, type ToolCall } from "./tool.js";

export interface Writing {
  readonly policy: ReadPolicy;
  /** A handle of its own, which the caller closes. */
  readonly open: () => Promise<Database>;
}

const { input, read } = argumentsReader(
  closed({
    ops: described(
      Type.Array(Type.Unknown(), { minItems: 1, maxItems: 1_000 }),
      "assert_node, assert_edge, retract, correct, as a batch has them, without source, provenance_ref and reason",
    ),
    reason: described(Type.String({ minLength: 1, maxLength: 4_000 }), "why; stored with what is written"),
    because: described(
      Type.Array(Type.String(), { minItems: 1, maxItems: 64 }),
      "ids of claims of the ask, or of verify_claims, over that trace",
    ),
    trace_digest: TraceDigest,
    dry_run: described(withDefault(Type.Boolean(), false), "true: tell what would be written, and write nothing"),
  }),
);

const TEXT_OF_TOOL = `Writes one batch because of claims that are supported, if the policy of this server lets it. \`dry_run\` tells for each operation which versions
close and appear; \`receipt\` is what was written. The same proposal again gives the first receipt. A refusal is E_STATE or E_INVALID_ARG with
\`details.rule\`, and nothing is written.`;

const VERSIONS = { type: "array", items: { type: "object" } } as const;
const DRY_RUN = closedSchema({
  tx: COUNT,
  ops: {
    type: "array",
    items: closedSchema({
      op: TEXT,
      ref: { type: "object" },
      valid_from: TEXT,
      valid_to: { type: ["string", "null"] },
      closes: VERSIONS,
      creates: VERSIONS,
    }),
  },
  closed: COUNT,
  created: COUNT,
  text: TEXT,
  digest: TEXT,
});
const RECEIPT = closedSchema({
  tx: COUNT,
  tx_time: TEXT,
  ops: COUNT,
  closed: COUNT,
  created: COUNT,
  dry_run_digest: TEXT,
  trace_digest: TEXT,
});

interface Outcome {
  readonly dry_run: DryRun | null;
  readonly receipt: WriteReceipt | null;
}

const isUnconfirmed = (error: unknown): boolean => error instanceof PalimpsestError && error.details.rule === "confirm";

class Proposals {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly writing: Writing) {}

  /** One after the other: the store has one writer. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  async write(proposal: JsonObject, isDry: boolean, { held, signal }: ToolCall): Promise<Outcome> {
    let dry_run: DryRun | null = null;
    const confirm = (dry: DryRun): boolean => {
      dry_run = dry;
      return !isDry;
    };
    const policy = { ...this.writing.policy, confirm };
    const asked = readProposal(proposal, policy);
    const db = await this.writing.open();
    try {
      const receipt = await Database.reading(db, (state) =>
        write({
          store: writableStore(db, state),
          proposal: asked,
          policy,
          grounds: held.grounds.get(asked.traceDigest),
          medium: "plain",
          signal,
        }),
      );
      return { dry_run, receipt };
    } catch (error) {
      if (!isDry || dry_run === null || !isUnconfirmed(error)) throw error;
      return { dry_run, receipt: null };
    } finally {
      await db.close();
    }
  }
}

export function writeTool(writing: Writing): Tool {
  const proposals = new Proposals(writing);
  return {
    name: "propose_write",
    description: [TEXT_OF_TOOL, DATA_NOTE].join("\n\n"),
    input,
    output: closedSchema({ dry_run: orNull(DRY_RUN), receipt: orNull(RECEIPT) }),
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true, openWorldHint: false },
    async run(given, call) {
      const { dry_run: isDry, ...proposal } = read(given);
      return jsonText(await proposals.inTurn(() => proposals.write(proposal, isDry as boolean, call)));
    },
  };
}
