// Texts of a dictionary in the form of DuckDB: 16 bytes each, short ones inside, long ones behind a pointer.
// A column of codes becomes a vector of texts by copying these, without one call per row.
import { Pace } from "../../event-loop/pace.js";
import { type Bindings, TYPE, type Vector } from "./bindings.js";

export const WORDS_PER_TEXT = 4;
const TEXTS_AT_ONCE = 256;

export interface DuckDictionary {
  /** Owns the bytes of long texts: as long as it is reachable, copies of the words may be read. */
  readonly owner: Vector;
  readonly words: Uint32Array;
}

const made = new WeakMap<readonly string[], DuckDictionary>();

/** The form is kept as long as the dictionary is. */
export async function duckDictionary(duck: Bindings, texts: readonly string[]): Promise<DuckDictionary> {
  const known = made.get(texts);
  if (known !== undefined) return known;
  const owner = duck.create_vector(duck.create_logical_type(TYPE.varchar), Math.max(1, texts.length));
  const pace = new Pace();
  for (let i = 0; i < texts.length; i += 1) {
    duck.vector_assign_string_element(owner, i, texts[i]!);
    if (i % TEXTS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  const bytes = duck.vector_get_data(owner, texts.length * WORDS_PER_TEXT * 4);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, texts.length * WORDS_PER_TEXT).slice();
  const dictionary = { owner, words };
  made.set(texts, dictionary);
  return dictionary;
}
