// The brute-force answer to every question: the expectation at scales and in variants without a published digest.

import type { PowerLaw } from "../../data/power-law.js";
import type { Json } from "../normal-forms.js";
import type { IntervalQuestion, PowerLawQuestion } from "../questions.js";
import { aggregate, bursts, cycles, series } from "./event-answers.js";
import type { IntervalFacts } from "./interval-facts.js";
import { coActive, evolution, resolve } from "./node-answers.js";
import { powerLawArrivals, powerLawMotifs } from "./power-law-answers.js";
import { diff, history, snapshot } from "./version-answers.js";
import { paths, reach } from "./walk-answers.js";

export function bruteForce(facts: IntervalFacts, question: IntervalQuestion): Json {
  switch (question.id) {
    case "hist.single":
    case "hist.asof":
      return history(facts, question);
    case "snap.hop2":
      return snapshot(facts, question);
    case "diff.global":
      return diff(facts, question);
    case "reach.window":
      return reach(facts, question);
    case "paths.k":
      return paths(facts, question);
    case "series.count":
      return series(facts, question);
    case "burst.zscore":
      return bursts(facts, question);
    case "nbr.evolution":
      return evolution(facts, question);
    case "coactive.narrow":
      return coActive(facts, question);
    case "resolve.substr":
      return resolve(facts, question);
    case "agg.rel_bucket":
      return aggregate(facts, question);
    case "motif.filtered":
      return cycles(facts, question);
  }
}

export function powerLawBruteForce(list: PowerLaw, question: PowerLawQuestion): Json {
  return question.id === "arrival.node0"
    ? powerLawArrivals(list, question.node)
    : powerLawMotifs(list, question.deltaSeconds);
}
