/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
}

/** A page past the middle is read from the other end, so that the last one costs what the first does. */
export function fromNearerEnd({ limit, offset, direction }: Page, total: number) {
  const rows = Math.max(0, Math.min(limit, total - offset));
  const reversed = offset > total / 2;
  const order: Page["direction"] = (direction === "asc") === reversed ? "desc" : "asc";
  return { order, limit: rows, offset: reversed ? Math.max(0, total - offset - rows) : offset, reversed };
}
