// Commands about what is there: labels, types and properties, operators, the store.
import type { JsonValue } from "../../../contract/values.js";
import { jsonText } from "../../../manual/json-lines.js";
import { operatorList } from "../../../manual/terminal.js";
import { tableLines } from "../../formats/table.js";
import type { DotCommand } from "../dot-command.js";
import type { Repl } from "../repl.js";

/** A name as TQL takes it, whatever is in it. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function schema(repl: Repl, name: string, signal: AbortSignal): Promise<void> {
  const statements =
    name === "" ? ["SHOW LABELS", "SHOW TYPES", "SHOW PROPERTIES"] : [`SHOW PROPERTIES OF ${quoted(name)}`];
  const parts: string[] = [];
  for (const statement of statements) {
    const answer = await repl.store.session.query(statement, { params: {}, signal });
    parts.push(
      tableLines(answer, repl.style)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }
  await repl.show(parts.join("\n"));
}

export const CATALOGUE_COMMANDS: readonly DotCommand[] = [
  {
    name: ".schema",
    usage: ".schema [name]",
    summary: "labels, types and properties; or the properties of one label or type",
    run: (repl, { words, signal }) => schema(repl, words.join(" "), signal),
  },
  {
    name: ".operators",
    usage: ".operators",
    summary: "the operators of CALL; .help NAME explains one",
    run: (repl) => repl.show(`${operatorList()}\n`),
  },
  {
    name: ".info",
    usage: ".info",
    summary: "what the store holds",
    run: async (repl) => repl.show(`${jsonText((await repl.store.info()) as JsonValue)}\n`),
  },
];
