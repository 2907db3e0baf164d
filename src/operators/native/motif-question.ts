// Motif arguments as the kernel's question, and its counts as numbers of the contract.
// Takes resolved arguments only; judges nothing.
import { parseDuration } from "../../contract/duration.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { type MotifQuestion, TIES } from "../../native/motifs.js";
import type { MotifArgument, PatternArgument } from "../motif-argument.js";
import { type CodeEdge, edgesOf } from "../motif-codes.js";
import { encodeWhere } from "./filter-buffer.js";
import { windowEnds } from "./question.js";

const FIRST_LETTER = "a".charCodeAt(0);

function letters(edges: readonly CodeEdge[]): Uint8Array {
  return Uint8Array.from(
    edges.flatMap(({ src, dst }) => [src.charCodeAt(0) - FIRST_LETTER, dst.charCodeAt(0) - FIRST_LETTER]),
  );
}

/** What each edge asks: its types and predicates, and the filters of the letters at its ends. Null when nothing is asked. */
function filtersOf({ edges, nodes }: PatternArgument): readonly Uint8Array[] | null {
  const ofLetter = nodes as Readonly<Record<string, WhereArgument["node"]>>;
  const filters = edges.map(({ src, dst, types, edge }) =>
    encodeWhere({ types, edge, src: ofLetter[src] ?? null, dst: ofLetter[dst] ?? null }),
  );
  return filters.every((filter) => filter.length === 0) ? null : filters;
}

export function motifQuestion(args: JsonObject): MotifQuestion {
  const motif = args.motif as unknown as MotifArgument;
  const isCode = typeof motif === "string";
  return {
    letters: letters(isCode ? (motif === "all" ? [] : edgesOf(motif)) : motif.edges),
    filters: isCode ? null : filtersOf(motif),
    delta: parseDuration(args.delta, "/delta"),
    ...windowEnds(args.window as unknown as WindowArgument | null),
    ties: TIES[args.ties as string]!,
  };
}

export function countNumber(count: bigint): number | bigint {
  const number = Number(count);
  return Number.isSafeInteger(number) ? number : count;
}
