// Which notes a question may see: those of windows that it names itself, the best overlap first. Pure.
import { parseInstant } from "../../contract/parse-instant.js";
import type { Mention } from "../types.js";
import type { Note } from "./note.js";

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

interface Candidate {
  readonly note: Note;
  readonly overlapUs: bigint;
  readonly window: StretchUs;
}

const widthOf = ({ window }: Candidate): bigint => window.to - window.from;

/**
 * Notes that overlap what is asked, in the order in which they are tried: the longest overlap, then the narrower window, the
 * earlier one, words of a model, the newer note.
 */
export function candidates(notes: readonly Note[], asked: readonly StretchUs[]): readonly Note[] {
  return notes
    .map((note): Candidate => {
      const window = stretch(note.window.from, note.window.to);
      const overlaps = asked.map(({ from, to }) => least(to, window.to) - greatest(from, window.from));
      return { note, window, overlapUs: overlaps.reduce(greatest, 0n) };
    })
    .filter(({ overlapUs }) => overlapUs > 0n)
    .sort(
      (a, b) =>
        compare(b.overlapUs, a.overlapUs) ||
        compare(widthOf(a), widthOf(b)) ||
        compare(a.window.from, b.window.from) ||
        Number(b.note.by === "model") - Number(a.note.by === "model") ||
        b.note.built_tx - a.note.built_tx,
    )
    .map(({ note }) => note);
}
