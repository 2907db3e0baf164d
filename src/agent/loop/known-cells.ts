// The cells of results that a loop has shown so far, by what stands in them: where a literal that a model copied came from.
// Of cells that hold the same, the one that was there first counts: it is the origin of the others.
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";
import { isInstant } from "../../operators/expressions/types.js";
import type { OutputType } from "../../plan/output-types.js";
import { LONGEST_REFERENCE } from "../../plan/references.js";
import type { StepAnswer } from "../../plan/run/step-answer.js";
import { meaning } from "../value-forms.js";

/** Cells of one step that are kept; later ones a model has hardly seen. */
const MOST_CELLS = 100_000;
const DEEPEST = 8;
/** Fields of every envelope that are no data. */
const NO_DATA: readonly string[] = ["complete", "erased", "pin"];
const HAS_BRACKET = /[[\]]/;

interface NumberCell {
  readonly step: string;
  readonly path: string;
  readonly isInRow: boolean;
}
/** More of one number are ambiguous whatever they are. */
const MOST_OF_ONE_NUMBER = 4;

const isOwnObject = (value: unknown): value is Readonly<Record<string, JsonValue>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Microseconds of a text that is an instant, as a key; null for every other. */
export const instantKey = (text: string): string | null => meaning(parseInstant, text);

export class KnownCells {
  private readonly texts = new Map<string, string>();
  private readonly instants = new Map<string, string>();
  private readonly numbers = new Map<string, NumberCell[]>();

  add(step: string, { envelope, rows, type }: StepAnswer): void {
    let left = MOST_CELLS;
    const visit = (value: unknown, of: OutputType | undefined, path: string, depth: number): void => {
      if (value === null || value === undefined || left <= 0 || depth > DEEPEST) return;
      if (of?.kind === "scalar" && of.echoes !== null) return;
      if (Array.isArray(value)) {
        const item = of?.kind === "list" ? of.item : undefined;
        for (const [i, member] of value.entries()) visit(member, item, `${path}[${i}]`, depth + 1);
        return;
      }
      if (isOwnObject(value)) {
        const fields = of?.kind === "object" ? of.fields : {};
        // A list with pages of its own is named by its name alone.
        const isPage = of?.kind === "object" && of.isPage;
        if (isPage) visit(value.rows, fields.rows, path, depth);
        for (const [name, member] of isPage ? [] : Object.entries(value)) {
          if (!HAS_BRACKET.test(name)) visit(member, fields[name], `${path}.${name}`, depth + 1);
        }
        return;
      }
      left -= 1;
      if (path.length <= LONGEST_REFERENCE) this.keep(step, path, value as string | number | bigint | boolean, of);
    };
    for (const [name, of] of Object.entries(type.fields)) {
      if (NO_DATA.includes(name)) continue;
      visit(name === "rows" ? rows : (envelope as unknown as Record<string, unknown>)[name], of, `${step}.${name}`, 0);
    }
  }

  private keep(
    step: string,
    path: string,
    value: string | number | bigint | boolean,
    of: OutputType | undefined,
  ): void {
    if (typeof value === "string") {
      if (of?.kind === "scalar" && isInstant(of.type)) {
        const key = instantKey(value);
        if (key !== null && !this.instants.has(key)) this.instants.set(key, path);
      }
      if (!this.texts.has(value)) this.texts.set(value, path);
    } else if (typeof value !== "boolean") {
      const cells = this.numbers.get(String(value)) ?? [];
      if (cells.length < MOST_OF_ONE_NUMBER) cells.push({ step, path, isInRow: path.includes("[") });
      this.numbers.set(String(value), cells);
    }
  }

  /** The cell that holds a text. */
  text(value: string): string | undefined {
    return this.texts.get(value);
  }

  /** The cell that holds an instant, however either is written. */
  instant(value: string): string | undefined {
    const key = instantKey(value);
    return key === null ? undefined : this.instants.get(key);
  }

  /** The cell that holds a number, if it is beyond doubt which one was meant: equal numbers are often chance. */
  number(value: number | bigint): string | undefined {
    const cells = this.numbers.get(String(value)) ?? [];
    const inRows = cells.filter(({ isInRow }) => isInRow);
    const isOfOneStep = cells.every(({ step }) => step === cells[0]!.step);
    if (!isOfOneStep || inRows.length > 1 || cells.length === MOST_OF_ONE_NUMBER) return undefined;
    return (inRows[0] ?? cells[0])?.path;
  }
}
