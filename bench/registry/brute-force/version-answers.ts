// Brute force for the questions that show versions: histories, the snapshot around a node, the difference of two instants.

import { NODE_LABEL, nodeName } from "../../data/corrected-intervals.js";
import { byCanonicalText, compareRows, type Json, whole } from "../normal-forms.js";
import type { DiffQuestion, HistoryQuestion, SnapshotQuestion } from "../questions.js";
import type { EdgeVersion, IntervalFacts } from "./interval-facts.js";

const orNull = (to: number) => (to === Number.POSITIVE_INFINITY ? null : to);
const weightProps = (weight: number): Json => (weight === 0 ? {} : { weight });
const nameProps = (name: string): Json => (name === "" ? {} : { name });

export function history(facts: IntervalFacts, { node, tx }: HistoryQuestion): Json {
  const versions = facts.nodeVersions(node, tx);
  return whole(versions.map(({ from, to, content }) => [[NODE_LABEL], from, orNull(to), nameProps(content)]));
}

export function snapshot(facts: IntervalFacts, { node: seed, hops, at }: SnapshotQuestion): Json {
  const valid: EdgeVersion[] = [];
  for (const version of facts.versions()) if (version.from <= at && at < version.to) valid.push(version);
  const hop = new Map([[seed, 0]]);
  for (let distance = 1; distance <= hops; distance++) {
    const front = new Set([...hop].filter(([, nodeHop]) => nodeHop === distance - 1).map(([node]) => node));
    for (const { event } of valid) {
      const src = facts.src(event);
      const dst = facts.dst(event);
      if (front.has(src) && !hop.has(dst)) hop.set(dst, distance);
      if (front.has(dst) && !hop.has(src)) hop.set(src, distance);
    }
  }
  const edges = valid
    .filter(({ event }) => hop.has(facts.src(event)) && hop.has(facts.dst(event)))
    .map(({ event, from, to }): Json[] => [...facts.ends(event), from, orNull(to)]);
  return {
    nodes: whole([...hop].map(([node, nodeHop]) => [nodeName(node), nodeHop]).sort(compareRows)),
    edges: whole(edges.sort(compareRows)),
  };
}

interface Corner {
  readonly edges: Map<number, number>;
  readonly nodes: Map<number, string>;
}

function cornerAt(facts: IntervalFacts, at: number): Corner {
  const edges = new Map<number, number>();
  for (const { event, from, to, weight } of facts.versions()) if (from <= at && at < to) edges.set(event, weight);
  const nodes = new Map<number, string>();
  for (let node = 0; node < facts.nodeCount; node++) {
    const valid = facts.nodeVersions(node, null).find(({ from, to }) => from <= at && at < to);
    if (valid !== undefined) nodes.set(node, valid.content);
  }
  return { edges, nodes };
}

function onlyIn<Content>(here: Map<number, Content>, there: Map<number, Content>): number[] {
  return [...here.keys()].filter((key) => !there.has(key));
}

function changed<Content>(here: Map<number, Content>, there: Map<number, Content>): number[] {
  return [...here.keys()].filter((key) => there.has(key) && there.get(key) !== here.get(key));
}

export function diff(facts: IntervalFacts, { left, right }: DiffQuestion): Json {
  const before = cornerAt(facts, left);
  const after = cornerAt(facts, right);
  const edgeRow = (event: number): Json[] => facts.ends(event);
  const lists: { [name: string]: Json[] } = {
    nodes_added: onlyIn(after.nodes, before.nodes).map(nodeName).sort(),
    nodes_removed: onlyIn(before.nodes, after.nodes).map(nodeName).sort(),
    nodes_changed: changed(before.nodes, after.nodes)
      .map((node): Json[] => [
        nodeName(node),
        nameProps(before.nodes.get(node) as string),
        nameProps(after.nodes.get(node) as string),
      ])
      .sort(compareRows),
    edges_added: onlyIn(after.edges, before.edges).map(edgeRow).sort(compareRows),
    edges_removed: onlyIn(before.edges, after.edges).map(edgeRow).sort(compareRows),
    edges_changed: byCanonicalText(
      changed(before.edges, after.edges).map((event) => [
        ...facts.ends(event),
        weightProps(before.edges.get(event) as number),
        weightProps(after.edges.get(event) as number),
      ]),
    ),
  };
  const totals = Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
  return { totals, ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, whole(rows)])) };
}
