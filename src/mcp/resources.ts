// What a client can read beside calling: the manual, and what this server has answered, by digest.
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { operatorReference } from "../manual/markdown.js";
import { operatorManual } from "../manual/terminal.js";
import { DECLARATIONS, operatorNames } from "../operators/registry.js";
import type { Kept } from "./kept.js";
import type { KeptText, Service } from "./tool.js";

const contents = (uri: URL, mimeType: string, text: string) => ({ contents: [{ uri: uri.href, mimeType, text }] });

function registerKept(server: McpServer, kind: "trace" | "result", description: string, kept: Kept<KeptText>): void {
  const uriOf = (digest: string): string => `palimpsest://${kind}/${digest}`;
  const list = () => ({
    resources: kept.digests().map((digest) => ({ uri: uriOf(digest), name: `${kind} ${digest.slice(0, 12)}` })),
  });
  const template = new ResourceTemplate(uriOf("{digest}"), { list });
  server.registerResource(kind, template, { description, mimeType: "application/json" }, (uri, { digest }) => {
    const found = typeof digest === "string" ? kept.get(digest) : undefined;
    if (found === undefined) throw new ResourceNotFoundError(uri.href);
    return contents(uri, "application/json", found.text());
  });
}

export function registerResources(server: McpServer, { traces, results }: Service): void {
  server.registerResource(
    "manual",
    "palimpsest://manual",
    { description: "every operator: arguments, answers, errors, examples", mimeType: "text/markdown" },
    (uri) => contents(uri, "text/markdown", operatorReference()),
  );
  const list = () => ({
    resources: DECLARATIONS.map(({ name, summary }) => ({
      uri: `palimpsest://operator/${name}`,
      name,
      description: summary,
    })),
  });
  server.registerResource(
    "operator",
    new ResourceTemplate("palimpsest://operator/{name}", { list }),
    { description: "the manual of one operator", mimeType: "text/plain" },
    (uri, { name }) => {
      if (typeof name !== "string" || !operatorNames().includes(name)) throw new ResourceNotFoundError(uri.href);
      return contents(uri, "text/plain", operatorManual(name));
    },
  );
  registerKept(
    server,
    "trace",
    "a trace that run_plan gave, whole; what has not been asked for lately is gone",
    traces,
  );
  registerKept(server, "result", "an answer that was given; what has not been asked for lately is gone", results);
}
