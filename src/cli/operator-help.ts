// `palimpsest call … --help`: the manual of an operator, or the command's own help with the list of all.
import { operatorList, operatorManual } from "../manual/terminal.js";
import { print } from "./output.js";

/** `store` names the operator where nothing follows it: help needs no store. */
export async function operatorHelp(
  ofCommand: string,
  store: string | undefined,
  operator: string | undefined,
): Promise<void> {
  const named = operator ?? store;
  await print(named === undefined ? `${ofCommand}\n${operatorList()}` : operatorManual(named));
}
