// What is found in a question, before it has a name of its own.
import type { JsonValue } from "../../contract/values.js";
import type { MentionKind } from "../types.js";
import type { Span } from "./cover.js";

export interface Found extends Span {
  readonly kind: MentionKind;
  readonly uid?: string;
  readonly value?: JsonValue;
}
