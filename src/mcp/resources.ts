// What a client can read beside calling: the manual, and what this server has answered, by digest.
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { cardOf, USUAL_NAME_PROPS, WHOLE_CARD } from "../agent/prompt/card.js";
import { Database } from "../database.js";
import { operatorReference } from "../manual/markdown.js";
import { operatorManual } from "../manual/terminal.js";
import { DECLARATIONS, operatorNames } from "../operators/registry.js";
import { jsonText } from "./json.js";
import type { Kept } from "./kept.js";
import type { KeptText, Service } from "./tool.js";

const JSON_TYPE = "application/json";
const GOES = "what has not been asked for lately is gone";

const contents = (uri: URL, mimeType: string, text: string) => ({ contents: [{ uri: uri.href, mimeType, text }] });

function registerHeld(server: McpServer, kind: "trace" | "result", description: string, service: Service): void {
  const uriOf = (digest: string): string => `palimpsest://${kind}/${digest}`;
  const kept = async (): Promise<Kept<KeptText>> => {
    await service.refresh();
    return kind === "trace" ? service.held.traces : service.held.results;
  };
  const list = async () => ({
    resources: (await kept())
      .digests()
      .map((digest) => ({ uri: uriOf(digest), name: `${kind} ${digest.slice(0, 12)}` })),
  });
  const template = new ResourceTemplate(uriOf("{digest}"), { list });
  server.registerResource(kind, template, { description, mimeType: JSON_TYPE }, async (uri, { digest }) => {
    const found = typeof digest === "string" ? (await kept()).get(digest) : undefined;
    if (found === undefined) throw new ResourceNotFoundError(uri.href);
    return contents(uri, JSON_TYPE, found.text());
  });
}

export function registerResources(server: McpServer, service: Service): void {
  server.registerResource(
    "card",
    "palimpsest://card",
    {
      description: "what the store holds now: counts, extents, types and labels with their properties",
      mimeType: JSON_TYPE,
    },
    async (uri) => {
      await service.refresh();
      const card = await Database.reading(service.db, async ({ engine, catalogue }) =>
        cardOf(engine, catalogue, engine.headTx(), USUAL_NAME_PROPS).lines(WHOLE_CARD),
      );
      return contents(uri, JSON_TYPE, jsonText({ card }));
    },
  );
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
  registerHeld(server, "trace", `a trace that run_plan gave, whole; ${GOES}`, service);
  registerHeld(server, "result", `an answer that was given; ${GOES}`, service);
}
