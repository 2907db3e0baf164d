// Makes the bundle of the parser's library where a build has not: the tests run from the sources.
import { bundleChevrotain, isChevrotainFresh } from "../../tools/vendor.mjs";

export default async function setup(): Promise<void> {
  if (!isChevrotainFresh()) await bundleChevrotain();
}
