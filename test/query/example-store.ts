// A store with a handful of everything that the examples of the language ask for: nurses and wards, accounts that pay,
// flights, offices. Three commits in 2025, so that beliefs differ.
import { type Database, open } from "../../src/index.js";

type Props = Readonly<Record<string, unknown>>;
const instant = (text: string | null): string | null =>
  text === null || text.includes("T") ? text : `${text}T00:00:00Z`;

const node = (uid: string, labels: string, props: Props = {}, from = "2024-01-01") => ({
  op: "assert_node",
  uid,
  labels: labels.split(" "),
  props,
  valid_from: instant(from),
  valid_to: null,
});
const edge = (ends: string, type: string, from: string, to: string | null, props: Props = {}, key = "") => {
  const [src, dst] = ends.split(" ");
  return { op: "assert_edge", src, type, dst, key, props, valid_from: instant(from), valid_to: instant(to) };
};
const paid = (key: string, ends: string, from: string, amount: number, channel: string) =>
  edge(ends, "PAID", from, from.replace(/.Z$/, "1Z"), { amount, channel }, key);
const flight = (ends: string, carrier: string, fare: number, from: string, to: string) =>
  edge(ends, "FLIGHT", from, to, { carrier, fare }, from);

const FIRST = [
  node("nurse1", "Nurse", { name: "Åsa", grade: 5 }),
  node("nurse4", "Nurse", { name: "Berg", grade: 7 }),
  node("nurse9", "Nurse Trainee", { name: "Bo", grade: 3, mentor: "nurse1" }),
  node("w7", "Ward", { name: "North", order: 1 }),
  node("w8", "Ward", { name: "South" }),
  node("w9", "Ward", { name: "Attic", order: "last" }),
  node("w10", "Ward", { name: "East" }, "2025-01-15"),
  node("g1", "Group", { time: "am", range: 3 }),
  node("acc1", "Account"),
  node("acc2", "Account"),
  node("acc3", "Account"),
  node("acc7", "Account"),
  node("p1", "Person", { name: "Gaius" }, "-0100-01-01"),
  node("p3", "Person", { name: "Marcus" }, "1950-01-01"),
  node("consul", "Office"),
  node("OSL", "Airport"),
  node("TRD", "Airport"),
  node("SYD", "Airport"),
  edge("nurse1 w7", "WORKS_ON", "2025-01-06", "2025-04-01", { shift: "night" }),
  edge("nurse1 w8", "WORKS_ON", "2025-04-01", null, { shift: "day" }),
  edge("nurse4 w7", "WORKS_ON", "2025-02-03", "2025-03-31", { shift: "day" }),
  edge("nurse9 w7", "WORKS_ON", "2025-07-01", "2025-10-01", { shift: "night" }),
  edge("nurse9 w7", "WORKS_ON", "2025-10-05", "2025-12-01", { shift: "day" }, "again"),
  edge("nurse1 home", "ON_LEAVE", "2025-03-10", "2025-03-20"),
  edge("w7 nurse1", "HEADED_BY", "2024-01-01", "2025-02-01"),
  edge("w7 nurse4", "HEADED_BY", "2025-02-01", null),
  edge("w7 w8", "MOVED_TO", "2025-01-01", null),
  edge("p1 consul", "HOLDS", "-0044-01-01", "-0043-01-01"),
  edge("p3 consul", "HOLDS", "1990-02-01", "1990-06-01"),
  edge("p3 mayor", "HOLDS", "2000-01-01", null),
  edge("p1 p3", "SUCCEEDED_BY", "1990-01-01", null),
  edge("acc1 p3", "OWNED_BY", "2024-01-01", null),
  edge("acc2 p3", "OWNED_BY", "2024-01-01", null),
  edge("acc7 p1", "OWNED_BY", "2024-01-01", null),
  edge("acc1 bank", "FROZEN_BY", "2025-01-15", "2025-02-01"),
  paid("t1", "acc1 acc2", "2025-01-02T10:00:00Z", 100, "card"),
  paid("t2", "acc2 acc3", "2025-01-02T10:05:00Z", 96, "cash"),
  paid("t3", "acc3 acc1", "2025-01-02T10:09:00Z", 94, "card"),
  paid("t4", "acc2 acc1", "2025-01-05T08:00:00Z", 60, "card"),
  paid("t5", "acc1 acc3", "2025-01-20T08:00:00Z", 1200, "card"),
  flight("OSL TRD", "SK", 100, "2025-01-03T08:00:00Z", "2025-01-03T09:00:00Z"),
  flight("TRD SYD", "SK", 900, "2025-01-03T12:00:00Z", "2025-01-04T10:00:00Z"),
  flight("OSL SYD", "QF", 1500, "2025-01-12T07:00:00Z", "2025-01-13T06:00:00Z"),
  flight("SYD OSL", "QF", 1400, "2025-01-20T05:00:00Z", "2025-01-21T06:00:00Z"),
  flight("OSL OSL", "DY", 50, "2025-06-01T10:00:00Z", "2025-06-01T11:00:00Z"),
  flight("OSL TRD", "DY", 80, "2025-06-03T22:30:00Z", "2025-06-03T23:30:00Z"),
];
const SECOND = [
  {
    op: "correct",
    ref: { src: "nurse4", type: "WORKS_ON", dst: "w7", key: "" },
    mode: "patch",
    props: { shift: "night" },
    valid_from: "2025-02-03T00:00:00Z",
    valid_to: "2025-02-10T00:00:00Z",
    reason: "rota typed in wrong",
  },
];
const THIRD = [paid("t6", "acc1 acc2", "2025-01-25T08:00:00Z", 40, "cash")];

export async function exampleStore(): Promise<Database> {
  const db = await open(":memory:");
  await db.write(FIRST as never, { txTime: "2025-02-01T00:00:00Z" } as never);
  await db.write(SECOND as never, { txTime: "2025-03-03T00:00:00Z" } as never);
  await db.write(THIRD as never, { txTime: "2025-03-10T00:00:00Z" } as never);
  return db;
}
