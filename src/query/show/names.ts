// SHOW LABELS, TYPES and PROPERTIES: the names that the store knows at the pin in force.
import type { Name } from "../../../grammar/ast.js";
import { compareCodePoints, sortedSet } from "../../contract/code-points.js";
import type { CatalogueAtPin } from "../compile/catalogue.js";
import { unknownName } from "../compile/problem.js";
import type { AnswerRow } from "../statements/answer.js";

/** Properties of versions believed at the pin. */
const propertiesOf = (catalogue: CatalogueAtPin, of: "labels" | "types", name: string) =>
  catalogue.properties(of === "labels" ? "nodes" : "edges", [name]);

function named(catalogue: CatalogueAtPin, of: "labels" | "types"): AnswerRow[] {
  const column = of === "labels" ? "label" : "type";
  return [...catalogue.names(of)].map((name) => ({
    [column]: name,
    properties: sortedSet([...propertiesOf(catalogue, of, name).keys()]),
  }));
}

export const labels = (catalogue: CatalogueAtPin): AnswerRow[] => named(catalogue, "labels");
export const types = (catalogue: CatalogueAtPin): AnswerRow[] => named(catalogue, "types");

export function properties(catalogue: CatalogueAtPin, of: Name | null): AnswerRow[] {
  const rows = (["labels", "types"] as const).flatMap((names) =>
    [...catalogue.names(names)]
      .filter((name) => of === null || name === of.text)
      .flatMap((name) =>
        [...propertiesOf(catalogue, names, name)].map(([property, type]) => ({
          property,
          of: name,
          kind: names === "labels" ? "label" : "type",
          type,
        })),
      ),
  );
  if (of !== null) {
    const known = [...catalogue.names("labels"), ...catalogue.names("types")];
    if (!known.includes(of.text)) {
      unknownName(of, `no label or type ${JSON.stringify(of.text)}`, of.text, known, "SHOW LABELS, SHOW TYPES");
    }
  }
  const order = (row: (typeof rows)[number]): string => `${row.property}\0${row.kind}\0${row.of}`;
  return rows.sort((a, b) => compareCodePoints(order(a), order(b)));
}
