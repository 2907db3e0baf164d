// Sorting in slices: a stable merge sort over positions, whose runs are short enough to be sorted at once.
import { compareCodePoints } from "../../contract/code-points.js";
import type { Turns } from "../turns.js";

const RUN = 512;
const SURROGATE = /[\ud800-\udfff]/;

/** Whether the order of a text by code point may be another than by UTF-16 unit. */
export const hasSurrogate = (text: string): boolean => SURROGATE.test(text);

/** The order by code point of texts without surrogates; the engine compares units much faster than a loop does. */
const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The positions 0 to `count`, stably ordered by `compare`. */
export async function sortedPositions(
  count: number,
  compare: (a: number, b: number) => number,
  turns: Turns,
): Promise<Uint32Array> {
  let sorted = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) sorted[i] = i;
  for (let from = 0; from < count; from += RUN) {
    sorted.subarray(from, from + RUN).sort(compare);
    if (turns.isDue) await turns.rest();
  }
  let merged = new Uint32Array(count > RUN ? count : 0);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      await merge(
        sorted,
        merged,
        from,
        Math.min(from + width, count),
        Math.min(from + 2 * width, count),
        compare,
        turns,
      );
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

async function merge(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  to: number,
  compare: (a: number, b: number) => number,
  turns: Turns,
): Promise<void> {
  let [left, right] = [from, middle];
  for (let i = from; i < to; i += 1) {
    const takesLeft = left < middle && (right >= to || compare(source[left]!, source[right]!) <= 0);
    target[i] = takesLeft ? source[left++]! : source[right++]!;
    if (i % RUN === 0 && turns.isDue) await turns.rest();
  }
}

/** Orders each stretch of positions that `compare` finds equal by the text of its members. */
export async function sortTies(
  sorted: Uint32Array,
  compare: (a: number, b: number) => number,
  textOf: (position: number) => string,
  turns: Turns,
): Promise<void> {
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    to = from + 1;
    while (to < sorted.length && compare(sorted[from]!, sorted[to]!) === 0) {
      to += 1;
      if (to % RUN === 0 && turns.isDue) await turns.rest();
    }
    if (to - from > 1) await sortByText(sorted.subarray(from, to), textOf, turns);
  }
}

async function sortByText(tied: Uint32Array, textOf: (position: number) => string, turns: Turns): Promise<void> {
  const members = tied.slice();
  const texts: string[] = [];
  let isPlain = true;
  for (const position of members) {
    const text = textOf(position);
    isPlain &&= !hasSurrogate(text);
    texts.push(text);
    if (texts.length % RUN === 0 && turns.isDue) await turns.rest();
  }
  const compare = isPlain ? compareUnits : compareCodePoints;
  const order = await sortedPositions(texts.length, (a, b) => compare(texts[a]!, texts[b]!), turns);
  for (let i = 0; i < tied.length; i += 1) tied[i] = members[order[i]!]!;
}
