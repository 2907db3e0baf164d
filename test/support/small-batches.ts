// Small operations and columns for tests of the store, where it does not matter much what is written.
import type { EventInput } from "../../src/store/event-input.js";

const SINCE = { valid_from: "2020-01-01T00:00:00Z" };

export const person = (uid: string, props: Record<string, unknown> = {}) =>
  ({ op: "assert_node", uid, labels: ["P"], props, ...SINCE }) as const;
export const knows = (src: string, dst: string) => ({ op: "assert_edge", src, type: "KNOWS", dst, ...SINCE }) as const;
/** Fails with E_NOT_FOUND as long as nobody wrote the uid. */
export const retraction = (uid: string) => ({ op: "retract", ref: { uid }, ...SINCE }) as const;

/** `count` messages among ten people, one each microsecond. */
export function messages(count: number): EventInput {
  const people = Array.from({ length: 10 }, (_, i) => `p${i}`);
  const column = (step: number) => ({
    values: people,
    codes: Uint32Array.from({ length: count }, (_, i) => (i * step) % people.length),
  });
  return { src: column(1), dst: column(3), time: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)) };
}
