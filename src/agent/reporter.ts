// From the results of a plan to words around placeholders: asks the model, and gives what it wrote as a draft. Knows no store.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Evidence } from "./claims/evidence.js";
import { rowsOf } from "./claims/held-values.js";
import type { AskedPart } from "./claims/relevance.js";
import { toldArguments } from "./claims/told-arguments.js";
import { firstThatFits } from "./fitting.js";
import type { Fences } from "./prompt/fence.js";
import { REPORTER_SYSTEM } from "./prompt/reporter-system.js";
import type { NamedSchema } from "./provider/capability.js";
import type { ModelAnswer, Provider } from "./provider/provider.js";
import type { ChatMessage } from "./provider/wire.js";
import { dataLines, FIRST_ROWS } from "./shown-result.js";
import type { Mention } from "./types.js";
import type { Rejection } from "./words/prose.js";

/** Rows that are shown of each list of a step, and of one that is asked for; less of all where the context holds no more. */
interface ReportSize {
  readonly rows: number;
  readonly askedRows: number;
  /** Whether types and arguments are shown, too. */
  readonly isWhole: boolean;
}
const REPORT_SIZES: readonly ReportSize[] = [
  { rows: FIRST_ROWS, askedRows: 20, isWhole: true },
  { rows: FIRST_ROWS, askedRows: 5, isWhole: false },
  { rows: 1, askedRows: 3, isWhole: false },
  { rows: 0, askedRows: 1, isWhole: false },
];

export interface ReportDraft {
  readonly text: string;
  readonly claims: readonly JsonValue[];
}

/** What was wrong with a report: verdicts that fell, words that may not stand. */
export interface ReportSetback {
  readonly written: string;
  readonly rejections: readonly Rejection[];
  readonly fallen: readonly JsonObject[];
}

export interface ReporterInput {
  readonly provider: Provider;
  readonly fences: Fences;
  readonly question: string;
  readonly mentions: readonly Mention[];
  readonly evidence: Evidence;
  readonly parts: readonly AskedPart[];
  readonly mostClaims: number;
  readonly mostCharacters: number;
  readonly versions: JsonObject;
  readonly signal: AbortSignal;
  readonly onRetry?: (attempt: number, kind: string) => void;
}

function reportShape(mostClaims: number, mostCharacters: number): NamedSchema {
  const schema: JsonObject = {
    type: "object",
    properties: {
      text: { type: "string", maxLength: mostCharacters },
      claims: { type: "array", maxItems: mostClaims, items: { type: "object" } },
    },
    required: ["text", "claims"],
    additionalProperties: false,
  };
  return { name: "report", schema };
}

/** What a step was asked and gave, each cell and row under its path. */
function stepLines({ evidence, parts }: ReporterInput, id: string, size: ReportSize): readonly JsonValue[] {
  const step = evidence.step(id)!;
  const { record, result } = step;
  const { op, status, args, rows_total, complete } = record;
  const told = size.isWhole ? { args: toldArguments(op, args ?? {}) } : {};
  const head: JsonObject = { step: id, op, status, rows_total, complete, ...told };
  if (result === null) return [head];
  const { envelope, type } = result;
  const isAsked = parts.some(({ from }) => from === id || from.startsWith(`${id}.`));
  const rows = envelope.rows === null ? null : rowsOf(step, "rows");
  const shown = { rows: isAsked ? size.askedRows : size.rows, hasTypes: size.isWhole };
  return [head, ...dataLines({ id, record, envelope, rows, type }, shown)];
}

function userText(input: ReporterInput, size: ReportSize): string {
  const { fences, question, mentions, evidence, parts } = input;
  const { plan } = evidence.trace;
  const named = mentions.map(({ id, kind, text }): JsonValue => ({ id, kind, text }));
  return [
    fences.notice,
    fences.around("question", [question, ...named]),
    fences.around("plan", [
      ...plan.steps.map((step) => step as unknown as JsonValue),
      { answer: parts as unknown as JsonValue },
    ]),
    ...plan.steps.map(({ id }) => fences.around("rows", stepLines(input, id, size))),
    "Word the answer.",
  ].join("\n");
}

function setbackText({ fences }: ReporterInput, { rejections, fallen }: ReportSetback): string {
  const told: JsonValue[] = [...rejections.map(({ kind, text }): JsonValue => ({ rejected: kind, text })), ...fallen];
  return ["That may not be shown:", fences.around("errors", told), "Write the whole report again."].join("\n");
}

const NO_REPORT = { wrong: "no report" } as const;

const isReport = (value: JsonObject): boolean => typeof value.text === "string" && Array.isArray(value.claims);

export interface WrittenReport {
  /** Or why there is none. */
  readonly draft: ReportDraft | { readonly wrong: string };
  readonly answer: ModelAnswer;
  readonly written: string;
}

/** Asks for a report once. E_LIMIT where the context holds no prompt, or no answer. */
export async function askForReport(input: ReporterInput, last: ReportSetback | null): Promise<WrittenReport> {
  const { provider, fences, versions, signal, onRetry, mostClaims, mostCharacters } = input;
  const again: ChatMessage[] =
    last === null
      ? []
      : [
          { role: "assistant", content: fences.aroundAttempt(last.written) },
          { role: "user", content: setbackText(input, last) },
        ];
  const sizes = REPORT_SIZES.map((size): { messages: ChatMessage[] } => ({
    messages: [
      { role: "system", content: REPORTER_SYSTEM.text },
      { role: "user", content: userText(input, size) },
      ...again,
    ],
  }));
  const { messages } = firstThatFits(sizes, await provider.room(signal));
  const answer = await provider.ask({
    messages,
    schema: reportShape(mostClaims, mostCharacters),
    fits: isReport,
    keyed: (text) => fences.withoutTag(text),
    versions: { ...versions, prompt: REPORTER_SYSTEM.digest },
    signal,
    ...(onRetry === undefined ? {} : { onRetry }),
  });
  if (answer.kind === "wrong") return { draft: NO_REPORT, answer, written: answer.text };
  const written = canonicalJson(answer.value);
  if (!isReport(answer.value)) return { draft: NO_REPORT, answer, written };
  const { text, claims } = answer.value as { text: string; claims: JsonValue[] };
  // No server is trusted to keep to its schema.
  if (text.length > mostCharacters) {
    return { draft: { wrong: `a text of ${text.length} characters, and at most ${mostCharacters}` }, answer, written };
  }
  return { draft: { text, claims: claims.slice(0, mostClaims) }, answer, written };
}
