// An open database as writes take it.
import { Database } from "../../database.js";
import type { ReadableState } from "../../query/index.js";
import type { WritableStore } from "./write.js";

export const writableStore = (db: Database, state: ReadableState): WritableStore => ({
  state,
  committed: (key) => Database.committed(db, key),
  keysUnder: (prefix) => Database.keysUnder(db, prefix),
  write: (ops, options) => db.write(ops as unknown as Parameters<Database["write"]>[0], options),
  settle: () => db.checkpoint(),
});
