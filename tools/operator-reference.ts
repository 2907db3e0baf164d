// Writes docs/operators.md from the declarations. Run by `npm run docs:operators`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operatorReference } from "../src/manual/markdown.js";

writeFileSync(join(import.meta.dirname, "../docs/operators.md"), operatorReference());
