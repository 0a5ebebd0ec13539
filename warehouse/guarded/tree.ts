import { publicColumns } from "../public-tables.ts";
import { WarehouseError } from "../warehouse.ts";

/** One object of a parser's syntax tree. */
export type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects in a value, lists in lists too. */
export function toNodes(value: unknown): readonly Tree[] {
  if (Array.isArray(value)) return value.flatMap(toNodes);
  return isTree(value) ? [value] : [];
}

/** Keywords that look like columns and reveal the installation. */
export const sessionWords = /^(current_(user|role|catalog|schema|database|query)|session_user|user|sqlite_version)$/i;

/** Refuses a text. `sentence` tells its author what was wrong, with the word, and what to do. */
export const refuse = (sentence: string, options?: ConstructorParameters<typeof WarehouseError>[2]): WarehouseError =>
  new WarehouseError("query_refused", sentence, options);

export const oneSelect = "Only one SELECT is possible here, and nothing beside it.";
export const noSuchTable = (name: string): string =>
  `There is no table "${name}". There are ${Object.keys(publicColumns).join(", ")}.`;
