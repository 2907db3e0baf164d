// The file and the options of `palimpsest load` and of `.import`, as commander knows them.
// What they mean is in load-options.ts.
import { type Command, InvalidArgumentError, Option } from "commander";
import { DOCUMENT_FORMATS, FILE_FORMATS } from "../interchange/formats.js";

function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("a whole number above 0 is wanted.");
}

/** Values of an option that may be repeated. */
export const gather = (item: string, items: readonly string[] = []): string[] => [...items, item];

export function withFileOptions(command: Command): Command {
  return command
    .argument("<file>", "the file; unpacked when its name ends in .gz")
    .addOption(
      new Option("--format <format>", "what the file is; else its name says").choices([
        ...FILE_FORMATS,
        ...DOCUMENT_FORMATS,
      ]),
    )
    .option("--src <column>", "column of the source (with --nodes: of the uid)")
    .option("--dst <column>", "column of the destination")
    .option("--time <column>", "column of the time (with --nodes: from when the node holds)")
    .addOption(
      new Option("--unit <unit>", "what times are: numbers of seconds, milliseconds, microseconds, or ISO 8601")
        .choices(["s", "ms", "us", "iso"])
        .default(undefined, "s for snap, else iso"),
    )
    .option("--zone <zone>", "zone of ISO texts that name none: UTC or an offset such as +02:00")
    .option("--type <type>", 'type of the edges (default: "EVENT")')
    .option("--key <column>", "column that tells parallel edges apart; else the store chooses")
    .option("--props <columns>", "columns kept as properties: amount,kind=3", gather)
    .option("--valid-to <column>", "column of the end; empty means open")
    .option("--node-label <label>", "label of the nodes that the file makes; may be repeated", gather)
    .option("--nodes", "the file holds nodes, one a record")
    .option("--no-header", "the first record is data: columns are numbers from 1")
    .option("--delimiter <character>", "what stands between columns of csv and tsv")
    .option("--batch <rows>", "commit every so many rows, and keep what was committed if a later row is refused", count)
    .addOption(new Option("--on-error <what>", "what a refused record does").choices(["stop", "skip"]).default("stop"))
    .option("--json", "print what was loaded as one line of JSON");
}
