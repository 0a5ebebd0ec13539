import { z } from "zod";
import { timestamp } from "../../../ingest/primitives.ts";
import type { Approved } from "./approved-rows.ts";
import type { Owner } from "./session-rows.ts";

/** By which approval a question was answered. */
export const approvalSchema = z.object({
  id: z.string(),
  approved_by: z.string().nullable().describe("Null where it was approved before that was kept."),
  approved_by_you: z.boolean(),
  approved_at: timestamp,
});
export type Approval = z.infer<typeof approvalSchema>;

/** As it is shown to one user. */
export const toApproval = ({ id, approvedBy, approvedAt }: Approved, viewer: Owner): Approval => ({
  id,
  approved_by: approvedBy,
  approved_by_you: approvedBy === approverOf(viewer),
  approved_at: approvedAt,
});

/** Who approves, as the audit log names users. */
const approverOf = ({ userId }: Owner): string => `user:${userId}`;
