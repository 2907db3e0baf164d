// A forced collection, and a turn of the event loop in which the finalizers run.
import { setImmediate } from "node:timers/promises";

const collectOnce = (globalThis as unknown as { gc(): void }).gc;

export async function collect(): Promise<void> {
  collectOnce();
  await setImmediate();
}
