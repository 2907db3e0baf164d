// Writes docs/plan.schema.json, the published form of plans. Run by `npm run docs:plan`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { planSchemaText } from "../src/plan/schema.js";

writeFileSync(join(import.meta.dirname, "../docs/plan.schema.json"), planSchemaText());
