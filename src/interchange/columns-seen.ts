// Which slot of a record a wanted column is: by header name, by number from 1, or by key.
// A name that is not there is refused with the list of those that are.
import { PalimpsestError } from "../contract/errors.js";
import { JsonLinesTokenizer } from "./json-lines.js";
import type { Tokenizer } from "./tokenizer.js";

/** One column of a file that somebody asked for. */
export interface Column {
  readonly slot: number;
  /** As messages name it. */
  readonly name: string;
  /** From 1; undefined where columns have no order (JSON). */
  readonly number?: number;
}

const MOST_SHOWN = 40;
const NONE: readonly Column[] = [];

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SHOWN).map((name) => JSON.stringify(name));
  return `${shown.join(", ")}${names.length > MOST_SHOWN ? `, and ${names.length - MOST_SHOWN} more` : ""}`;
}

export class ColumnsSeen {
  /**
   * @param header names in order, or null where the file has none
   * @param count columns of the first record; null where records may differ (snap)
   */
  constructor(
    private readonly file: string,
    private readonly tokenizer: Tokenizer,
    readonly header: readonly string[] | null,
    private readonly count: number | null,
  ) {}

  private readonly found = new Set<number>();
  private places: ReadonlyMap<string, readonly number[]> | undefined;

  /** Where each name of the header stands: all columns may be asked for one by one. */
  private get byName(): ReadonlyMap<string, readonly number[]> {
    if (this.places !== undefined) return this.places;
    const places = new Map<string, number[]>();
    for (const [slot, name] of (this.header ?? []).entries()) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [slot]);
      else known.push(slot);
    }
    this.places = places;
    return places;
  }

  find(wanted: string): Column {
    const column = this.look(wanted);
    this.found.add(column.slot);
    return column;
  }

  /** The columns that nobody has asked for. Those of JSON come to light line by line: see `discovered`. */
  others(): Column[] {
    if (this.tokenizer instanceof JsonLinesTokenizer) {
      this.tokenizer.takeAllKeys();
      return [];
    }
    if (this.count === null) this.refuse("*", "records of this format may have any number of columns", "name them");
    const slots = Array.from({ length: this.count }, (_, slot) => slot).filter((slot) => !this.found.has(slot));
    return slots.map((slot) => {
      const name = this.header?.[slot] ?? String(slot + 1);
      if (name === "") this.refuse(String(slot + 1), "it has no name in the header", "leave it out with --props");
      return this.find(name);
    });
  }

  /** Keys of JSON that were met for the first time since the last call. */
  discovered(): readonly Column[] {
    if (!(this.tokenizer instanceof JsonLinesTokenizer)) return NONE;
    return this.tokenizer.newKeys().map((name) => this.find(name));
  }

  private look(wanted: string): Column {
    if (this.tokenizer instanceof JsonLinesTokenizer) return { slot: this.tokenizer.slotOf(wanted), name: wanted };
    const [slot, second] = this.byName.get(wanted) ?? [];
    if (second !== undefined) this.refuse(wanted, "the header has this name twice", "name the column by its number");
    if (slot !== undefined) return { slot, name: wanted, number: slot + 1 };
    const number = /^[1-9]\d{0,5}$/.test(wanted) ? Number(wanted) : 0;
    if (number > 0 && (this.count === null || number <= this.count)) {
      return { slot: number - 1, name: this.header?.[number - 1] ?? wanted, number };
    }
    return this.refuse(wanted, "there is no such column", this.seen());
  }

  private seen(): string {
    if (this.header !== null) return `the columns are ${listed(this.header)}`;
    return `the file has no header: name columns by number, 1 to ${this.count ?? "n"}`;
  }

  private refuse(wanted: string, reason: string, hint: string): never {
    throw new PalimpsestError("E_SCHEMA", `${this.file}: column ${JSON.stringify(wanted)}: ${reason}; ${hint}`, {
      details: { file: this.file, column: wanted, columns: this.header ?? this.count, reason },
      hint:
        this.header?.length === 1
          ? "all of a line is one column: say what stands between columns with --delimiter, such as ';'"
          : "name it with --src, --dst, --time, --key, --props or --valid-to",
    });
  }
}
