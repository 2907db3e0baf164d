// Lets go of a store, a view, a stop token, a listener, running work and its result in every order, by closing or by
// dropping, with forced collections between; whatever is left must still work or say that it is closed.
import assert from "node:assert/strict";
import { open } from "../../../src/database.js";
import { OperationEncoder } from "../../../src/log/operations/encode.js";
import { readOperation } from "../../../src/log/operations/read-operation.js";
import type { RowOperation } from "../../../src/log/operations/types.js";
import { addon, type StopToken } from "../../../src/native/addon.js";
import type { NativeCore, NativeView } from "../../../src/native/store.js";
import { tables } from "../../../src/native/tables.js";
import { messages, person } from "../../support/small-batches.js";
import { collect } from "./collect.js";

const NAMES = ["core", "view", "listener", "lines"] as const;
type Name = (typeof NAMES)[number];

function* orders<T>(of: readonly T[]): Generator<T[]> {
  if (of.length === 0) yield [];
  for (const first of of) for (const rest of orders(of.filter((each) => each !== first))) yield [first, ...rest];
}

function operations(count: number): Uint8Array {
  const encoder = new OperationEncoder();
  for (let i = 0; i < count; i += 1) encoder.add(readOperation(person(`n${i}`), "/0", true) as RowOperation);
  return encoder.take();
}
const SMALL = operations(3);
const LARGE = operations(3000);

interface Held {
  core: NativeCore | undefined;
  view: NativeView | undefined;
  stop: StopToken;
  lines: (() => Promise<Uint8Array | null>) | undefined;
}

async function hold(key: string | null): Promise<Held> {
  const core = addon.openCore(key);
  assert.equal(core.acquireWriter(), true);
  core.stageOps(SMALL, 0);
  await core.seal(1000n);
  core.subscribe(() => undefined);
  core.publish(new Uint8Array(32));
  const view = core.view(null);
  return { core, view, stop: addon.createStop(null, null, null), lines: tables.digestLines(view) };
}

async function letGo(held: Held, name: Name, isDropped: boolean): Promise<void> {
  if (name === "core") {
    if (!isDropped) held.core?.close();
    held.core = undefined;
  } else if (name === "view") {
    if (!isDropped) held.view?.release();
    held.view = undefined;
  } else if (name === "listener") {
    held.stop.cancel();
    held.core?.subscribe(null);
  } else {
    // Work that is still running while the rest goes, and its result long after.
    const first = held.lines?.();
    held.lines = undefined;
    await collect();
    assert.ok((await first)!.length > 0);
  }
}

let count = 0;
for (const order of [...orders(NAMES), ...orders(NAMES)]) {
  const isDropped = count < 24;
  const key = count % 3 === 0 ? null : `lifetime:${count}`;
  const held = await hold(key);
  for (const name of order) {
    await letGo(held, name, isDropped);
    await collect();
    if (held.view !== undefined) assert.equal(held.view.commit(1).nodes, 3);
    if (held.core !== undefined) assert.equal(held.core.publishedTx, 1);
  }
  count += 1;
}
console.log(`${count} orders`);

// A writer that is collected without having been closed gives the right back, and what it had staged is forgotten.
{
  const reader = addon.openCore("lifetime:token");
  const staged = async () => {
    const writer = addon.openCore("lifetime:token");
    assert.equal(writer.acquireWriter(), true);
    assert.equal(reader.acquireWriter(), false);
    writer.stageOps(SMALL, 0);
  };
  await staged();
  for (let i = 0; i < 50 && !reader.acquireWriter(); i += 1) await collect();
  assert.equal(reader.acquireWriter(), true);
  reader.stageOps(operations(1), 0);
  await reader.seal(1n);
  reader.publish(new Uint8Array(32));
  assert.equal(reader.view(null).commit(1).nodes, 1);
}

// A writer that is closed while its batch is staged on the pool keeps the right until that has ended.
{
  const first = addon.openCore("lifetime:busy");
  const second = addon.openCore("lifetime:busy");
  assert.equal(first.acquireWriter(), true);
  const running = first.stageOps(LARGE, 0);
  assert.throws(() => first.stageOps(SMALL, 0), /still running/);
  assert.throws(() => first.abort(), /still running/);
  first.close();
  assert.equal(second.acquireWriter(), false);
  await running;
  await collect();
  assert.equal(second.acquireWriter(), true);
  second.stageOps(SMALL, 0);
  assert.equal(await second.seal(1n), 1);
}

// Databases, dropped open and closed while work runs.
for (let round = 0; round < 6; round += 1) {
  let db: Awaited<ReturnType<typeof open>> | undefined = await open(":memory:");
  await db.ingest(messages(5000), { type: "M" });
  const running = [db.digest(), db.call("scan", { of: "events", limit: 10 }), db.write([person("late")])];
  const closed = round % 2 === 0 ? db.close() : undefined;
  db = undefined;
  await collect();
  await Promise.all(running);
  await closed;
  await collect();
}
console.log("ok");
