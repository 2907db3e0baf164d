// `palimpsest export`: a store at a pin into files.
// What the files are is in src/interchange/export.
import { PalimpsestError } from "../contract/errors.js";
import type { ExportFormat } from "../index.js";
import { withInterrupt } from "./interrupt.js";
import { note, plural, printJson } from "./output.js";
import { readStore } from "./with-store.js";

/** As commander gives them. */
export interface ExportFlags {
  readonly format?: ExportFormat;
  readonly nodes?: boolean;
  readonly edges?: boolean;
  readonly pin?: string;
  readonly history?: boolean;
  readonly gzip?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

function onlyTable({ nodes, edges }: ExportFlags): "nodes" | "edges" | undefined {
  if (nodes === edges) return undefined;
  return nodes === true ? "nodes" : "edges";
}

export async function exportFiles(store: string, dest: string, flags: ExportFlags): Promise<void> {
  const startedMs = performance.now();
  const { format, pin, history, gzip, force: overwrite } = flags;
  const { tx, txTime, nodes, edges, files } = await withInterrupt((signal) =>
    readStore(store, (db) =>
      db
        .export(dest, { format, only: onlyTable(flags), pin, history, gzip, overwrite, signal })
        .catch((error: unknown) => {
          throw withFlag(error);
        }),
    ),
  );
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  if (flags.json === true) {
    await printJson({ tx, tx_time: txTime, nodes, edges, files: [...files], seconds });
    return;
  }
  const rows = [
    ...(nodes === null ? [] : [plural(nodes, "node version")]),
    ...(edges === null ? [] : [plural(edges, "edge version")]),
  ];
  note(`${rows.join(" and ")} as of tx:${tx} in ${seconds.toFixed(2)} s: ${files.join(", ")}`);
}

/** The command has a flag for what the database calls an option. */
function withFlag(error: unknown): unknown {
  if (!(error instanceof PalimpsestError) || error.code !== "E_STATE") return error;
  const { code, message, details } = error;
  return new PalimpsestError(code, message, { details, hint: "name another place, or give --force", cause: error });
}
