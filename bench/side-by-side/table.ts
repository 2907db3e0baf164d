// The figures as Markdown: per family and scale every question by system with ratios to ours, then what was measured of this project
// alone. Pure: documents in, text out.

import { limitsOf } from "../registry/gates.js";
import type { QuestionId } from "../registry/questions.js";
import { type AnsweredCell, type Cell, isAnswered, type SystemDocument } from "../runner/document.js";
import type { Figure } from "../runner/figures.js";
import { isMet } from "../runner/figures.js";
import type { Machine } from "../runner/machine.js";

export interface WorkloadResult {
  readonly workload: string;
  readonly scale: number;
  readonly machine: Machine;
  readonly commit: string;
  readonly figures: readonly Figure[];
}

export function shownNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

const shownRatio = (ratio: number) => `${shownNumber(Number(ratio.toPrecision(2)))}×`;

/** Whether an answer counts in a comparison: right, or right as far as it goes. */
function isSound(cell: Cell | undefined): boolean {
  return isAnswered(cell) && cell.difference === undefined;
}

function shownCell(cell: Cell | undefined, ours: Cell | undefined): string {
  if (!isAnswered(cell)) return "–";
  const mark = cell.difference !== undefined ? "≠ " : cell.withheld !== undefined ? "~ " : "";
  const ratio = isAnswered(ours) ? ` (${shownRatio(cell.median_ms / ours.median_ms)})` : "";
  return `${mark}${shownNumber(cell.median_ms)}${ratio}`;
}

function gateCell(id: string, scale: number, ours: Cell | undefined): string {
  const limits = limitsOf(id as QuestionId, scale);
  if (limits === null) return "";
  const verdict = !isAnswered(ours) ? "" : ours.median_ms <= limits.gate ? ", met" : ", **missed**";
  return `${shownNumber(limits.gate)}${verdict}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function questionRow(id: string, ours: SystemDocument, others: readonly SystemDocument[]): string {
  const own = ours.queries[id];
  const cells = others.map(({ queries }) => queries[id]);
  const sound = cells.filter(isSound).flatMap((cell) => (isAnswered(cell) ? [cell.median_ms] : []));
  const lead = isAnswered(own) && sound.length > 0 ? shownRatio(Math.min(...sound) / own.median_ms) : "";
  const shownOwn = isAnswered(own) ? shownNumber(own.median_ms) : "–";
  return row([id, gateCell(id, ours.scale, own), shownOwn, ...cells.map((cell) => shownCell(cell, own)), lead]);
}

function loadRows(documents: readonly SystemDocument[]): string[] {
  const bytes = (value: number | null) => (value === null || value === 0 ? "–" : shownNumber(value / 1e6));
  const of = (name: string, show: (document: SystemDocument) => string) =>
    row([`*${name}*`, "", ...documents.map(show), ""]);
  return [
    of("load, s", ({ load }) => `${shownNumber(load.seconds)}${load.durable ? "" : " (not durable)"}`),
    of("MB on disk", ({ load }) => bytes(load.bytes_on_disk)),
    of("MB resident after load", ({ load }) => (load.resident_mb === null ? "–" : shownNumber(load.resident_mb))),
  ];
}

/** Why a cell is marked, and how quiet it was. */
function remarks(documents: readonly SystemDocument[]): string[] {
  const lines = documents.flatMap(({ peer, queries }) =>
    Object.entries(queries).flatMap(([id, cell]): string[] => {
      if (!isAnswered(cell)) return cell.unsupported === "" ? [] : [`- ${id}, ${peer}: – ${cell.unsupported}`];
      if (cell.difference !== undefined) return [`- ${id}, ${peer}: ≠ ${cell.difference}`];
      if (cell.withheld !== undefined) return [`- ${id}, ${peer}: ~ not whole: ${cell.withheld.join(", ")}`];
      return [];
    }),
  );
  const timed = documents.map(({ peer, queries }) => ({ peer, cells: Object.values(queries).filter(isAnswered) }));
  const ofEach = (value: (cells: readonly AnsweredCell[]) => number) =>
    timed.map(({ peer, cells }) => `${peer} ${value(cells)}`).join(", ");
  return [
    ...lines,
    `- Rounds, of which the quietest counts: ${ofEach((cells) => Math.max(0, ...cells.map((cell) => cell.round_medians_ms.length)))}.`,
    `- Cores that other processes used meanwhile, median of the cells: ${ofEach((cells) => middle(cells.map((cell) => cell.others_cores)))}.`,
  ];
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function familyTable(ours: SystemDocument, others: readonly SystemDocument[]): string[] {
  const documents = [ours, ...others];
  const heads = documents.map(({ peer, version }) => `${peer} ${version}`);
  const family = ours.family === "intervals" ? "Corrected interval edges" : "Power-law events";
  const ids = Object.keys(ours.queries);
  return [
    `### ${family}, ${ours.scale.toLocaleString("en-US")}`,
    "",
    row(["ms", "gate", ...heads, "best other ÷ ours"]),
    row(["---", "---", ...documents.map(() => "---:"), "---:"]),
    ...ids.map((id) => questionRow(id, ours, others)),
    ...loadRows(documents),
    "",
    ...remarks(documents),
    "",
  ];
}

function figureRow(figure: Figure): string {
  const { name, value, unit, gate } = figure;
  const met = isMet(figure);
  const bound = gate === undefined ? "" : `${gate.better === "lower" ? "≤" : "≥"} ${shownNumber(gate.limit)}`;
  return row([name, `${shownNumber(value)} ${unit}`, bound, met === null ? "" : met ? "met" : "**missed**"]);
}

function workloadTable({ workload, scale, figures }: WorkloadResult): string[] {
  return [
    `### \`${workload}\`, ${scale.toLocaleString("en-US")}`,
    "",
    row(["figure", "value", "gate", ""]),
    row(["---", "---:", "---:", "---"]),
    ...figures.map(figureRow),
    "",
  ];
}

function machines(documents: readonly SystemDocument[], results: readonly WorkloadResult[]): string[] {
  const measured = [...documents.filter(({ commit }) => commit !== undefined), ...results];
  const shown = measured.map(({ machine, commit }) => {
    const { cpu, cores, memory_gb, node } = machine;
    return `${cpu}, ${cores} cores, ${memory_gb} GB, Node ${node}; commit ${commit?.slice(0, 12)}`;
  });
  return [...new Set(shown)].map((line) => `- ${line}`);
}

/** The generated part of the README: all families and scales at which this project was measured, then its own workloads. */
export function renderFigures(documents: readonly SystemDocument[], results: readonly WorkloadResult[]): string {
  if (documents.length + results.length === 0) return "None are kept.";
  const ours = documents.filter(({ commit }) => commit !== undefined);
  const order = (a: SystemDocument, b: SystemDocument) =>
    a.family === b.family ? a.scale - b.scale : a.family === "intervals" ? -1 : 1;
  const tables = [...ours].sort(order).flatMap((own) =>
    familyTable(
      own,
      documents.filter((other) => other !== own && other.family === own.family && other.scale === own.scale),
    ),
  );
  return [
    "Measured on:",
    "",
    ...machines(documents, results),
    "",
    "In brackets how many times our median a system takes. ≠: its answer is another one, ~: a part of it cannot be had whole, –: it cannot",
    'answer, or was not asked. "Best other" is the fastest of those whose answer is right.',
    "",
    ...tables,
    ...results.flatMap(workloadTable),
  ]
    .join("\n")
    .trimEnd();
}
