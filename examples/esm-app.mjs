// An application of ES modules: writes what it learns, asks what holds, and what was believed before.
// Run: node examples/esm-app.mjs [store]; without a store nothing is kept.
import { open, PalimpsestError } from "palimpsest";

const db = await open(process.argv[2] ?? ":memory:");
try {
  const { tx } = await db.write([
    { op: "assert_node", uid: "ward 7", labels: ["Ward"], props: { beds: 24 }, valid_from: "2025-01-01" },
    { op: "assert_edge", src: "ana", type: "WORKS_ON", dst: "ward 7", props: { fte: 0.8 }, valid_from: "2025-01-01" },
  ]);
  await db.write([
    {
      op: "correct",
      mode: "patch",
      ref: { src: "ana", type: "WORKS_ON", dst: "ward 7" },
      props: { fte: 1 },
      valid_from: "2025-03-01",
      reason: "her contract says so",
    },
  ]);

  // The editor knows the columns of a text that stands in the program: row.fte is there, row.hours is not.
  const question = "SELECT w.src, w.fte FROM EDGES(WORKS_ON) FOR VALID_TIME AS OF DATE '2025-04-01' AS w";
  for await (const row of db.query(question)) console.log(`${row.src}: ${row.fte} now`);
  const before = await db.session({ pin: `tx:${tx}` }).query(question);
  console.log(`${before.rows[0]?.src}: ${before.rows[0]?.fte} as we believed at tx:${tx}`);

  // Errors have codes; texts are for people.
  await db.write([{ op: "retract", ref: { uid: "nobody" }, valid_from: "2025-01-01" }]);
} catch (error) {
  if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
  console.log(`refused: ${error.code}`);
} finally {
  await db.close();
}
