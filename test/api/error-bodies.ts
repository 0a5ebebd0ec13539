import { z } from "zod";

/** Bodies of answers other than success. */
export const errorBody = z.object({
  detail: z.strictObject({ code: z.string().regex(/^[a-z_]+$/), message: z.string().min(1) }),
});
const issue = z.strictObject({
  loc: z.array(z.union([z.string(), z.int()])).min(1),
  msg: z.string().min(1),
  type: z.string().regex(/^[a-z_]+$/),
  input: z.unknown().optional(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
export const validationBody = z.object({ detail: z.array(issue).min(1) });
