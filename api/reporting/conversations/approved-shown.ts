import { z } from "zod";
import { timestamp } from "../../../ingest/primitives.ts";
import type { Approved } from "./approved-rows.ts";
import type { Owner } from "./session-rows.ts";

/** By which approval a question was answered. */
export const approvalSchema = z.object({
  id: z.string(),
  approved_by: z.string().nullable().describe("Null where it was approved before that was kept."),
  approved_at: timestamp,
});
export type Approval = z.infer<typeof approvalSchema>;

export const toApproval = ({ id, approvedBy, approvedAt }: Approved): Approval => ({
  ...{ id, approved_by: approvedBy, approved_at: approvedAt },
});

/** Who approves, as the audit log names users. */
export const approverOf = ({ userId }: Pick<Owner, "userId">): string => `user:${userId}`;
