// The commands, their arguments and options, as commander knows them.
// Each command's work is in a file of its own, loaded when it is asked for: help and version need no engine.
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { EXPORT_FORMATS } from "../interchange/export/formats.js";
import type { DemoFlags } from "./demo.js";
import type { ExportFlags } from "./export.js";
import { ANSWER_FORMATS, TYPED_FORMATS } from "./formats/names.js";
import { gather, withFileOptions } from "./load/command.js";
import type { LoadFlags } from "./load/flags.js";
import type { McpFlags } from "./mcp.js";
import type { NotesAction, NotesFlags } from "./notes.js";
import { packageVersion } from "./package-root.js";
import type { QueryFlags } from "./query.js";
import type { AskFlags } from "./question.js";
import type { ReplFlags } from "./repl/command.js";
import type { ReplayFlags } from "./replay.js";
import type { RunFlags } from "./run.js";
import type { SnapshotFlags } from "./snapshot.js";
import type { VerifyFlags } from "./verify.js";

function addLoad(root: Command): void {
  const load = root
    .command("load")
    .description(
      "load a file of events (or nodes) into a store; one commit a file, so that a refused file leaves nothing",
    )
    .argument("<store>", "folder of the store, created when absent");
  withFileOptions(load).action(async (store: string, file: string, flags: LoadFlags) =>
    (await import("./load/load.js")).load(store, file, flags),
  );
}

function addExport(root: Command): void {
  root
    .command("export")
    .description("write what a store believes into files: nodes.EXT and edges.EXT, which load reads back as they are")
    .argument("<store>")
    .argument("<dest>", "a folder; or one file, whose name says the format, with --nodes or --edges")
    .addOption(
      new Option("--format <format>", "what the files are; else the name says, else csv").choices(EXPORT_FORMATS),
    )
    .option("--nodes", "nodes alone")
    .option("--edges", "edges alone")
    .option("--pin <pin>", "as believed at tx:N or at an instant; else at the newest commit")
    .option("--history", "versions that are no longer believed too, with the end of belief in them and its reason")
    .option("--gzip", "pack the files; a name that ends in .gz says so too")
    .option("--force", "replace files that are there")
    .option("--json", "print what was written as one line of JSON")
    .action(async (store: string, dest: string, flags: ExportFlags) =>
      (await import("./export.js")).exportFiles(store, dest, flags),
    );
}

function addLanguage(root: Command): void {
  root
    .command("query")
    .description("answer statements of TQL; without a text, on a terminal, the REPL")
    .argument("<store>")
    .argument("[tql]", "statements, each but the last ended by ;  - reads them from standard input")
    .option("-f, --file <file>", "read the statements from a file")
    .option("--write", "let statements write; the store is created when absent")
    .addOption(
      new Option("--format <format>", "how answers are printed")
        .choices([...ANSWER_FORMATS, ...TYPED_FORMATS])
        .default("table"),
    )
    .option("--output <file>", "print answers into a file, which appears when all is there")
    .option("--param <name=value>", "a value for $name: JSON if it parses, else a string; may be repeated", gather)
    .option("--keep-going", "go on after a statement that failed")
    .action(async (store: string, tql: string | undefined, flags: QueryFlags, command: Command) => {
      if (tql !== undefined && flags.file !== undefined) command.error("error: give a text or --file, not both");
      await (await import("./query.js")).query(store, tql, flags);
    });
  root
    .command("repl")
    .description("type statements of TQL and see their answers")
    .argument("<store>")
    .option("--write", "let statements write; the store is created when absent")
    .action(async (store: string, flags: ReplFlags) => (await import("./repl/command.js")).repl(store, flags));
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
    .option(
      "--check <trace>",
      "compare with this trace, of run or of ask --trace: nothing differs, or what does first",
    );
  run.action(async (store: string, plan: string | undefined, flags: RunFlags) => {
    if (plan === undefined && flags.check === undefined) {
      run.error("error: missing required argument 'plan'", { code: "commander.missingArgument" });
    }
    await (await import("./run.js")).run(store, plan, flags);
  });
  root
    .command("ask")
    .description("answer a question in words: a model behind an OpenAI-compatible server plans, the database computes")
    .argument("<store>")
    .argument("<question>")
    .option("--url <url>", "the model's server, such as http://127.0.0.1:8000/v1; else PALIMPSEST_LLM_URL")
    .option("--model <name>", "the model; else PALIMPSEST_LLM_MODEL, else the only one of the server")
    .option("--pin <pin>", "as believed at tx:N or an instant; else now")
    .option("--entity <uid>", "an entity that is meant; may be repeated", gather)
    .option("--name-prop <name>", "a property that holds names of entities; may be repeated", gather)
    .option("--zone <zone>", "zone of dates, where the question names none; else UTC")
    .addOption(
      new Option("--mode <mode>", "whole plans, single calls, or calls where no plan held; else auto").choices([
        "plan",
        "loop",
        "auto",
      ]),
    )
    .addOption(new Option("--front <form>", "what the model writes; else json").choices(["json", "tql"]))
    .option("--no-memory", "see no notes of the windows that the question names (palimpsest notes)")
    .option("--trace <file>", "write the trace of the plan with the claims of the answer, for palimpsest run --check")
    .option("--json", "print the answer as one line of JSON")
    .action(async (store: string, text: string, flags: AskFlags) =>
      (await import("./question.js")).question(store, text, flags),
    );
  root
    .command("snapshot")
    .description("print the graph of one instant for Graphviz or graphology")
    .argument("<store>")
    .addOption(new Option("--format <format>", "what is printed").choices(["dot", "graphology"]).makeOptionMandatory())
    .requiredOption("--at <instant>", "the instant whose nodes and edges are shown")
    .option("--as-of <pin>", "as believed at tx:N or an instant; else as it is believed now")
    .option("--output <file>", "print into a file, which appears when all is there")
    .action(async (store: string, flags: SnapshotFlags) => (await import("./snapshot.js")).snapshot(store, flags));
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

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("a limit is a whole number from 0.");
}

