// Files that hold a whole graph or log, broken by seed: each is read, or refused by a typed error that names the file.
// What breaks them knows nothing of the formats but their bytes and their words.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { readGraphml } from "../../src/interchange/graph/graphml.js";
import { readLdbc } from "../../src/interchange/graph/ldbc.js";
import { readTgmsLog } from "../../src/interchange/tgms/log.js";
import { FIRST_SEED } from "../support/case-count.js";
import { Random } from "../support/random.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-broken-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GRAPHML = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="age" attr.type="long"><default>7</default></key>
<key id="d1" for="edge" attr.name="since" attr.type="string"/>
<graph id="G" edgedefault="directed">
<node id="a"><data key="d0">9007199254740993</data></node><node id="é"/>
<edge id="e" source="a" target="é" label="R"><data key="d1">2020-01-02T03:04:05Z</data></edge>
</graph></graphml>
`;
const LOG = `${[
  '{"format":"tgms-eventlog","version":1}',
  '{"batch_id":"1","ops":[{"label":"P","op":"assert_node","props":{"x":9007199254740993},"source":"s","uid":"é","vt_e":4611686018427387904,"vt_s":5}],"tt":1000}',
  '{"batch_id":"2","ops":[{"disc":"","dst":"b","op":"assert_edge","props":{},"rel_type":"R","src":"é","vt_e":9,"vt_s":5}],"tt":2000}',
  '{"batch_id":"3","ops":[{"events":[{"dst":"c","rel_type":"E","src":"b","vt_s":7}],"node_label":"P","offset":0,"op":"ingest_events"}],"tt":3000}',
  '{"batch_id":"4","ops":[{"op":"correct","props":{"x":1},"ref":{"kind":"node","uid":"é"},"vt_e":8,"vt_s":6},{"op":"retract","ref":{"kind":"node","uid":"é"},"t":7}],"tt":4000}',
].join("\n")}\n`;
const NODES = "id:ID(Person)|name:STRING|age:LONG|:LABEL\n1|Ann|30|P;Q\n2|Zoë||P\n";
const EDGES = ":START_ID(Person)|:END_ID(Person)|since:STRING|w:DOUBLE\n1|2|2020-01-02T03:04:05Z|0.5\n";

const SPLICES = [
  "",
  "\0",
  '"',
  "\r",
  "\n",
  "|",
  "<",
  ">",
  "&",
  "}",
  "]",
  ",",
  "null",
  "-1",
  "1e400",
  "99999999999999999999",
  "\ufeff",
  "\\ud800",
  "__proto__",
];

/** One to three wounds: cut, bytes changed, a piece doubled, dropped, or put in. */
function broken(random: Random, text: string): Uint8Array {
  let bytes = Buffer.from(text);
  for (let wounds = 1 + random.below(3); wounds > 0; wounds -= 1) {
    const at = random.below(bytes.length + 1);
    const to = Math.min(bytes.length, at + random.below(12));
    const [head, piece, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
    const put = Buffer.from(random.pick(SPLICES));
    const ways = [
      [head],
      [head, tail],
      [head, piece, piece, tail],
      [head, put, tail],
      [head, put, piece, tail],
      [head, Buffer.of(random.below(256)), tail],
    ];
    bytes = Buffer.concat(random.pick(ways));
  }
  return bytes;
}

const options = {
  instants: { unit: "iso", zone: null, epochUs: 0n, patterns: null, isEndInclusive: false },
  times: ["since"],
  validTo: null,
  labelName: null,
  typeName: null,
  labels: [],
  type: null,
} as const;

const READERS: Readonly<Record<string, (random: Random, name: string) => Promise<string>>> = {
  graphml: async (random, name) => {
    const file = join(folder, `${name}.graphml`);
    writeFileSync(file, broken(random, GRAPHML));
    const { nodes, edges } = await readGraphml(file, { ...options, undirected: "refuse" });
    return `${nodes.length} ${edges.length}`;
  },
  "tgms-log": async (random, name) => {
    const file = join(folder, `${name}.jsonl`);
    writeFileSync(file, broken(random, LOG));
    let count = 0;
    for await (const { operations } of readTgmsLog(file, { believedBefore: async () => [] }))
      count += operations.length;
    return String(count);
  },
  ldbc: async (random, name) => {
    const path = join(folder, name);
    mkdirSync(path);
    const isNodes = random.chance(1, 2);
    writeFileSync(join(path, "Person.csv"), isNodes ? broken(random, NODES) : NODES);
    writeFileSync(join(path, "Person_knows_Person.csv"), isNodes ? EDGES : broken(random, EDGES));
    const { nodes, edges } = await readLdbc(path, options);
    return `${nodes.length} ${edges.length}`;
  },
};

describe.each(Object.keys(READERS))("broken files of %s", (format) => {
  it("are read, or refused in words, 300 of them", async () => {
    const outcomes = { read: 0, refused: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 300; seed += 1) {
      const error = await READERS[format]!(new Random(seed), `${format}-${seed}`).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) outcomes.read += 1;
      else {
        outcomes.refused += 1;
        expect([seed, error]).toEqual([seed, expect.any(PalimpsestError)]);
        const { code, message } = error as PalimpsestError;
        expect([seed, code]).toEqual([
          seed,
          expect.stringMatching(/^E_(INVALID_ARG|SCHEMA|PERIOD_ORDER|ZONE_MISSING|EPOCH_UNIT|LIMIT)$/),
        ]);
        expect([seed, message]).toEqual([seed, expect.stringContaining(`${format}-${seed}`)]);
      }
    }
    // Wounds that change nothing but a letter of a name leave a good file.
    expect(outcomes.refused).toBeGreaterThan(60);
    expect(outcomes.read).toBeGreaterThan(0);
  });
});
