import { z } from "zod";

const fromText = (text: unknown) => (typeof text === "string" && /^-?\d+$/.test(text) ? Number(text) : text);

/** `limit`, `offset` and `sort_direction` of every list. */
export const pageQuery = z.object({
  limit: z.preprocess(fromText, z.number().int().min(1).max(200).default(50)).describe("Rows of a page."),
  offset: z
    .preprocess(fromText, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0))
    .describe("Rows before the page."),
  sort_direction: z.preprocess(
    (text) => (typeof text === "string" ? text.toLowerCase() : text),
    z.enum(["asc", "desc"]).default("desc"),
  ),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The envelope of a page of a list. */
export function toPage<T>(data: readonly T[], total: number, { limit, offset }: Pick<PageQuery, "limit" | "offset">) {
  const hasMore = offset + data.length < total;
  return {
    data,
    meta: {
      limit,
      offset,
      count: data.length,
      total,
      has_more: hasMore,
      next_offset: hasMore ? offset + limit : null,
      previous_offset: offset > 0 ? Math.max(0, offset - limit) : null,
    },
  };
}

const pageMeta = z
  .object({
    limit: z.int().describe("Rows that a page has at most."),
    offset: z.int().describe("Rows before the page."),
    count: z.int().describe("Rows of the page."),
    total: z.int().describe("Rows of the whole list."),
    has_more: z.boolean().describe("Whether there are rows behind this page."),
    next_offset: z.int().nullable().describe("Offset of the next page; null on the last."),
    previous_offset: z.int().nullable().describe("Offset of the page before; null on the first."),
    ignored_parameters: z
      .array(z.object({ name: z.string(), did_you_mean: z.string().nullable() }))
      .optional()
      .describe("Query parameters that this list does not know and has ignored, where there are any."),
  })
  .meta({ id: "PageMeta" });

/** Returns the envelope's schema for rows of one schema. */
export const pageOf = (row: z.ZodType) =>
  z.object({
    data: z.array(row),
    meta: pageMeta,
  });
