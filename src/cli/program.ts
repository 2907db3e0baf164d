// The commands, their arguments and options, as commander knows them.
// Each command's work is in a file of its own, loaded when it is asked for: help and version need no engine.
import { Command, InvalidArgumentError, Option } from "commander";
import { FILE_FORMATS } from "../interchange/formats.js";
import type { DemoFlags } from "./demo.js";
import type { LoadFlags } from "./load-options.js";
import { packageVersion } from "./package-root.js";
import type { ReplayFlags } from "./replay.js";
import type { RunFlags } from "./run.js";
import type { VerifyFlags } from "./verify.js";

function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("a whole number above 0 is wanted.");
}

const gather = (item: string, items: readonly string[] = []): string[] => [...items, item];

function addLoad(root: Command): void {
  root
    .command("load")
    .description(
      "load a file of events (or nodes) into a store; one commit a file, so that a refused file leaves nothing",
    )
    .argument("<store>", "folder of the store, created when absent")
    .argument("<file>", "the file; unpacked when its name ends in .gz")
    .addOption(new Option("--format <format>", "what the file is; else its name says").choices(FILE_FORMATS))
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
    .option("--json", "print what was loaded as one line of JSON")
    .action(async (store: string, file: string, flags: LoadFlags) =>
      (await import("./load.js")).load(store, file, flags),
    );
}

function addQuestions(root: Command): void {
  const call = root
    .command("call")
    .description("call one operator and print its envelope")
    // Of the operator, where one is named: so that help needs no store, both may be left out beside it.
    .argument("[store]")
    .argument("[operator]", "such as snapshot_subgraph; --help behind it explains it")
    .argument("[arguments]", "a JSON object", "{}")
    .usage("[options] <store> <operator> [arguments]")
    .helpOption(false)
    .option("-h, --help", "explain the operator, or list all of them");
  call.action(async (store: string | undefined, operator: string | undefined, args: string, flags: { help?: true }) => {
    if (flags.help) return (await import("./operator-help.js")).operatorHelp(call.helpInformation(), store, operator);
    for (const [name, value] of Object.entries({ store, operator })) {
      if (value === undefined) {
        call.error(`error: missing required argument '${name}'`, { code: "commander.missingArgument" });
      }
    }
    await (await import("./ask.js")).call(store!, operator!, args);
  });
  const run = root
    .command("run")
    .description("run a plan and print its trace, or check a trace by running it again")
    .argument("<store>")
    .argument("[plan]", "a file with the plan as JSON, or - for standard input")
    .option("--check <trace>", "compare with this trace: nothing said differs, or which step does first");
  run.action(async (store: string, plan: string | undefined, flags: RunFlags) => {
    if (plan === undefined && flags.check === undefined) {
      run.error("error: missing required argument 'plan'", { code: "commander.missingArgument" });
    }
    await (await import("./run.js")).run(store, plan, flags);
  });
  root
    .command("info")
    .description("print what a store holds")
    .argument("<store>")
    .action(async (store: string) => (await import("./ask.js")).info(store));
  root
    .command("digest")
    .description("print the digest of a store")
    .argument("<store>")
    .action(async (store: string) => (await import("./ask.js")).digest(store));
}

function addCare(root: Command): void {
  root
    .command("verify")
    .description("check log, chain and replay of a store; changes nothing")
    .argument("<store>")
    .option("--head <chain>", "a chain that must be in the log, as head() gave it")
    .action(async (store: string, flags: VerifyFlags) => (await import("./verify.js")).verify(store, flags));
  root
    .command("repair")
    .description("rebuild what can be rebuilt from the log, and move a torn tail aside")
    .argument("<store>")
    .action(async (store: string) => (await import("./verify.js")).repair(store));
  root
    .command("replay")
    .description("replay the log of a store into a new store and compare digests")
    .argument("<log>", "a store, or its log folder")
    .argument("<store>", "folder of the new store")
    .addOption(
      new Option("--engine <engine>", "which engine computes the digest")
        .choices(["native", "reference"])
        .default("native"),
    )
    .action(async (log: string, store: string, flags: ReplayFlags) =>
      (await import("./replay.js")).replay(log, store, flags),
    );
}

export function program(): Command {
  const root = new Command("palimpsest")
    .description("What was true, what was believed, and why that changed: a bi-temporal property-graph database.")
    .version(packageVersion())
    .showHelpAfterError("(palimpsest --help lists the commands)")
    .exitOverride()
    .enablePositionalOptions();
  addLoad(root);
  addQuestions(root);
  addCare(root);
  root
    .command("demo")
    .description("load, correct and ask, step by step, with the reasons")
    .option("--keep <folder>", "keep the demo's two stores in this folder")
    .addOption(new Option("--writer <store>").hideHelp())
    .action(async (flags: DemoFlags) => (await import("./demo.js")).demo(flags));
  for (const command of root.commands) command.copyInheritedSettings(root).showHelpAfterError(false);
  return root;
}
