// Random calls of count_temporal_motifs and find_temporal_motifs: every form of a motif, every argument, and stores
// dense enough that instances of several edges exist, ties among them.
import { GRID_CODES } from "../../src/operators/motif-codes.js";
import type { Random } from "./random.js";
import { randomPred, randomProjection, randomWhere, randomWindow, TYPES, UIDS } from "./random-store.js";

type Fields = Record<string, unknown>;

const CODES = [
  ...["a>b", "a>a", "a>b,a>b", "a>b,b>a", "a>b,a>c", "a>b,b>c", "a>b,c>a", "a>b,c>b", "a>b,b>b", "a>a,a>b", "a>a,a>a"],
  ...["b>a,a>b", "x>y,Z>x,y>Z", "a>b,b>c,c>d", "a>b,a>c,a>d", "a>b,c>b,d>b", "a>b,b>b,b>c", "a>b,c>d,b>c"],
  ...["a>b,c>d,d>a", "a>b,b>a,a>b,b>a", "a>b,b>c,c>a,a>d", "a>b,b>c,c>d,d>a,a>c", "a>b,b>c,c>d,d>e,e>f,f>a"],
];
const NAMES = ["M11", "M24", "M35", "M45", "M51", "M56", "M66", "M_triangle_cyclic", "M_star_out_3", "M_path_3"];
const WRONG = ["ab", "M77", "a>b,c>d", "a>b,", "a>b,b>c,c>d,d>e,e>f,f>g", "cycle:7", ""];

const randomFilter = (random: Random): Fields => ({
  ...(random.chance(1, 2) ? { uids: random.some(UIDS) } : {}),
  ...(random.chance(1, 4) ? { any_labels: ["P", "Q"] } : {}),
  ...(random.chance(1, 4) ? { props: [randomPred(random)] } : {}),
});

function randomPattern(random: Random): Fields {
  const code = random.pick([...CODES, ...GRID_CODES]);
  const edges = code.split(",").map((edge) => ({
    src: edge[0],
    dst: edge[2],
    ...(random.chance(1, 3) ? { types: random.some([...TYPES, "X"]) } : {}),
    ...(random.chance(1, 5) ? { edge: [randomPred(random)] } : {}),
  }));
  const letters = [...new Set(edges.flatMap(({ src, dst }) => [src, dst]))];
  const nodes = Object.fromEntries(
    letters.filter(() => random.chance(1, 4)).map((letter) => [letter, randomFilter(random)]),
  );
  return { edges, ...(random.chance(1, 2) ? { nodes } : {}) };
}

export function randomMotif(random: Random): unknown {
  switch (random.below(8)) {
    case 0:
    case 1:
      return "all";
    case 2:
      return random.pick(NAMES);
    case 3:
      return random.pick(GRID_CODES);
    case 4:
      return `cycle:${2 + random.below(4)}`;
    case 5:
      return randomPattern(random);
    default:
      return random.chance(1, 25) ? random.pick(WRONG) : random.pick(CODES);
  }
}

/** The arguments that both operators have, without pin and page. */
export function motifArguments(random: Random): Fields {
  return {
    motif: randomMotif(random),
    delta: random.pick(["PT0S", "PT0.000001S", "PT0.000003S", "PT0.000008S", "PT1S", "PT2S", "PT5S", "PT1H", "P1D"]),
    window: randomWindow(random),
    ...(random.chance(3, 4) ? { ties: random.pick(["by_seq", "strict", "allow"]) } : {}),
    where: random.chance(1, 2) ? {} : randomWhere(random),
  };
}

export function findArguments(random: Random): Fields {
  return { ...motifArguments(random), props: randomProjection(random), limit: random.pick([1, 2, 3, 10, 100]) };
}

/** Events close together among few nodes, most of them tied with others, some of them self-loops. */
export function denseBatch(random: Random, index: number): { ops: Fields[]; txTime: string } {
  const uids = UIDS.slice(0, 2 + random.below(4));
  const count = 4 + random.below(10);
  const isFine = random.chance(1, 3);
  const column = <T>(make: () => T): T[] => Array.from({ length: count }, make);
  const instant = (): string =>
    isFine
      ? `2020-01-01T00:00:00.${String(1 + random.below(8)).padStart(6, "0")}Z`
      : `2020-01-01T00:00:${10 + random.below(7)}Z`;
  return {
    txTime: `2021-01-03T${String(index).padStart(2, "0")}:00:00Z`,
    ops: [
      {
        op: "ingest_events",
        src: column(() => random.pick(uids)),
        dst: column(() => random.pick(uids)),
        type: column(() => random.pick(TYPES)),
        time: column(instant),
        props: column(() => ({ w: random.below(3) })),
        node_labels: random.some(["P", "Q"]),
      },
    ],
  };
}
