// How a file is loaded, by its flags, its name, and what stands in it.
import { PalimpsestError } from "../../contract/errors.js";
import { fileBytes } from "../../interchange/byte-source.js";
import {
  documentFormatOf,
  type FileFormat,
  formatOfName,
  TABLE_FORMATS,
  type TableFormat,
  tableFormatOfName,
} from "../../interchange/formats.js";
import { isFolder, isVersionFile } from "../../interchange/versions/files.js";
import { prepareGraph, prepareLog, prepareVersions } from "./documents.js";
import { prepareEvents } from "./events.js";
import { type LoadFlags, meaningFlag } from "./flags.js";
import { checkGraphFlags, checkNoGraphFlags } from "./graph.js";
import type { Prepare } from "./loading.js";
import { checkLogFlags } from "./log.js";
import { prepareNodes } from "./nodes.js";
import { fileOptions, tableOptions } from "./options.js";

/** The format of a file of typed columns; undefined for files of text. */
function tableFormat(file: string, format: LoadFlags["format"]): TableFormat | undefined {
  return format === undefined ? tableFormatOfName(file) : TABLE_FORMATS.find((table) => table === format);
}

/** What `export` wrote is known by itself, where no flag says otherwise. */
async function isExport(file: string, flags: LoadFlags): Promise<boolean> {
  const meaning = meaningFlag(flags);
  if (await isFolder(file)) {
    const unfit = meaning ?? (flags.format === undefined ? null : "--format");
    if (unfit === null) return true;
    throw new PalimpsestError("E_INVALID_ARG", `${file} is a folder, and ${unfit} is for a file`, {
      hint: "a folder is what export wrote: its files say themselves what they hold",
    });
  }
  if (meaning !== null || flags.format !== undefined) return false;
  // What is not there is told before its name is judged.
  await fileBytes(file);
  return isVersionFile(file, tableFormatOfName(file) ?? formatOfName(file));
}

/** How this file is loaded; what is wrong with the flags alone is found here. */
export async function chosen(file: string, flags: LoadFlags): Promise<Prepare> {
  const { format: given, ...others } = flags;
  const format = given ?? documentFormatOf(file);
  if (format === "tgms-log") {
    checkLogFlags(flags);
    return prepareLog;
  }
  if (format === "graphml" || format === "ldbc") {
    checkGraphFlags(flags, format);
    return (loading) => prepareGraph(loading, format);
  }
  checkNoGraphFlags(flags);
  if (await isExport(file, flags)) return prepareVersions;
  const prepareRows = flags.nodes === true ? prepareNodes : prepareEvents;
  const table = tableFormat(file, format);
  if (table !== undefined) {
    const options = tableOptions(file, flags);
    return (loading) => prepareRows({ ...loading, options, table });
  }
  const text = format === undefined ? {} : { format: format as FileFormat };
  const options = fileOptions(file, { ...others, ...text });
  return (loading) => prepareRows({ ...loading, options });
}
