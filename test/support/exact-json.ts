// The exact JSON reader of the reference engine, for tests: it shares no code with the product's own.

export { parseExactJson } from "../../src/reference/exact-json.js";
