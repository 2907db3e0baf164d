// The codes of texts as they come: each text once. Kept in many small maps, since one map of a million texts holds the
// event loop while it grows.

const SHARDS = 256;

/** Told by its length and its last characters, which differ most where texts are numbered. */
function shardOf(text: string): number {
  const { length } = text;
  let hash = length;
  for (let i = Math.max(0, length - 4); i < length; i += 1) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return (hash ^ (hash >> 8)) & (SHARDS - 1);
}

export class TextCodes {
  private readonly shards: (Map<string, number> | undefined)[] = new Array(SHARDS).fill(undefined);
  private count = 0;

  /** The code of a text; one that was never told has the next, with which `add` is called. */
  codeOf(text: string, add: (text: string) => void): number {
    const shard = shardOf(text);
    let codes = this.shards[shard];
    if (codes === undefined) {
      codes = new Map();
      this.shards[shard] = codes;
    }
    let code = codes.get(text);
    if (code === undefined) {
      code = this.count;
      this.count += 1;
      codes.set(text, code);
      add(text);
    }
    return code;
  }
}
