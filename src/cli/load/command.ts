// The file and the options of `palimpsest load` and of `.import`, as commander knows them.
// Which go together is in flags.ts, what they mean in options.ts.
import { type Command, InvalidArgumentError, Option } from "commander";
import { DOCUMENT_FORMATS, FILE_FORMATS, TABLE_FORMATS } from "../../interchange/formats.js";
import { TIME_UNITS } from "../../interchange/instants.js";

function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("a whole number above 0 is wanted.");
}

/** Values of an option that may be repeated. */
export const gather = (item: string, items: readonly string[] = []): string[] => [...items, item];

export function withFileOptions(command: Command): Command {
  return command
    .argument("<file>", "the file, or with ldbc the folder; unpacked when its name ends in .gz")
    .addOption(
      new Option("--format <format>", "what the file is; else its name says").choices([
        ...FILE_FORMATS,
        ...TABLE_FORMATS,
        ...DOCUMENT_FORMATS,
      ]),
    )
    .option("--src <column>", "column of the source (with --nodes: of the uid)")
    .option("--dst <column>", "column of the destination")
    .option("--time <column>", "column of the time (with --nodes: from when the node holds)")
    .addOption(
      new Option("--unit <unit>", "what times are: numbers of seconds, milliseconds, …, days, or text")
        .choices(TIME_UNITS)
        .default(undefined, "s for snap, else iso"),
    )
    .option("--epoch <instant>", "what numbers count from (default: 1970-01-01T00:00:00Z)")
    .option("--time-format <pattern>", "form of times such as %d/%m/%Y %H:%M, or iso; may be repeated", gather)
    .option("--zone <zone>", "zone of texts that name none: UTC, +02:00, Europe/Paris")
    .option("--clock <column>", "column of the time of day, where --time is only the date")
    .option("--type <type>", 'type of the edges (default: "EVENT")')
    .option("--type-column <column>", "column of the type; --type stands where it is empty")
    .option("--key <column>", "column that tells parallel edges apart; else the store chooses")
    .option("--props <columns>", "columns kept as properties: amount,kind=3", gather)
    .option("--all-props", "keep every other column as a property")
    .option("--valid-to <column>", "column of the end; empty means open")
    .option("--end-inclusive", "the end is the last year, month, day … that counts, not the first that does not")
    .option("--duration <column>", "column of the length in seconds, instead of the end")
    .option("--tx-time <column>", "column of when a row came to be believed: one commit for each time, in its order")
    .option("--node-label <label>", "label of the nodes that the file makes; may be repeated", gather)
    .option("--label-column <column>", "with --nodes: column of labels, Person;Employee")
    .option("--nodes", "the file holds nodes, one a record")
    .addOption(
      new Option("--undirected <how>", "graphml: edges without direction are refused, kept once as written, or twice")
        .choices(["refuse", "once", "twice"])
        .default(undefined, "refuse"),
    )
    .option("--no-header", "the first record is data: columns are numbers from 1")
    .option("--delimiter <character>", "what stands between columns of csv and tsv")
    .option("--null <word>", "a bare word that means no value, such as NULL; may be repeated", gather)
    .option("--batch <rows>", "commit every so many rows, and keep what was committed if a later row is refused", count)
    .addOption(new Option("--on-error <what>", "what a refused record does").choices(["stop", "skip"]).default("stop"))
    .option("--rejects <file>", "with --on-error skip: where refused records go, with the reasons")
    .option("--json", "print what was loaded as one line of JSON");
}
