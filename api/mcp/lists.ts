import { z } from "zod";
import { fieldOf, objectOf, pick, rowOf } from "./schema-parts.ts";
import type { ToolAnswer } from "./tool.ts";

/** Rows of a page for a model: more would not fit beside what it is doing. */
export const limit = z.int().min(1).max(25).default(10).describe("Rows to show.");

export const cursor = z
  .string()
  .max(2048)
  .optional()
  .describe("meta.next_cursor of an answer, to go on after it; the other arguments stay the same.");

export const sort_direction = z.enum(["asc", "desc"]).optional().describe("By time; desc, newest first, unless given.");

/** A time range's arguments; what none means is said by the tool. */
export const timeRange = {
  start_date: z.string().max(64).optional().describe("From this time on, ISO 8601, UTC unless it has an offset."),
  end_date: z.string().max(64).optional().describe("Before this time."),
};

/** Cutting rows would break the cursor: fewer are asked for instead. */
export const pageBounds = { whole: ["meta", "data"] };

/** Returns the schema of a page with some fields of its rows, or all, and of `meta` with how to go on. */
export function pageSchema(answer: z.ZodObject, fields: readonly string[] | "all", next: string): z.ZodObject {
  const row = rowOf(fieldOf(answer, "data"));
  return z.object({
    data: z.array(fields === "all" ? row : pick(row, fields)),
    meta: pick(objectOf(fieldOf(answer, "meta")), ["total", "has_more", next]),
  });
}

const pageSeen = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ total: z.number(), next_cursor: z.string().nullish(), next_offset: z.number().nullish() }),
});

/** A page says by itself that there is more. */
export function toPageAnswer(answer: ToolAnswer): ToolAnswer {
  const { meta } = pageSeen.parse(answer);
  return { ...answer, truncated: meta.next_cursor != null || meta.next_offset != null };
}

/** Returns how many rows of how many a page has, and how to see the next. */
export const summarizePage =
  (what: string) =>
  (answer: ToolAnswer): string => {
    const { data, meta } = pageSeen.parse(answer);
    const { total, next_cursor, next_offset } = meta;
    const counted = `${data.length} of ${total} ${what}.`;
    if (next_cursor != null) return `${counted} Pass meta.next_cursor as cursor to go on.`;
    return next_offset == null ? counted : `${counted} Pass offset ${next_offset} to go on.`;
  };
