import type { AuditRecord } from "../../ingest/audit.ts";
import type { OrgId } from "../../ingest/primitives.ts";

/** Whose request it is. */
export interface Caller {
  readonly orgId: OrgId;
  readonly actor: { readonly type: AuditRecord["actor_type"]; readonly id: string; readonly name: string | null };
  /** Whether it is an admin key of the organization, or a token of an admin of it. */
  readonly admin: boolean;
}

/** What the audit log and `paused_by` call the actor: `api_key:<id>`, `user:<id>`. */
export const actorName = ({ actor }: Caller): string => `${actor.type}:${actor.id}`;
