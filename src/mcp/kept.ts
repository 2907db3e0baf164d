// What this server has answered, by digest, for resources and for later pages. The oldest goes first.

const MOST_ENTRIES = 256;
const MOST_WEIGHT = 64 << 20;
/** What alone would push out a quarter of all is not kept. */
const HEAVIEST = MOST_WEIGHT / 4;

/** What a value takes beside its letters, about. */
const VALUE_BYTES = 32;
const MOST_WEIGHED = 1_000;

function weightOfValue(value: unknown): number {
  if (typeof value === "string") return VALUE_BYTES + value.length;
  if (typeof value !== "object" || value === null) return VALUE_BYTES;
  return Object.values(value).reduce((sum: number, member) => sum + weightOfValue(member), VALUE_BYTES);
}

/** About the bytes that rows hold: of many, a thousand from all over them stand for the rest. */
export function weightOfRows(rows: readonly unknown[]): number {
  const step = Math.ceil(rows.length / MOST_WEIGHED);
  let weight = 0;
  for (let row = 0; row < rows.length; row += step) weight += weightOfValue(rows[row]);
  return weight * step;
}

export class Kept<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  private weight = 0;

  /** `weight` is about the bytes that the value holds. */
  put(digest: string, value: Value, weight: number): void {
    this.drop(digest);
    if (weight > HEAVIEST) return;
    this.entries.set(digest, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST_ENTRIES && this.weight <= MOST_WEIGHT) break;
      this.drop(oldest);
    }
  }

  get(digest: string): Value | undefined {
    const entry = this.entries.get(digest);
    if (entry === undefined) return undefined;
    this.entries.delete(digest);
    this.entries.set(digest, entry);
    return entry.value;
  }

  digests(): readonly string[] {
    return [...this.entries.keys()];
  }

  private drop(digest: string): void {
    const entry = this.entries.get(digest);
    if (entry === undefined) return;
    this.entries.delete(digest);
    this.weight -= entry.weight;
  }
}
