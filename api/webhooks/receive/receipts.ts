import { z } from "zod";
import { createReceipts } from "../../once/receipts.ts";
import { planNothing, planSchema } from "./plan.ts";

/** What was decided for a transaction, and the answer to it as it is sent. */
const decidedSchema = z.object({ plan: planSchema, status: z.int(), body: z.string() });
export type Decided = z.infer<typeof decidedSchema>;

/** What was made of each request of an incoming webhook; of one that is done, which call it was of and the answer. */
export const webhookReceipts = createReceipts<Decided>({
  table: "webhook_receipts",
  schema: decidedSchema,
  toDone: ({ plan, ...answer }) => ({ ...answer, plan: planNothing(plan.call_id, {}) }),
});
