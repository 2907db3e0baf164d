// TQL: text to trees and back. What other folders may use of the language.
// Nothing here loads Chevrotain before the first parse.
export type * from "./ast.js";
export { isPatternBody } from "./ast.js";
export {
  type Candidate,
  type CandidateKind,
  type CompletionNames,
  type Completions,
  completions,
} from "./completion.js";
export { nearest } from "./errors/near.js";
export type { SyntaxProblem } from "./errors/problem.js";
export { type Renderable, renderProblem } from "./errors/render.js";
export { isReserved, RESERVED, SOFT } from "./keywords.js";
export {
  type Parsed,
  type ParsedQuery,
  type ParsedStatement,
  parseScript,
  parseSelect,
  parseStatement,
} from "./parse.js";
export { printExpr } from "./printer/expressions.js";
export { printAnyName, printName, printString } from "./printer/names.js";
export { printLabels } from "./printer/patterns.js";
export { printQuery } from "./printer/queries.js";
export { printStatement } from "./printer/statements.js";
export { printPeriod } from "./printer/times.js";
