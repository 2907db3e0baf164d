// Functions of lists: LIST_SORT LIST_DISTINCT LIST_CONTAINS LIST_SLICE. Members are counted from 0.
import type { Bound } from "../bound.js";
import { asType, call } from "../nodes.js";
import { wrongType } from "../problems.js";
import { BOOL, listOf, mixedType, type TqlType } from "../types.js";
import { fromJson } from "./casts.js";
import { anInt, type ScalarRule, type Site, scalar, written, wrongArgument } from "./rule.js";

function aList(site: Site): { readonly list: Bound; readonly of: TqlType } {
  const [list] = site.args as [Bound];
  if (list.type.kind === "list") return { list, of: list.type.of };
  throw wrongArgument(site, 0, "a list");
}

const same =
  (name: string, sql: (list: string) => string) =>
  (site: Site): Bound => {
    const { list, of } = aList(site);
    return call(name, listOf(of), [list], ([x]) => sql(x!));
  };

const sorted = (list: string): string => `list_sort(${list}, 'ASC', 'NULLS FIRST')`;

/** Members of a JSON array are compared as what is looked for. */
function asList(site: Site): { readonly list: Bound; readonly of: TqlType } {
  const [json, member] = site.args as [Bound, Bound];
  if (json.type.kind !== "json") return aList(site);
  const type = { kind: "list", of: member.type } as const;
  return { list: call("json_list", type, [json], ([x]) => fromJson(type)(x!)), of: member.type };
}

function contains(site: Site): Bound {
  const { list, of } = asList(site);
  const member = site.args[1]!;
  const mixed = mixedType(of, member.type);
  if (mixed === undefined) throw wrongType("the list has members of another type", written(site, 1));
  const args = [asType(list, listOf(mixed)), asType(member, mixed)];
  return call("list_contains", BOOL, args, ([x, y]) => `list_contains(${x}, ${y})`);
}

/** [from, to), counted from 0. */
function slice(site: Site): Bound {
  const { list, of } = aList(site);
  const args = [list, anInt(site, 1), anInt(site, 2)];
  return call(
    "list_slice",
    listOf(of),
    args,
    ([x, from, to]) => `list_slice(${x}, greatest(${from}, 0) + 1, greatest(${to}, 0))`,
  );
}

export const LIST_RULES: readonly ScalarRule[] = [
  scalar("LIST_SORT", "LIST_SORT(list) → the same, ascending, NULL first", 1, 1, same("list_sort", sorted)),
  scalar(
    "LIST_DISTINCT",
    "LIST_DISTINCT(list) → its different members, sorted",
    1,
    1,
    same("list_distinct", (x) => sorted(`list_distinct(${x})`)),
  ),
  scalar("LIST_CONTAINS", "LIST_CONTAINS(list | JSON array, value) → BOOL", 2, 2, contains),
  scalar("LIST_SLICE", "LIST_SLICE(list, from, to) → members from to before to, counted from 0", 3, 3, slice),
];
