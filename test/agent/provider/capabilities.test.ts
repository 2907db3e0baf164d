// What a server can be asked for: a schema, a tool or text, found by probes and once.
import { describe, expect, it } from "vitest";
import { onlyValue, type Reply, type Script } from "../model-server.js";
import { failure, RIGHT, request, ScriptedServer } from "./asking.js";

const served = ScriptedServer.begin();

describe("the ladder of capabilities", () => {
  const probes =
    (obeys: (asked: Parameters<Script>[0]) => unknown | Reply): Script =>
    (asked) => {
      const given = obeys(asked);
      return typeof given === "object" && given !== null && "status" in given
        ? (given as Reply)
        : { text: JSON.stringify(given), asTool: asked.body.tools !== undefined };
    };

  it.each<[string, Script, string]>([
    [
      "schema, where it is enforced",
      probes(({ body }) => onlyValue(body.response_format!.json_schema!.schema)),
      "schema",
    ],
    [
      "tool, where a schema is accepted and ignored",
      probes(({ body }) =>
        body.tools === undefined ? { word: "hello" } : onlyValue(body.tools[0]!.function.parameters),
      ),
      "tool",
    ],
    [
      "tool, where response_format is refused",
      probes(({ body }) =>
        body.tools === undefined ? { status: 400 } : onlyValue(body.tools[0]!.function.parameters),
      ),
      "tool",
    ],
    ["text, where both are ignored", probes(() => ({ word: "hello" })), "text"],
    ["text, where both are refused", probes(() => ({ status: 422 })), "text"],
  ])("finds %s", async (_, script, rung) => {
    const { asked } = await served.start(script);
    const asking = served.client({ capability: undefined as never });
    expect(await asking.capability(request().signal)).toBe(rung);
    const count = asked.length;
    expect(await asking.capability(request().signal)).toBe(rung);
    expect(asked.length).toBe(count);
    for (const { body } of asked) expect(body.tools !== undefined && body.response_format !== undefined).toBe(false);
  });

  it.each(["schema", "tool"] as const)("is alone in its request, whatever else is wanted: %s", async (capability) => {
    const { asked } = await served.start([{ text: RIGHT }]);
    const extra = { response_format: { type: "json_object" }, tools: [], tool_choice: "auto", top_p: 1 };
    await served.client({ capability, extra }).ask(request());
    const sent = asked[0]!.body as unknown as Record<string, unknown>;
    expect(sent.top_p).toBe(1);
    const forms = ["response_format", "tools", "tool_choice"].filter((name) => Object.hasOwn(sent, name));
    expect(forms).toEqual(capability === "schema" ? ["response_format"] : ["tools", "tool_choice"]);
    expect(JSON.stringify(sent)).not.toContain("json_object");
  });

  it("does not take a server that is down for one without", async () => {
    await served.start([{ status: 401 }]);
    const error = await failure(served.client({ capability: undefined as never }).capability(request().signal));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status: 401 } });
  });
});
