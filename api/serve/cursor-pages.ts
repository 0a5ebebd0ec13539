import { z } from "zod";
import type { RowKey } from "../../warehouse/history/beside.ts";
import type { HistoryPage, HistoryRows } from "../../warehouse/history/page.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { type Cursor, parseCursor, toCursorText } from "./cursor.ts";
import { ValidationError } from "./errors.ts";
import { pageOf, pageQuery, toPage } from "./pages.ts";

const cursor = z
  .string()
  .max(2048)
  .transform((text, { addIssue }): Cursor => {
    const parsed = parseCursor(text);
    if (parsed !== null) return parsed;
    addIssue({ code: "custom", message: "is no cursor of a page's meta", params: { type: "cursor_invalid" } });
    return z.NEVER;
  });

/** Of lists by time that are read from an offset on, or from a row of another page on. */
export const cursorPageQuery = pageQuery.extend({
  sort_direction: z
    .preprocess((text) => (typeof text === "string" ? text.toLowerCase() : text), z.enum(["asc", "desc"]).optional())
    .describe("By time; desc unless given, or the cursor's."),
  cursor: cursor
    .optional()
    .describe("meta.next_cursor or meta.previous_cursor of another page, in place of an offset."),
});
type CursorPageQuery = z.output<typeof cursorPageQuery>;

/** The page that is asked for; 422 where a cursor is given together with what contradicts it. */
export function toListPage({ limit, offset, sort_direction, cursor }: CursorPageQuery): HistoryPage {
  if (cursor === undefined) return { limit, direction: sort_direction ?? "desc", place: { kind: "offset", offset } };
  const { direction, kind, key } = cursor;
  if (offset > 0) throw refuseQuery("offset", "Give an offset or a cursor, not both.");
  if (sort_direction !== undefined && sort_direction !== direction) {
    const msg = `The cursor is of a list in the direction ${direction}: leave sort_direction out.`;
    throw refuseQuery("sort_direction", msg);
  }
  return { limit, direction, place: { kind, key } };
}

export const refuseQuery = (field: string, msg: string): ValidationError =>
  new ValidationError([{ loc: ["query", field], msg, type: "value_error" }]);

/** The specification's envelope with cursors to the pages on both sides. */
export function cursorPageOf(row: z.ZodType) {
  const page = pageOf(row);
  const text = z.string().nullable();
  return page.extend({ meta: page.shape.meta.extend({ next_cursor: text, previous_cursor: text }) });
}

export function toCursorPage(
  { rows, total, offset }: HistoryRows,
  { limit, direction }: HistoryPage,
  keyOf: (row: Row) => RowKey,
) {
  const { data, meta } = toPage(rows, total, { limit, offset });
  const cursor = (kind: Cursor["kind"], row: Row | undefined) =>
    row === undefined ? null : toCursorText({ kind, direction, key: keyOf(row) });
  return {
    data,
    meta: {
      ...meta,
      // A page before a row is short where the list begins; what follows begins with that row.
      next_offset: meta.has_more ? offset + rows.length : null,
      next_cursor: meta.has_more ? cursor("after", rows.at(-1)) : null,
      previous_cursor: offset > 0 ? cursor("before", rows[0]) : null,
    },
  };
}
