// The schemas that hold themselves, by the names with which they refer to each other.
import type { TSchema } from "typebox";
import { PredSchema } from "../contract/schemas.js";
import { COLUMN_EXPRESSION, ColumnExpressionSchema } from "./expressions/schema.js";

export const RECURSIVE_SCHEMAS: Readonly<Record<string, TSchema>> = {
  Pred: PredSchema,
  [COLUMN_EXPRESSION]: ColumnExpressionSchema,
};
