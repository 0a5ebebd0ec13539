import { ValidationError } from "../../serve/errors.ts";

interface Row {
  readonly id?: string | undefined;
}

interface Written {
  readonly previous: object | undefined;
  newId(): string;
}

/**
 * Gives new rows an id; throws 422 where two rows of one array have the same one. In a document that is
 * new all rows are, too: it may be a copy of one whose rows keep theirs.
 */
export function withRowIds<R extends Row>(
  rows: readonly R[],
  field: string,
  { previous, newId }: Written,
): (R & { id: string })[] {
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    if (row.id !== undefined && seen.has(row.id)) {
      const msg = `Another row has the id ${row.id}: each row needs its own, or none to get a new one.`;
      throw new ValidationError([{ loc: ["body", field, index, "id"], msg, type: "duplicate_id", input: row.id }]);
    }
    if (row.id !== undefined) seen.add(row.id);
  });
  return rows.map((row) => ({ ...row, id: (previous && row.id) ?? newId() }));
}
