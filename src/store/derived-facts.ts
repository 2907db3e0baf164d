// What a core says to those who derive from it: its erasures, and which history it is.
import type { Erasure, StoreFacts } from "../derived/erasures.js";
import { chainText } from "../log/chain.js";
import type { NativeCore } from "../native/store.js";
import { withView } from "./views.js";

export function derivedFacts(core: NativeCore): StoreFacts {
  return withView(core, null, (view) => {
    const flat = view.erasures();
    const erasures = Array.from(
      { length: flat.length / 2 },
      (_, i): Erasure => ({ tx: flat[2 * i]!, firstTx: flat[2 * i + 1]! }),
    );
    const chains = new Map<number, string>();
    const chainAt = (tx: number): string => {
      const known = chains.get(tx) ?? withView(core, null, (newest) => chainText(newest.commit(tx).chain));
      chains.set(tx, known);
      return known;
    };
    return { headTx: view.tx, erasures, chainAt };
  });
}
