import { z } from "zod";
import { orgId, timestamp, wellFormedJson, wellFormedText } from "./primitives.ts";

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

/** One change of config: actor, entity, old and new values; secrets are `***`. */
export const auditRecordSchema = z.object({
  v: z.literal(1).default(1),
  id: wellFormedText.min(1),
  org_id: orgId,
  created_at: timestamp,
  actor_type: z.enum(["api_key", "user", "system"]),
  actor_id: wellFormedText,
  actor_name: wellFormedText.nullable().default(null),
  action: z.enum(auditActions),
  entity_type: wellFormedText,
  entity_id: wellFormedText,
  entity_name: wellFormedText.nullable().default(null),
  changes: z.array(z.object({ field: wellFormedText, old: wellFormedJson, new: wellFormedJson })),
  request_id: wellFormedText.nullable().default(null),
  source_ip: wellFormedText.nullable().default(null),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;
