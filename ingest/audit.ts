import { z } from "zod";
import { orgId, timestamp } from "./primitives.ts";

export const auditActions = [
  "create",
  "update",
  "delete",
  "pause",
  "resume",
  "expire_pause",
  "adjust",
  "rotate_key",
] as const;

/** One change of config: who, what, old and new; secrets stand as `***` (semantics 7.7). */
export const auditRecordSchema = z.object({
  v: z.literal(1).default(1),
  id: z.string().min(1),
  org_id: orgId,
  created_at: timestamp,
  actor_type: z.enum(["api_key", "user", "system"]),
  actor_id: z.string(),
  actor_name: z.string().nullable().default(null),
  action: z.enum(auditActions),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: z.string().nullable().default(null),
  changes: z.array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() })),
  request_id: z.string().nullable().default(null),
  source_ip: z.string().nullable().default(null),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;
