// Fuzz entry of the log reader: any bytes give an error or a prefix, never a crash, a hang, or more than frames claim.
// `node --import tsx test/support/fuzz-log.ts SECONDS [SEED]`; the test suite runs a fixed number of rounds.
import { pathToFileURL } from "node:url";
import { PalimpsestError } from "../../src/contract/errors.js";
import { MemoryFile, memoryFileLayer } from "../../src/log/memory-file-layer.js";
import { openLog, readAll, STORE, stage } from "./log-driver.js";

/** Mulberry32: small, and the same on every machine. */
export function randomOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

type Corpus = Map<string, Uint8Array>;

/** The files of a small log with several files, groups and spanning commits. */
export async function makeCorpus(): Promise<Corpus> {
  const layer = memoryFileLayer();
  const { writer } = await openLog(layer, { rotateBytes: 1200 });
  for (let i = 0; i < 12; i += 1) {
    const group = Array.from({ length: 1 + (i % 3) }, (_, k) =>
      stage(writer, layer, [`a ${i} ${k}`, "b".repeat(17 * k)], { frameTargetBytes: 40 }),
    );
    await Promise.all(group.map((commit) => commit.done));
  }
  await writer.close();
  const logs = [...layer.files].filter(([path]) => path.endsWith(".plog"));
  return new Map(logs.map(([path, file]) => [path, file.view().slice()]));
}

function mutate(bytes: Uint8Array, others: readonly Uint8Array[], random: (limit: number) => number): Uint8Array {
  const out = Array.from(bytes);
  const at = random(out.length + 1);
  switch (random(6)) {
    case 0:
      if (at < out.length) out[at] = random(256);
      break;
    case 1:
      out.length = at;
      break;
    case 2:
      out.splice(at, 1 + random(64));
      break;
    case 3:
      out.splice(at, 0, ...Array.from({ length: 1 + random(64) }, () => random(256)));
      break;
    case 4: {
      const other = others[random(others.length)]!;
      const from = random(other.length);
      out.splice(at & ~7, random(200), ...other.subarray(from & ~7, from + random(400)));
      break;
    }
    default: {
      // A header that claims something else under a good sum reaches what the sum protects.
      const frame = Buffer.from(out).indexOf("PALFRAME", random(out.length));
      if (frame >= 0) {
        out[frame + 24 + random(56)] = random(256);
        resum(out, frame);
      }
    }
  }
  return Uint8Array.from(out);
}

function resum(out: number[], frame: number): void {
  const { crc32c } = memoryFileLayer();
  const bytes = Uint8Array.from(out);
  const view = new DataView(bytes.buffer);
  if (frame + 80 > bytes.length) return;
  const end = frame + 80 + view.getUint32(frame + 32, true);
  if (end > bytes.length) return;
  const payload = crc32c(bytes.subarray(frame + 80, end));
  const sum = crc32c(bytes.subarray(frame + 40, frame + 80), crc32c(bytes.subarray(frame, frame + 36), payload));
  for (let i = 0; i < 4; i += 1) out[frame + 36 + i] = (sum >>> (8 * i)) & 255;
}

/** One input: the corpus with a few mutations. Throws when the reader breaks its promise. */
export async function fuzzOnce(
  corpus: Corpus,
  random: (limit: number) => number,
): Promise<"whole" | "prefix" | "error"> {
  const layer = memoryFileLayer();
  const all = [...corpus.values()];
  let claimed = 0;
  for (const [path, bytes] of corpus) {
    let altered = bytes;
    for (let i = random(3); i > 0; i -= 1) altered = mutate(altered, all, random);
    if (random(40) === 0) continue;
    const file = new MemoryFile();
    file.put(altered, 0);
    layer.files.set(path, file);
    claimed += Math.floor(altered.length / 24);
  }
  const { commits, error } = await readAll(layer, STORE);
  const items = commits.reduce((sum, commit) => sum + commit.items.length, 0);
  if (items > claimed) throw new Error(`${items} items out of bytes for ${claimed}`);
  if (error === undefined) return commits.length === 24 ? "whole" : "prefix";
  if (error instanceof PalimpsestError && ["E_LOG_CORRUPT", "E_FORMAT"].includes(error.code)) return "error";
  throw error;
}

async function main(): Promise<void> {
  const seconds = Number(process.argv[2] ?? 10);
  const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32);
  console.log(`seed ${seed}`);
  const corpus = await makeCorpus();
  const random = randomOf(seed);
  const until = Date.now() + seconds * 1000;
  const outcomes = { whole: 0, prefix: 0, error: 0 };
  while (Date.now() < until) outcomes[await fuzzOnce(corpus, random)] += 1;
  console.log(outcomes);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
