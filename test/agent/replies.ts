// How a scripted model tells requests apart, and what it says to them.
import type { Asked, Reply } from "./model-server.js";

/** Whether a request asks for a report. */
export const isReport = ({ body }: Asked): boolean => body.messages[0]!.content.includes("You word the answer");

/** A text as it is, anything else as JSON. */
export const said = (value: unknown): Reply & { readonly text: string } => ({
  text: typeof value === "string" ? value : JSON.stringify(value),
});
