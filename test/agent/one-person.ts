// A store of one person, for tests of what is sent to a model, whatever it is asked.
import { type Database, open } from "../../src/index.js";

export async function onePersonStore(): Promise<Database> {
  const db = await open(":memory:");
  await db.write([{ op: "assert_node", uid: "ada", labels: ["Person"], props: {}, valid_from: "2020-01-01" }]);
  return db;
}
