// O12: from a name to uids; the operator that may bring in a uid nobody named.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { instant, instantOpen, int, LABELS, oneOf, orNull, text } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  Instant,
  nullable,
  setOf,
  withDefault,
} from "../contract/schemas.js";
import { type JsonObject, utf8Bytes } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { declareOperator } from "./declaration.js";
import { at, echo, S2, whole } from "./example-stores.js";

const TIER_MEANINGS = {
  exact: "a text is the query",
  prefix: "a text begins with it",
  substring: "a text holds it",
  fuzzy: "a text is a few edits away",
  alias: "a name of another version, in any of these ways",
};
const TIERS = Object.keys(TIER_MEANINGS);
const MOST_QUERY_BYTES = 1024;
/** A search of the folded texts passes over so many for a step. */
const TEXTS_PER_STEP = 8;

const { where: _, ...COMMON } = echo(0, {});
const DEFAULTS = { name_props: ["name"], labels: null, at: null, min_tier: "alias", max_distance: null };
const NO_TIERS = { exact: 0, prefix: 0, substring: 0, fuzzy: 0, alias: 0 };

function answered(tx: number, args: JsonObject, rows: JsonObject[], tiers: JsonObject): JsonObject {
  const fields = { tiers: { ...NO_TIERS, ...tiers } };
  return {
    ...whole("resolve_entities", tx, {}, rows, fields),
    args: { ...COMMON, ...DEFAULTS, ...args, as_of_tt: `tx:${tx}` },
  };
}

const VALID_PAIR = ["valid_from", "valid_to"] as const;

export const resolveEntities = declareOperator({
  name: "resolve_entities",
  aliases: [],
  version: 1,
  summary: "Names to uids: exact, by prefix, by substring, by a few edits, or by a name that was borne before.",
  doc: `Texts are compared after normalization form C and full case folding. An entity's texts are its uid and, from the
state that is shown, the strings under \`name_props\`; it stands once, in the best tier that it attains. The last tier
holds names that it has in another version (\`former\`) or had in one that is believed no more (\`corrected\`). The state
is the version valid at \`at\`, else the one that begins last. \`max_distance\` null allows no edit below 4 code points of
the query, one below 8, else two.`,
  args: closed({
    query: described(Type.String({ minLength: 1 }), "the name, or a part of it; at most 1024 bytes"),
    name_props: described(
      withDefault(Type.Array(Type.String(), { minItems: 1, maxItems: 8 }), ["name"]),
      "properties that hold names, the best first",
    ),
    labels: described(
      withDefault(nullable(setOf(Type.String(), { maxItems: 256 })), null),
      "the entity has all of these; null: any",
    ),
    at: described(
      withDefault(nullable(Instant), null),
      "the instant of the state that is shown; null: the version that begins last",
    ),
    min_tier: described(withDefault(choice(TIER_MEANINGS), "alias"), "the last tier that is listed"),
    max_distance: described(
      withDefault(nullable(Type.Integer({ minimum: 0, maximum: 3 })), null),
      "most edits of a fuzzy match; null: by the length of the query",
    ),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        uid: text("the entity"),
        labels: LABELS,
        name: orNull(text("its name in the state that is shown, by the first of name_props that has one")),
        tier: oneOf(TIERS, "how well it matches"),
        on: text("uid, or the property that holds the matched text"),
        matched: text("the text that matches, as it is stored"),
        distance: int("edits between the query and the text", "edits"),
        alias: orNull(
          closed(
            {
              kind: oneOf(["former", "corrected"], "whether the name is still believed of another time"),
              how: oneOf(["exact", "prefix", "substring", "fuzzy"], "how that name matches"),
              valid_from: instant("when the version with that name began to hold", { pair: VALID_PAIR }),
              valid_to: instantOpen("when it stopped", { pair: VALID_PAIR }),
            },
            { description: "of that tier: the name that matches" },
          ),
        ),
      }),
    ),
    tiers: closed({
      exact: int("entities with an equal text", "entities"),
      prefix: int("with a text that begins so", "entities"),
      substring: int("with a text that holds the query", "entities"),
      fuzzy: int("with a text a few edits away", "entities"),
      alias: int("with such a name in another version", "entities"),
    }),
  }),
  lists: [
    {
      key: ["uid"],
      field: "rows",
      order:
        "tier, former before corrected, how, distance, without folding first, uid before properties, fewer code points, uid",
    },
  ],
  subjects: { paths: [], introduces: true },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism:
    "An entity stands once and uids differ; of its equal matches the first property, then the version that begins last is shown.",
  errors: [
    { code: "E_SCHEMA", when: "the query is empty", args: { query: "" } },
    { code: "E_INVALID_ARG", when: "the query has more than 1024 bytes", args: { query: "a".repeat(1025) } },
  ],
  judge({ query }, report) {
    const bytes = utf8Bytes(query);
    if (bytes > MOST_QUERY_BYTES) {
      report(invalid(`${bytes} bytes are more than ${MOST_QUERY_BYTES}`, "/query", "ask for a part of the name"));
    }
  },
  cost(args, statistics) {
    const texts = statistics.knownUids() + statistics.nodeVersions() * args.name_props.length;
    const isFuzzy = args.max_distance !== 0 && (args.min_tier === "fuzzy" || args.min_tier === "alias");
    return { rows: texts, steps: isFuzzy ? texts : Math.ceil(texts / TEXTS_PER_STEP) };
  },
  suggest: () => [{ args_patch: { min_tier: "substring" }, why: "leave out names that are a few edits away" }],
  examples: [
    {
      title: "a name in other letters",
      store: S2,
      args: { query: "ada" },
      envelope: answered(
        5,
        { query: "ada" },
        [{ uid: "a", labels: ["P"], name: "Ada", tier: "exact", on: "name", matched: "Ada", distance: 0, alias: null }],
        { exact: 1 },
      ),
    },
    {
      title: "a name that is borne at another time",
      store: S2,
      args: { query: "Ada L" },
      envelope: answered(
        5,
        { query: "Ada L" },
        [
          {
            uid: "a",
            labels: ["P"],
            name: "Ada",
            tier: "alias",
            on: "name",
            matched: "Ada L",
            distance: 0,
            alias: { kind: "former", how: "exact", valid_from: at(80), valid_to: at(120) },
          },
        ],
        { alias: 1 },
      ),
    },
    {
      title: "at a pin before it was written nobody bears it",
      store: S2,
      args: { query: "Ada L", as_of_tt: "tx:4" },
      envelope: answered(4, { query: "Ada L" }, [], {}),
    },
    {
      title: "entities of a label at an instant, by uid before name",
      store: S2,
      args: { query: "B", labels: ["P"], at: at(10) },
      envelope: answered(
        5,
        { query: "B", labels: ["P"], at: at(10) },
        [{ uid: "b", labels: ["P"], name: "Bob", tier: "exact", on: "uid", matched: "b", distance: 0, alias: null }],
        { exact: 1 },
      ),
    },
  ],
});
