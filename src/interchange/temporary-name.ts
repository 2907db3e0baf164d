// What a file is called until it is whole: a name beside its own, which nobody else uses, also in this process.
import { randomBytes } from "node:crypto";

export const temporaryName = (path: string): string => `${path}.${randomBytes(6).toString("hex")}.part`;
