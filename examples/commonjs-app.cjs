// An application of CommonJS: the package is one of ES modules, so that it comes by import() and not by require().
// Run: node examples/commonjs-app.cjs [store]; without a store nothing is kept.
async function main() {
  const { open } = await import("palimpsest");
  const db = await open(process.argv[2] ?? ":memory:");
  try {
    const calls = { src: ["ana", "ben", "ana"], dst: ["ben", "cleo", "cleo"] };
    const time = BigInt64Array.from([9, 10, 11], (hour) => BigInt(Date.UTC(2025, 0, 1, hour)) * 1000n);
    await db.ingest({ ...calls, time }, { type: "CALLED", nodeLabels: ["Person"] });
    const reached = await db.call("temporal_reachability", { uid: "ana", ties: "strict" });
    for (const { uid, arrival } of reached.rows) console.log(`ana reaches ${uid} at ${arrival}`);
  } finally {
    await db.close();
  }
}

main().catch((error) => {
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
});
