import { ValidationError } from "../../serve/errors.ts";

interface Row {
  readonly id?: string | undefined;
}

/** Gives rows without an id one; throws 422 where two rows of one array have the same one. */
export function withRowIds<R extends Row>(
  rows: readonly R[],
  field: string,
  { newId }: { newId(): string },
): (R & { id: string })[] {
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    if (row.id !== undefined && seen.has(row.id)) {
      const msg = `Another row has the id ${row.id}: each row needs its own, or none to get a new one.`;
      throw new ValidationError([{ loc: ["body", field, index, "id"], msg, type: "duplicate_id", input: row.id }]);
    }
    if (row.id !== undefined) seen.add(row.id);
  });
  return rows.map((row) => ({ ...row, id: row.id ?? newId() }));
}
