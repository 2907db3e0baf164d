// Prints the size of every part of every system text for models. Run by `npm run prompts`, with a question that the one for
// a small context is made for.
import { sizeReport } from "../src/agent/prompt/size-report.js";

const QUESTION = "Who sent the most messages in May 2020, and whom could they reach?";

console.log(sizeReport(process.argv.slice(2).join(" ") || QUESTION));
