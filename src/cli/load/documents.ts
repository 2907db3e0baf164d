// Files that say themselves what they hold: graphs, what export wrote, and logs of another system.
import { PalimpsestError } from "../../contract/errors.js";
import { note } from "../output.js";
import { type GraphFormat, type GraphLoading, readGraph, writeGraph } from "./graph.js";
import { checkInterrupted, type Loading, type Write } from "./loading.js";
import { loadLog } from "./log.js";

export async function prepareGraph(loading: Loading, format: GraphFormat): Promise<Write> {
  const { file, flags, progress } = loading;
  if (flags.time === undefined) note("no --time: nodes and edges hold from -9999-01-01T00:00:00Z on");
  const how: GraphLoading = {
    file,
    flags,
    format,
    onRead: (bytes) => progress.read(bytes),
    onWritten: (elements) => progress.took(elements),
    checkInterrupted: () => checkInterrupted(loading),
  };
  const graph = await readGraph(how);
  progress.enter("writing");
  return (db) => writeGraph(db, graph, how);
}

export async function prepareVersions(loading: Loading): Promise<Write> {
  const { file, flags, refusals, progress, signal } = loading;
  if (flags.batch !== undefined) {
    throw new PalimpsestError("E_INVALID_ARG", "--batch does not go with what export wrote", {
      hint: "its transaction times say where commits end",
    });
  }
  return async (db) => {
    await db.import(file, {
      signal,
      onRead: (bytes, versions) => progress.read(bytes, versions),
      onCommits: (_, versions) => progress.enter("writing", versions),
      onRows: (versions) => progress.took(versions),
      ...(flags.onError === "skip" ? { onRefusal: refusals.add } : {}),
    });
  };
}

export async function prepareLog(loading: Loading): Promise<Write> {
  const { file, flags, refusals, progress } = loading;
  return (db) =>
    loadLog(db, {
      file,
      flags,
      onRefusal: refusals.add,
      onFailure: (line, reason) => note(`line ${line}: the batch fails, as it did there: ${reason}`),
      onRead: (bytes) => progress.read(bytes),
      onWritten: (batches) => progress.took(batches),
      checkInterrupted: () => checkInterrupted(loading),
    });
}
