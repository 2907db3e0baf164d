// What three earnings calls taught, and took back, as a store: one commit for each transcript, at the time it was published.
// The facts come from gold.json, which people wrote beside the transcripts.
// Run: npx tsx examples/load/earnings-calls.ts FOLDER STORE
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OperationInput, open } from "../../src/index.js";

interface Fact {
  readonly id: string;
  readonly s: string;
  readonly p?: string;
  readonly o?: string;
  readonly value?: string;
  readonly qualifier?: string;
  readonly valid_at?: string;
  readonly invalid_at?: string | null;
  readonly corrects?: { readonly value?: string; readonly valid_at?: string; readonly believed_until: string };
}

interface Gold {
  readonly documents: readonly { readonly file: string; readonly published: string }[];
  readonly final_belief: readonly Fact[];
}

const [folder, path] = process.argv.slice(2);
if (folder === undefined || path === undefined) throw new Error("name the folder of gold.json, and a store");
const gold = JSON.parse(readFileSync(join(folder, "gold.json"), "utf8")) as Gold;
const published = gold.documents.map((document) => document.published).sort();

const source = (time: string): string => gold.documents.find((document) => document.published === time)!.file;
/** The first transcript that could speak of a day. */
const taughtBy = (day: string): string => published.find((time) => time >= day) ?? published.at(-1)!;
/** A sum over a quarter can be told when the quarter is over, everything else from its beginning on. */
const taught = ({ p, valid_at, invalid_at }: Fact): string =>
  taughtBy(p === "HAS_REVENUE" ? (invalid_at ?? valid_at!) : valid_at!);
const refOf = ({ s, p, o, id }: Fact) => ({ src: s, type: p!, dst: o!, key: id });
const propsOf = ({ value, qualifier }: Fact, believed = value) => ({
  ...(believed === undefined ? {} : { value: believed }),
  ...(qualifier === undefined ? {} : { qualifier }),
});

/** What each transcript teaches: first what is new, then what it corrects, then what it ends. */
function operationsOf(time: string): OperationInput[] {
  const facts = gold.final_belief.filter((fact) => fact.o !== undefined && fact.valid_at !== undefined);
  const asserted: OperationInput[] = [];
  const corrected: OperationInput[] = [];
  const ended: OperationInput[] = [];
  for (const fact of facts) {
    const { valid_at, invalid_at, corrects } = fact;
    const ref = refOf(fact);
    const by = { source: source(time) };
    // A period that was over when it was spoken of never was open; all others end when a transcript says so.
    const isPast = invalid_at !== undefined && invalid_at !== null && taughtBy(invalid_at) === taught(fact);
    const valid_to = isPast ? invalid_at : null;
    if (taught(fact) === time) {
      const valid_from = corrects?.valid_at ?? valid_at!;
      asserted.push({
        op: "assert_edge",
        ...ref,
        props: propsOf(fact, corrects?.value ?? fact.value),
        valid_from,
        valid_to,
        ...by,
      });
    }
    if (corrects?.believed_until === time) {
      const reason = "a later transcript says otherwise";
      if (corrects.valid_at !== undefined) {
        corrected.push({ op: "retract", ref, valid_from: corrects.valid_at, valid_to: valid_at!, reason, ...by });
      } else
        corrected.push({ op: "correct", ref, props: propsOf(fact), valid_from: valid_at!, valid_to, reason, ...by });
    }
    if (!isPast && invalid_at !== undefined && invalid_at !== null && taughtBy(invalid_at) === time) {
      ended.push({ op: "retract", ref, valid_from: invalid_at, reason: "it ended", ...by });
    }
  }
  return [...asserted, ...corrected, ...ended];
}

const db = await open(path);
for (const time of published) await db.write(operationsOf(time), { txTime: time });
await db.close();
