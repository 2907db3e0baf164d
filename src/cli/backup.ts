// `palimpsest backup`: a consistent copy of a store that may be in use.
// Reads the log alone, so that it needs no engine and no memory for the store.
import { resolve } from "node:path";
import { formatInstant } from "../contract/instant.js";
import { backUpLog } from "../log/backup.js";
import { fileLayer, storeOfLog } from "./log-walk.js";
import { printJson } from "./output.js";

export async function backup(store: string, dest: string): Promise<void> {
  const layer = fileLayer();
  const { tx, txTimeUs, chain } = await backUpLog({ layer, store: storeOfLog(store), target: layer }, dest);
  const tx_time = txTimeUs === null ? null : formatInstant(txTimeUs);
  await printJson({ path: resolve(dest), tx, tx_time, chain });
}
