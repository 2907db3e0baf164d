// What a tool is, and how its arguments and its outcome are read: errors are results, never protocol errors.
import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { TSchema } from "typebox";
import type { WriteGrounds } from "../agent/writes/types.js";
import { internalError, PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import { Database } from "../database.js";
import type { Answer } from "../index.js";
import { compileShape } from "../operators/shape.js";
import { compactSchema } from "./compact-schema.js";
import { byteLength, jsonText, plainJson } from "./json.js";
import { argumentsSchema, type JsonSchema } from "./json-schema.js";
import { Kept } from "./kept.js";
import { Progress } from "./progress.js";

/** Calls that run at once, over all connections. */
export const MOST_IN_FLIGHT = 64;
/** Of a line of standard input, or a body of HTTP. */
export const MOST_MESSAGE_BYTES = 4 << 20;

/** An answer that was given, as the text of its resource. */
export interface KeptText {
  text(): string;
}

/** What has been answered since the last erasure. */
export class Held {
  readonly results = new Kept<KeptText>();
  readonly traces = new Kept<KeptText>();
  /** By trace, what claims and proposals over it need. */
  readonly grounds = new Kept<WriteGrounds>();
  /** Answers of statements whose later pages may be asked for. */
  readonly paged = new Kept<Answer>();
}

/** What all calls of a server share. */
export class Service {
  /** Those beside what every server has. */
  readonly furtherTools: readonly Tool[];
  held = new Held();
  private seenTx = 0;
  /** Calls that run. */
  inFlight = 0;

  constructor(
    readonly db: Database,
    readonly version: string,
    furtherTools: readonly Tool[] = [],
  ) {
    this.furtherTools = furtherTools.map(compactTool);
  }

  /** Takes in what the writer has done since; what was erased is in no answer that is still held. */
  async refresh(): Promise<void> {
    await this.db.refresh();
    await Database.reading(this.db, async ({ engine }) => {
      // Calls that began before go on with what they began with, which nobody else sees any more.
      if (engine.erasedSince([this.seenTx]) > 0) this.held = new Held();
      this.seenTx = engine.headTx();
    });
  }
}

export interface ToolCall {
  readonly db: Database;
  readonly held: Held;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Left out: it only reads. */
  readonly annotations?: ToolAnnotations;
  /** The text of the result, one JSON object. */
  run(args: JsonObject, call: ToolCall): Promise<string>;
}

/** The tool with schemas in as few bytes as say the same. */
export function compactTool(tool: Tool): Tool {
  return { ...tool, input: compactSchema(tool.input), output: compactSchema(tool.output) };
}

/** A reader of a tool's own arguments: E_SCHEMA with path and hint, as for operators; what is left out has its default. */
export function argumentsReader(schema: TSchema): { readonly input: JsonSchema; read(given: JsonObject): JsonObject } {
  let check: ReturnType<typeof compileShape> | undefined;
  const { properties } = schema as unknown as { properties: Record<string, { default?: unknown }> };
  const defaults = Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => ("default" in member ? [[name, member.default]] : [])),
  );
  return {
    input: argumentsSchema(schema),
    read(given) {
      check ??= compileShape(schema);
      const [first] = check(given);
      if (first !== undefined) throw first;
      return { ...defaults, ...given } as JsonObject;
    },
  };
}

/** Lets everything pass: arguments are judged by the call itself, with code, path and hint. */
const ACCEPTING: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};

const result = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: plainJson(text),
});

function failure(error: unknown): CallToolResult {
  const { code, message, hint, details } = error instanceof PalimpsestError ? error : internalError(error);
  return { ...result(jsonText({ error: { code, message, hint, details } })), isError: true };
}

const busy = (): PalimpsestError =>
  new PalimpsestError("E_LIMIT", `${MOST_IN_FLIGHT} calls are running`, {
    details: { most: MOST_IN_FLIGHT },
    hint: "wait for one of them to end",
  });

/** Ends with the request, and with the connection that it came over. */
function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  const request = http?.req?.signal;
  return request === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, request]);
}

function progressOf({ mcpReq }: ServerContext): Progress {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return new Progress(null);
  return new Progress((notice) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, ...notice } }),
  );
}

async function called(tool: Tool, args: JsonObject, context: ServerContext, service: Service): Promise<CallToolResult> {
  if (service.inFlight >= MOST_IN_FLIGHT) return failure(busy());
  service.inFlight += 1;
  const progress = progressOf(context);
  try {
    await service.refresh();
    const { db, held } = service;
    return result(await tool.run(args, { db, held, signal: signalOf(context), progress }));
  } catch (error) {
    return failure(error);
  } finally {
    progress.end();
    service.inFlight -= 1;
  }
}

const READING: ToolAnnotations = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

export function registerTool(server: McpServer, tool: Tool, service: Service): void {
  server.registerTool(
    tool.name,
    {
      description: tool.description,
      inputSchema: fromJsonSchema<JsonObject>(tool.input, ACCEPTING),
      outputSchema: fromJsonSchema(tool.output, ACCEPTING),
      annotations: tool.annotations ?? READING,
    },
    (args, context) => called(tool, args, context, service),
  );
}

/** Keeps a text under its digest. */
export function keepText(kept: Kept<KeptText>, digest: string, text: string): void {
  kept.put(digest, { text: () => text }, byteLength(text));
}
