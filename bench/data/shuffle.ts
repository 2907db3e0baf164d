// A seeded order of 0 … count-1, for data that arrives out of order and for corrections all over a store.
// Fisher-Yates over the same 64-bit mixing as the generators.

import { finalise64 } from "./mix64.js";

export function shuffledOrder(count: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  const word = new Uint32Array(2);
  for (let last = count - 1; last > 0; last--) {
    finalise64(seed, last, word);
    const upper53 = (word[1] as number) * 0x20_0000 + ((word[0] as number) >>> 11);
    const chosen = upper53 % (last + 1);
    const moved = order[last] as number;
    order[last] = order[chosen] as number;
    order[chosen] = moved;
  }
  return order;
}
