// `palimpsest run`: a trace on standard output, and --check, which finds what was changed in one.
import { expect, it } from "vitest";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();

it("runs a plan, and checks its trace", { timeout: 60_000 }, async () => {
  const events = cli.file("events.csv", "src,dst,time\na,b,2020-01-01T00:00:10Z\nb,c,2020-01-01T00:00:12Z\n");
  await cli.run("load", "store", events, "--src", "src", "--dst", "dst", "--time", "time", "--unit", "iso");
  const plan = JSON.stringify({
    steps: [{ id: "s1", op: "temporal_reachability", args: { uid: "a" } }],
    answer: { kind: "entity_set", from: "s1.rows[*].uid" },
  });
  const { exitCode, out } = await cli.runWith(plan, "run", "store", "-");
  expect(exitCode).toBe(0);
  const trace = JSON.parse(out) as { answer: { value: unknown }; steps: { rows_total: number }[] };
  expect(trace.answer.value).toEqual(["b", "c"]);

  const same = await cli.run("run", "store", cli.file("plan.json", plan), "--check", cli.file("trace.json", out));
  expect([same.exitCode, same.err]).toEqual([0, ""]);
  expect(same.out).toMatch(/^same: trace [0-9a-f]{64}\n$/);

  trace.steps[0]!.rows_total = 3;
  const changed = await cli.run("run", "store", "--check", cli.file("changed.json", JSON.stringify(trace)));
  expect(changed.exitCode).toBe(1);
  expect(changed.err).toMatch(/^E_STATE: step s1 differs: rows_total is 3 in the trace and 2 in the run\n/);

  // What readers may take for either of two values is no trace, and neither is what is no object.
  const twice = out.replace('"rows_total":2', '"rows_total":9,"rows_total":2');
  expect(twice).not.toBe(out);
  const ambiguous = await cli.run("run", "store", "--check", cli.file("twice.json", twice));
  expect([ambiguous.exitCode, ambiguous.err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: .*a second key/)]);
  for (const nothing of ["null", "[]", "5", '""']) {
    const refused = await cli.run("run", "store", "--check", cli.file("nothing.json", nothing));
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringMatching(/^E_SCHEMA: this is no trace/)]);
  }
  const beside = await cli.run("run", "store", "plan.json", "--check", "nothing.json");
  expect([beside.exitCode, beside.err]).toEqual([
    1,
    expect.stringMatching(/^E_STATE: the trace is that of another plan/),
  ]);

  const broken = await cli.runWith(plan.replace("s1.rows[*].uid", "s1.rows_total"), "run", "store", "-");
  expect([broken.exitCode, broken.out]).toEqual([1, ""]);
  expect(broken.err).toMatch(/^E_PLAN_INVALID: /);
  expect((await cli.runWith("{}", "run", "store", "-")).err).toMatch(
    /^E_PLAN_INVALID: the plan does not verify: steps are/,
  );
  expect((await cli.run("run", "store", "absent.json")).err).toBe(
    "E_IO: absent.json: there is no such file\nhint: look whether the path is right\n",
  );
  expect((await cli.run("run", "store")).exitCode).toBe(2);
});
