// Which notes a question may see: those of windows that it names itself, the best overlap first. Pure.
import { parseInstant } from "../../contract/parse-instant.js";
import type { Mention } from "../types.js";
import type { NoteHead } from "./note-head.js";

interface StretchUs {
  readonly from: bigint;
  readonly to: bigint;
}

const stretch = (from: string, to: string): StretchUs => ({
  from: parseInstant(from, "window"),
  to: parseInstant(to, "window"),
});

/** The windows and instants of a question. */
export function askedWindows(mentions: readonly Mention[]): readonly StretchUs[] {
  return mentions.flatMap(({ kind, value }) => {
    if (kind === "window") {
      const { from, to } = value as { from: string; to: string };
      return [stretch(from, to)];
    }
    if (kind !== "instant") return [];
    const from = parseInstant(value as string, "instant");
    return [{ from, to: from + 1n }];
  });
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Notes that overlap what is asked, in the order in which they are tried: the longest overlap, then the narrower window, the
 * earlier one, words of a model, the newer note.
 */
export function candidates<T extends { readonly head: NoteHead }>(
  notes: readonly T[],
  asked: readonly StretchUs[],
): readonly T[] {
  const overlapUs = ({ fromUs, toUs }: NoteHead): bigint =>
    asked.map(({ from, to }) => least(to, toUs) - greatest(from, fromUs)).reduce(greatest, 0n);
  return notes
    .map((note) => ({ note, head: note.head, overlapUs: overlapUs(note.head) }))
    .filter(({ overlapUs }) => overlapUs > 0n)
    .sort(
      (a, b) =>
        compare(b.overlapUs, a.overlapUs) ||
        compare(a.head.toUs - a.head.fromUs, b.head.toUs - b.head.fromUs) ||
        compare(a.head.fromUs, b.head.fromUs) ||
        Number(b.head.by === "model") - Number(a.head.by === "model") ||
        b.head.built_tx - a.head.built_tx,
    )
    .map(({ note }) => note);
}
