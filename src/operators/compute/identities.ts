// Numbers for texts in the order in which they come: 0, 1, 2, … without gaps.
// Kept in many small maps: one large map would hold the event loop whenever it grows.

const FIRST = 2048;
const SHARDS = 1024;
const LOOKED_AT = 8;

function shardOf(text: string): number {
  let hash = text.length;
  for (let i = Math.max(0, text.length - LOOKED_AT); i < text.length; i += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  }
  return (hash ^ (hash >>> 15)) & (SHARDS - 1);
}

export class Identities {
  private readonly first = new Map<string, number>();
  private shards: (Map<string, number> | undefined)[] | undefined;
  count = 0;

  /** The number of a text that was given one. */
  find(text: string): number | undefined {
    return this.first.get(text) ?? this.shards?.[shardOf(text)]?.get(text);
  }

  /** The number of a text, which is the old `count` when it is new. */
  numberOf(text: string): number {
    const known = this.find(text);
    if (known !== undefined) return known;
    if (this.count < FIRST) this.first.set(text, this.count);
    else {
      this.shards ??= new Array<Map<string, number> | undefined>(SHARDS).fill(undefined);
      const shard = shardOf(text);
      let map = this.shards[shard];
      if (map === undefined) {
        map = new Map();
        this.shards[shard] = map;
      }
      map.set(text, this.count);
    }
    this.count += 1;
    return this.count - 1;
  }
}
