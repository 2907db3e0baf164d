// Facts whose ends and relations are numbers, as one TSV with names: `src`, `type`, `dst`, and the times as they are.
// For folders like icews14 and yago11k, with train.txt, valid.txt, test.txt, entity2id.txt and relation2id.txt.
// Run: npx tsx examples/load/named-ids.ts FOLDER > facts.tsv; then load facts.tsv with options for its times.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (folder === undefined) throw new Error("name a folder with train.txt, entity2id.txt and relation2id.txt");

const rows = (name: string): string[][] =>
  readFileSync(join(folder, name), "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));

/** Names by number: `name TAB number`, whatever follows. */
const namesOf = (file: string): Map<string, string> => new Map(rows(file).map(([name, id]) => [id!, name!]));

const entities = namesOf("entity2id.txt");
const relations = namesOf("relation2id.txt");

/** A quote at the beginning of a field would open a quoted one. */
const field = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);

function nameOf(names: Map<string, string>, id: string | undefined): string {
  const name = names.get(id!);
  if (name === undefined) throw new Error(`there is no name for ${id}`);
  return field(name);
}

const lines = ["src\ttype\tdst\tfrom\tto"];
for (const file of ["train.txt", "valid.txt", "test.txt"]) {
  for (const [src, relation, dst, from, to] of rows(file)) {
    const names = [nameOf(entities, src), nameOf(relations, relation), nameOf(entities, dst)];
    lines.push([...names, from, to].join("\t"));
  }
}
process.stdout.write(`${lines.join("\n")}\n`);