function addNotes(root: Command): void {
  const notes = root
    .command("notes")
    .description("what is remembered of the windows of a store, for ask: made as of the newest commit, shown, dropped")
    .argument("<store>")
    .addArgument(new Argument("<action>", "what is done with them").choices(["build", "show", "drop"]))
    .option("--stride <stride>", "build: length of the windows; else P7D")
    .option("--model <name>", "build: let a model word the notes; else code does")
    .option("--url <url>", "build: the model's server; else PALIMPSEST_LLM_URL")
    .option("--name-prop <name>", "build: a property that holds names of entities; may be repeated", gather)
    .option("--model-calls <n>", "build: how often the model is asked at most; then code words the notes", countOf)
    .option("--tokens <n>", "build: tokens of all that it is asked, at most; then code words the notes", countOf)
    .option("--wall-ms <n>", "build: how long it may take; what is finished stays", countOf)
    .option("--json", "print lines of JSON");
  notes.action(async (store: string, action: NotesAction, flags: NotesFlags) => {
    const { json: _json, ...ofBuild } = flags;
    if (action !== "build" && Object.keys(ofBuild).length > 0) {
      notes.error("error: all options but --json are for build");
    }
    await (await import("./notes.js")).notes(store, action, flags);
  });
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
    .command("backup")
    .description("copy a store, as of its newest commit, also while another process writes it")
    .argument("<store>")
    .argument("<dest>", "folder of the copy, which must not be there")
    .action(async (store: string, dest: string) => (await import("./backup.js")).backup(store, dest));
  root
    .command("replay")
    .description("replay the log of a store into a new store and compare digests")
    .argument("<log>", "a store, or its log folder")
    .argument("<store>", "folder of the new store; with duckdb, its .duckdb file")
    .addOption(
      new Option("--engine <engine>", "which engine computes the digest")
        .choices(["native", "reference", "duckdb"])
        .default("native"),
    )
    .action(async (log: string, store: string, flags: ReplayFlags) =>
      (await import("./replay.js")).replay(log, store, flags),
    );
}

const MOST_PORT = 65_535;

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= MOST_PORT) return port;
  throw new InvalidArgumentError(`a port is a number from 0 to ${MOST_PORT}.`);
}

function addServers(root: Command): void {
  const mcp = root
    .command("mcp")
    .description("serve a store over the Model Context Protocol: on standard input and output, or HTTP")
    .argument("<store>")
    .option("--http <port>", "Streamable HTTP at /mcp of this port; 0 takes a free one", portOf)
    .option("--host <address>", "the address to listen on, by default 127.0.0.1; any other needs a token")
    .option("--token-env <name>", "the environment variable with the bearer token, 32 bytes or more")
    .option("--url <url>", "a model's server, for the tool ask; by default PALIMPSEST_LLM_URL")
    .option("--model <name>", "its model; by default PALIMPSEST_LLM_MODEL, else the only one of the server")
    .option("--name-prop <name>", "ask: a property that holds names of entities; may be repeated", gather)
    .option("--no-memory", "ask sees no notes of the windows that a question names (palimpsest notes)")
    .option(
      "--write <policy>",
      "a file with the policy under which propose_write writes; without it nothing is written",
    );
  mcp.action(async (store: string, flags: McpFlags) => {
    if (flags.http === undefined && (flags.host ?? flags.tokenEnv) !== undefined) {
      mcp.error("error: --host and --token-env are for --http");
    }
    await (await import("./mcp.js")).mcp(store, flags);
  });
}

export function program(): Command {
  const root = new Command("palimpsest")
    .description("What was true, what was believed, and why that changed: a bi-temporal property-graph database.")
    .version(packageVersion(), "-v, --version")
    .showHelpAfterError("(palimpsest --help lists the commands)")
    .exitOverride()
    .enablePositionalOptions();
  addLoad(root);
  addExport(root);
  addLanguage(root);
  addQuestions(root);
  addNotes(root);
  addCare(root);
  addServers(root);
  root
    .command("demo")
    .description("load, correct and ask, step by step, with the reasons")
    .option("--keep <folder>", "keep the demo's two stores in this folder")
    .addOption(new Option("--writer <store>").hideHelp())
    .action(async (flags: DemoFlags) => (await import("./demo.js")).demo(flags));
  for (const command of root.commands) command.copyInheritedSettings(root).showHelpAfterError(false);
  return root;
}
