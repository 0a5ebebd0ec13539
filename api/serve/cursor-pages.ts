import { z } from "zod";
import { readJson } from "../../ingest/parse.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { RowKey } from "../../warehouse/history/keyset.ts";
import type { HistoryPage, HistoryRows } from "../../warehouse/history/page.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { ValidationError } from "./errors.ts";
import { pageOf, pageQuery, toPage } from "./pages.ts";

/** A position in a list, next to one of its rows. It does not name the organization: every statement filters by that. */
export interface Cursor {
  readonly kind: "after" | "before";
  readonly direction: "asc" | "desc";
  readonly key: RowKey;
}

const cursorTuple = z.tuple([z.enum(["after", "before"]), z.enum(["asc", "desc"]), timestamp, z.string().min(1)]);

export const toCursorText = ({ kind, direction, key }: Cursor): string =>
  Buffer.from(JSON.stringify([kind, direction, key.at.toISOString(), key.id])).toString("base64url");

/** Returns null for text that is not a cursor. */
export function parseCursor(text: string): Cursor | null {
  const parsed = cursorTuple.safeParse(readJson(Buffer.from(text, "base64url").toString()));
  if (!parsed.success) return null;
  const [kind, direction, at, id] = parsed.data;
  const cursor = { kind, direction, key: { at: new Date(at), id } };
  return toCursorText(cursor) === text ? cursor : null;
}

const cursorSchema = z
  .string()
  .max(2048)
  .transform((text, { addIssue }): Cursor => {
    const parsed = parseCursor(text);
    if (parsed !== null) return parsed;
    addIssue({ code: "custom", message: "is no cursor of a page's meta", params: { type: "cursor_invalid" } });
    return z.NEVER;
  });

/** The query of lists by time that are paged by offset or by cursor. */
export const cursorPageQuery = pageQuery.extend({
  sort_direction: z
    .preprocess((text) => (typeof text === "string" ? text.toLowerCase() : text), z.enum(["asc", "desc"]).optional())
    .describe("By time; desc unless given, or the cursor's."),
  cursor: cursorSchema
    .optional()
    .describe("meta.next_cursor or meta.previous_cursor of another page, in place of an offset."),
});
type CursorPageQuery = z.output<typeof cursorPageQuery>;

/** Returns the requested page; throws 422 if a cursor contradicts other parameters. */
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

/** The schema of a page's envelope with cursors of the next and previous pages. */
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
