// join: rows of two tables whose keys are equal, many to many. Pairs are counted, and made for the page alone.
import { PalimpsestError } from "../../contract/errors.js";
import { type JsonObject, setOwn } from "../../contract/values.js";
import type { ValueType } from "../expressions/types.js";
import type { Turns } from "../turns.js";
import { Identities } from "./identities.js";
import { identityOfKey, keyReader } from "./keys.js";
import { type Table, typesTogether } from "./table.js";
import { type Page, pageOf, type TableWork } from "./work.js";

const ROWS_AT_ONCE = 64;

export interface JoinArguments {
  readonly on: readonly (readonly [string, string])[];
  readonly how: "inner" | "left" | "semi" | "anti";
  readonly prefix: string;
}

interface AddedColumn {
  readonly from: string;
  readonly as: string;
  readonly type: ValueType;
}

/** The columns of the right table without its keys, prefixed where the left one has the name. */
function addedColumns(left: Table, right: Table, { on, prefix }: JoinArguments): AddedColumn[] {
  const keys = new Set(on.map(([, key]) => key));
  const names = new Set(left.columns.keys());
  return Array.from(right.columns).flatMap(([from, type]) => {
    if (keys.has(from)) return [];
    const as = names.has(from) ? `${prefix}${from}` : from;
    if (names.has(as)) {
      throw new PalimpsestError("E_INVALID_ARG", `/prefix: there would be two columns ${JSON.stringify(as)}`, {
        details: { path: "/prefix" },
        hint: "give another prefix, or project the columns that are needed",
      });
    }
    names.add(as);
    return [{ from, as, type }];
  });
}

/** For each left row the right rows that it joins, in their order; undefined where there are none. */
async function matches(left: Table, right: Table, on: JoinArguments["on"], turns: Turns) {
  const readRight = keyReader(
    right,
    on.map(([, key]) => key),
  );
  const keys = new Identities();
  const byKey: number[][] = [];
  for (let i = 0; i < right.count; i += 1) {
    const key = readRight(right.rows[i]!);
    if (!key.includes(null)) {
      const number = keys.numberOf(identityOfKey(key));
      if (number === byKey.length) byKey.push([i]);
      else byKey[number]!.push(i);
    }
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  const readLeft = keyReader(
    left,
    on.map(([key]) => key),
  );
  const found: (readonly number[] | undefined)[] = [];
  for (let i = 0; i < left.count; i += 1) {
    const key = readLeft(left.rows[i]!);
    found.push(key.includes(null) ? undefined : byKey[keys.find(identityOfKey(key)) ?? -1]);
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return found;
}

/** Rows `from` to `to` of the pairs of left rows with their matches. */
async function pairPage(
  left: Table,
  found: readonly (readonly number[] | undefined)[],
  isOuter: boolean,
  from: number,
  to: number,
  pairOf: (left: number, right: number | null) => JsonObject,
  turns: Turns,
): Promise<Page> {
  const rows: JsonObject[] = [];
  let total = 0;
  for (let i = 0; i < left.count; i += 1) {
    const matched = found[i] ?? [];
    const count = matched.length === 0 && isOuter ? 1 : matched.length;
    for (let n = Math.max(0, from - total); n < Math.min(count, to - total); n += 1) {
      rows.push(pairOf(i, matched[n] ?? null));
      if (n % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
    }
    total += count;
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return { rows, total };
}

export function joinWork(left: Table, right: Table, args: JoinArguments): TableWork {
  const { on, how } = args;
  typesTogether(left, right, on, "/on");
  if (how === "semi" || how === "anti") {
    return {
      kind: "table",
      columns: left.columns,
      async run(from, to, turns) {
        const found = await matches(left, right, on, turns);
        const kept: number[] = [];
        for (let i = 0; i < found.length; i += 1) {
          if ((found[i] === undefined) === (how === "anti")) kept.push(i);
          if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
        }
        return pageOf(kept.length, from, to, (i) => left.shown(left.rows[kept[i]!]!), turns);
      },
    };
  }
  const added = addedColumns(left, right, args);
  const readers = added.map(({ from }) => right.cell(from));
  const pairOf = (i: number, match: number | null): JsonObject => {
    const row = left.shown(left.rows[i]!);
    for (const [n, { as }] of added.entries()) setOwn(row, as, match === null ? null : readers[n]!(right.rows[match]!));
    return row;
  };
  return {
    kind: "table",
    columns: new Map([...left.columns, ...added.map(({ as, type }) => [as, type] as const)]),
    async run(from, to, turns) {
      const found = await matches(left, right, on, turns);
      return pairPage(left, found, how === "left", from, to, pairOf, turns);
    },
  };
}
