import type { Column } from "./wire.ts";

/** A figure with what another period had of it, and how much that changed, where the answer says so. */
type Figure = { readonly column: Column; readonly before: Column | undefined; readonly change: Column | undefined };

/** The columns as figures: what is before or changed of another one belongs to that one. */
export const toFigures = (columns: readonly Column[]): readonly Figure[] => {
  const named = (name: string) => columns.find((column) => column.name === name);
  const figures = columns.map((column) => {
    const before = named(`${column.name}_before`);
    return { column, before, change: before && named(`${column.name}_change`) };
  });
  const beside = new Set(figures.flatMap(({ before, change }) => [before, change]));
  return figures.filter(({ column }) => !beside.has(column));
};
