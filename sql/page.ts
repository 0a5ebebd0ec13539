/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly direction: "asc" | "desc";
}

/**
 * A page past the middle is read from the other end, so that the last one costs what the first does. From its own end it
 * is read as long as it was asked for: rows that have come in since they were counted push none out.
 */
export function fromNearerEnd({ limit, offset, direction }: Page, total: number) {
  const rows = Math.max(0, Math.min(limit, total - offset));
  const reversed = offset > total / 2;
  const order: Page["direction"] = (direction === "asc") === reversed ? "desc" : "asc";
  const read = reversed || rows === 0 ? rows : limit;
  return { order, limit: read, offset: reversed ? Math.max(0, total - offset - rows) : offset, reversed };
}
