// A dry run in lines for people, by code: nothing of the store or of a model stands in it unescaped.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject } from "../../contract/values.js";
import { type Medium, shownCode, shownText } from "../words/media.js";
import { shownInterval } from "../words/values.js";
import type { Figures } from "./dry-run.js";
import type { DryOp, DryVersion } from "./types.js";

/** Versions of one operation that are listed. */
const MOST_LISTED = 20;

function shownRef({ uid, src, type, dst, key }: JsonObject, medium: Medium): string {
  const code = (text: unknown): string => shownCode(text as string, medium);
  if (uid !== undefined) return code(uid);
  const named = key === "" ? "" : ` key ${code(key)}`;
  return `${code(src)} ${code(type)} ${code(dst)}${named}`;
}

function versionLine(what: string, { valid_from, valid_to, labels = [], props }: DryVersion, medium: Medium): string {
  const named = labels.map((label) => shownCode(label, medium)).join(" ");
  const content = [named, shownText(canonicalJson(props), medium)].filter((part) => part !== "").join(" ");
  return `   ${what} ${shownInterval(valid_from, valid_to)}: ${content}`;
}

function versionLines(what: string, versions: readonly DryVersion[], medium: Medium): string[] {
  const lines = versions.slice(0, MOST_LISTED).map((version) => versionLine(what, version, medium));
  const more = versions.length - MOST_LISTED;
  return more > 0 ? [...lines, `   ${what} ${more} more`] : lines;
}

function opLines({ op, ref, valid_from, valid_to, closes, creates }: DryOp, i: number, medium: Medium): string[] {
  return [
    `${i + 1}. ${op} ${shownRef(ref, medium)} ${shownInterval(valid_from, valid_to)}`,
    ...versionLines("closes", closes, medium),
    ...versionLines("writes", creates, medium),
  ];
}

export function dryRunText(
  { tx, ops, closed, created }: Figures,
  { reason, source }: { readonly reason: string; readonly source: string },
  medium: Medium,
): string {
  return [
    `at tx:${tx}: ${closed} versions close, ${created} appear`,
    ...ops.flatMap((op, i) => opLines(op, i, medium)),
    `reason: ${shownText(reason, medium)}`,
    `source: ${shownText(source, medium)}`,
  ].join("\n");
}
